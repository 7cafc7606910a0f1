// Addresses in settings: which ones are taken, and the one form in which they are kept.
// No message quotes an address: it may hold a password by mistake.

/** An address in its one form, or what is wrong with it. */
export type UrlParseResult = { readonly value: string } | { readonly problem: string };

/** {base_url}: without a slash at its end, or in the form `<site>/?rest_route=/`, where other parameters stay before it. */
export function parseBaseUrl(text: string): UrlParseResult {
  const url = parseHttpUrl(text);
  if ("problem" in url) return url;
  if (url.search === "") return { value: removeTrailingSlashes(url) };
  const route = url.searchParams.get("rest_route");
  if (route === null) return { problem: "holds a query other than ?rest_route=/" };
  if (route.replace(/\/+/g, "") !== "") return { problem: "holds a route; end it with ?rest_route=/" };
  url.searchParams.delete("rest_route");
  const others = url.searchParams.toString();
  return { value: `${url.origin}${url.pathname}?${others === "" ? "" : `${others}&`}rest_route=/` };
}

/** An address that paths are put behind: without a query and without a slash at its end. */
export function parseUrl(text: string): UrlParseResult {
  const url = parseHttpUrl(text);
  if ("problem" in url) return url;
  return url.search === "" ? { value: removeTrailingSlashes(url) } : { problem: "holds a query" };
}

/** An address that is compared with a registered one, so it is kept to the letter. */
export function parseRedirectUrl(text: string): UrlParseResult {
  const url = parseHttpUrl(text);
  return "problem" in url ? url : { value: text };
}

function parseHttpUrl(text: string): URL | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: "is no address that begins with https:// or http://" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "holds a user name or password; they are given at cal auth login" };
  return text.includes("#") ? { problem: "holds a fragment (#)" } : url;
}

function removeTrailingSlashes(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
