// Finds the calendar interface of a website: from the address that a user knows to what a profile stores.
import { type DataRecord, isRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import { InvalidJsonError, parseJson } from "../http/json.ts";
import { isLoopback, NetworkError, type Transport } from "../http/transport.ts";
import type { AuthMethod } from "../model/auth.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { retryAfterHint } from "./problems.ts";
import { buildUrl } from "./request.ts";

export interface FoundSite {
  /** {base_url}: the REST root, as a path or as `?rest_route=/`. */
  readonly base_url: string;
  readonly namespace: string;
  readonly server: ServerProfileName;
  readonly site_tz?: string;
  readonly name?: string;
  /** The login methods, as far as they can be detected without a login. */
  readonly auth_methods: readonly AuthMethod[];
  /** The page on which a user approves an application password. */
  readonly authorization_page?: string;
  /** All namespaces that the site lists; empty where it lists none. */
  readonly namespaces: readonly string[];
  /** What the user should know about the search. */
  readonly warnings: readonly string[];
}

/** `send` gets no secrets. */
interface DiscoverOptions {
  readonly send: Transport;
  /** With or without a scheme; without one https is tried, and then http for this machine only. */
  readonly address: string;
  /** Not detected, but used as it is. */
  readonly namespace?: string;
}

/** The state of a search. */
interface Search extends DiscoverOptions {
  readonly start: FetchedPage;
  /** Addresses where the REST root may be, the surest first. */
  readonly roots: readonly string[];
  /** All pages that were read so far. */
  readonly pages: FetchedPage[];
  readonly warnings: Set<string>;
}

/**
 * Finds the interface of a site with some GET requests. Rejects with kind `usage` where the address is no web address, `unavailable` where no
 * server answers, and `local` where the site answers but shows no calendar interface.
 */
export async function discover(options: DiscoverOptions): Promise<FoundSite> {
  const start = await fetchFirstPage(options);
  const warnings = new Set(start.hostChanges);
  const roots = [...new Set([...findRootsInPage(start), ...getDefaultRoots(start.url)])];
  const search: Search = { ...options, start, roots, pages: [start], warnings };
  const found = (await findByIndex(search)) ?? (await findByNamespace(search));
  const { host } = new URL(start.url);
  const foundHost = new URL(found.base_url).host;
  if (foundHost !== host) warnings.add(`${host} names ${foundHost} as the home of its interface`);
  return { ...found, warnings: [...warnings] };
}

async function fetchFirstPage({ send, address }: DiscoverOptions): Promise<FetchedPage> {
  const text = address.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const typed = hasScheme ? text : `https://${text}`;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw usageError("that is not the address of a website", { command: "cal init https://www.example.com" });
  if (url.username !== "" || url.password !== "")
    throw usageError("the address holds a user name or password", [
      { command: `cal init ${url.origin}` },
      { text: "then", command: "cal auth login" },
    ]);
  url.hash = "";
  if (hasScheme || !isLoopback(url.hostname)) return fetchPage(send, url.href);
  try {
    return await fetchPage(send, url.href);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return fetchPage(send, url.href.replace("https:", "http:"));
  }
}

/** The site by the index of its REST root; undefined where no root has one. */
async function findByIndex(search: Search): Promise<Omit<FoundSite, "warnings"> | undefined> {
  const { start, roots, pages, warnings } = search;
  const startIndex = parseSiteIndex(start.json);
  if (startIndex !== undefined) return toFoundSite(search, start, startIndex);
  for (const root of roots) {
    const page = await tryFetchPage(search, buildUrl(root, "/", []));
    if (page === undefined) continue;
    pages.push(page);
    const index = parseSiteIndex(page.json);
    if (index === undefined) continue;
    for (const change of page.hostChanges) warnings.add(change);
    return toFoundSite(search, page, index);
  }
  return undefined;
}

function toFoundSite({ namespace: requested, warnings }: Search, { url }: FetchedPage, index: SiteIndex): Omit<FoundSite, "warnings"> {
  const root = normalizeRoot(url);
  const listed = index.namespaces.join(", ") || "none";
  const namespace = requested ?? [namespaces.interface, namespaces.theEventsCalendar].find((name) => index.namespaces.includes(name));
  if (namespace === undefined) {
    const plugin = index.namespaces.includes("wp/v2") ? "it runs WordPress: is The Events Calendar installed and active there? If" : "if";
    throw new CalError("local", `the site at ${root} has no calendar interface; its namespaces are ${listed}`, {
      hint: { text: `${plugin} one of them is the calendar's`, command: "cal init <url> --namespace <namespace>" },
    });
  }
  if (!index.namespaces.includes(namespace)) warnings.add(`the site does not list the namespace ${namespace}; it lists ${listed}`);
  const found = { base_url: root, ...detectServer(namespace, index.authorization_page), ...index };
  if (found.auth_methods.length === 0) warnings.add("the site offers no application passwords: they need https, and may be switched off");
  return found;
}

function detectServer(namespace: string, authorizationPage?: string): Pick<FoundSite, "namespace" | "server" | "auth_methods"> {
  const application = authorizationPage === undefined ? [] : (["application-password"] as const);
  if (namespace === namespaces.theEventsCalendar) return { namespace, server: "the-events-calendar", auth_methods: application };
  return { namespace, server: "generic", auth_methods: ["password", "browser", ...application] };
}

/** The site by its interface alone: a server without an index, or with one that needs a login. */
async function findByNamespace(search: Search): Promise<Omit<FoundSite, "warnings">> {
  const { namespace: requested, roots, pages, warnings } = search;
  const isTec = pages.some((page) => page.headers["x-tec-api-root"] !== undefined);
  const detected = isTec ? [namespaces.theEventsCalendar] : [namespaces.interface, namespaces.theEventsCalendar];
  const candidates = requested === undefined ? detected : [requested];
  for (const root of roots) {
    for (const namespace of candidates) {
      const page = await tryFetchPage(search, buildUrl(root, `/${namespace}`, []));
      if (page === undefined || !isRecord(page.json)) continue;
      const { status } = page;
      if (status === 401 || status === 403)
        warnings.add(`${root} answers ${status} without a login, so the namespace ${namespace} is a guess`);
      else if (status < 200 || status >= 300) continue;
      return { base_url: root, ...detectServer(namespace), namespaces: [] };
    }
  }
  const failed = pages.find(({ status }) => status === 429 || status >= 500);
  if (failed !== undefined) {
    throw new CalError("unavailable", `${new URL(failed.url).origin} answers ${failed.status}, so nothing can be found there now`, {
      status: failed.status,
      hint: retryAfterHint(failed.headers),
    });
  }
  throw new CalError("local", `no calendar interface was found at ${roots[0]}: no REST root, and no ${candidates.join(" or ")}`, {
    hint: { text: "give the REST root itself", command: "cal profile add <name> --base-url <url> --namespace <namespace>" },
  });
}

/** Undefined where the page can't be read: then the next address is tried. */
async function tryFetchPage({ send }: Search, url: string): Promise<FetchedPage | undefined> {
  try {
    return await fetchPage(send, url);
  } catch (error) {
    if (error instanceof CalError) return undefined;
    throw error;
  }
}

/** An answer of any status, after its redirects. */
interface FetchedPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where the body is not JSON. */
  readonly json: unknown;
  readonly text: string;
  /** Redirects to another host, as messages. */
  readonly hostChanges: readonly string[];
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/** Reads an address with GET. Rejects with kind `local` for a redirect that is not followed, else as the transport does. */
async function fetchPage(send: Transport, address: string): Promise<FetchedPage> {
  const hostChanges: string[] = [];
  let url = address;
  for (let count = 0; count <= maxRedirects; count++) {
    const { status, headers, body } = await send({
      method: "GET",
      url,
      headers: { accept: "application/json, text/html;q=0.9, */*;q=0.8" },
    });
    const { location } = headers;
    // A page may redirect to itself for ever, where the rest of its site works.
    const next = redirectStatuses.has(status) && location !== undefined ? resolveRedirect(url, location) : undefined;
    if (next === undefined || next.href === url) {
      const json = await parseJson(body).catch((error: unknown) => {
        if (!(error instanceof InvalidJsonError)) throw error;
      });
      return { url, status, headers, json, text: new TextDecoder().decode(body), hostChanges };
    }
    if (next.host !== new URL(url).host) hostChanges.push(`the site redirects to ${next.origin}; your login was not sent there`);
    url = next.href;
  }
  throw new CalError("local", `${formatOriginAndPath(address)} redirects more than ${maxRedirects} times`, {
    hint: "open it in a browser, and give the address that the browser shows then",
  });
}

/** https is never left for http. */
function resolveRedirect(from: string, location: string): URL {
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (next === undefined || !(next.protocol === "https:" || (next.protocol === "http:" && !from.startsWith("https:")))) {
    const to = next === undefined ? "no address" : `${next.protocol}//${next.host}`;
    throw new CalError("local", `${formatOriginAndPath(from)} redirects to ${to}, which is not followed`, {
      hint:
        next?.protocol === "http:"
          ? { text: "if that is right", command: `cal init ${next.origin}` }
          : "open it in a browser, and give the address that the browser shows then",
    });
  }
  next.hash = "";
  return next;
}

function formatOriginAndPath(url: string): string {
  return `${new URL(url).origin}${new URL(url).pathname}`;
}

const apiLinkRelation = "https://api.w.org/";
const namespaceInUrl = new RegExp(`/(?:${namespaces.interface}|${namespaces.theEventsCalendar})(?:[/?&]|$)`);

/** {base_url} in its one form: no slash at its end, or `?rest_route=/`; every other part of a query is dropped. */
function normalizeRoot(address: string): string {
  const url = new URL(address);
  const path = url.searchParams.has("rest_route") ? `${url.pathname}?rest_route=/` : url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path}`;
}

const hrefPattern = /\bhref\s*=\s*(["'])(.*?)\1/i;

/** Roots that a page names: in its Link header, in its HTML, in the header of The Events Calendar. */
function findRootsInPage({ url, headers, text }: FetchedPage): string[] {
  const links = [...(headers["link"] ?? "").matchAll(/<([^<>]*)>([^<]*)/g)];
  const link = links.find(([, , parameters = ""]) => /\brel\s*=/i.test(parameters) && parameters.includes(apiLinkRelation));
  // Without "<" in the pattern's end, many beginnings of tags would be searched to the end of the page each.
  const tags = text.match(/<link\b[^<>]*>/gi) ?? [];
  const tag = tags.find((one) => one.replace(hrefPattern, "").includes(apiLinkRelation)) ?? "";
  const href = hrefPattern.exec(tag)?.[2]?.replaceAll("&amp;", "&").replaceAll("&#038;", "&");
  const named = [link?.[1], href, sliceBefore(headers["x-tec-api-root"], namespaceInUrl)];
  return named.flatMap((address) => (address === undefined ? [] : resolveRoot(address, url)));
}

/** The address itself up to a namespace, and the roots that WordPress has by default. */
function getDefaultRoots(address: string): string[] {
  const whole = sliceBefore(address, namespaceInUrl) ?? address;
  const { origin, pathname } = new URL(whole);
  const folder = pathname.replace(/\/[^/]*\.php$/, "").replace(/\/+$/, "");
  const folders = folder === "" ? [""] : [folder, ""];
  // A web server without rewrites refuses PATCH and DELETE at `/?rest_route=/`, and takes them at index.php.
  const paths = ["/wp-json", "/index.php?rest_route=/", "/?rest_route=/"];
  return [normalizeRoot(whole), ...folders.flatMap((path) => paths.map((end) => `${origin}${path}${end}`))];
}

function sliceBefore(address: string | undefined, pattern: RegExp): string | undefined {
  const at = address === undefined ? -1 : address.search(pattern);
  return at < 0 ? undefined : address?.slice(0, at);
}

/** A site behind a proxy often names itself with http: https stays for the same host, and http on another host is skipped. */
function resolveRoot(address: string, page: string): string[] {
  if (!URL.canParse(address, page)) return [];
  const root = new URL(address, page);
  const from = new URL(page);
  if (root.protocol === "http:" && from.protocol === "https:") {
    if (root.hostname !== from.hostname) return [];
    root.protocol = "https:";
  }
  return root.protocol === "http:" || root.protocol === "https:" ? [normalizeRoot(root.href)] : [];
}

/** What the index of a REST root says (its shape is not shown in the interface); absent where it says nothing usable. */
interface SiteIndex {
  readonly namespaces: readonly string[];
  readonly name?: string;
  /** IANA name, `UTC`, or an offset such as `+02:00`. */
  readonly site_tz?: string;
  readonly authorization_page?: string;
}

/** Undefined where the value is no index of a site; the index of a single namespace is none. */
export function parseSiteIndex(index: unknown): SiteIndex | undefined {
  if (!isRecord(index) || typeof index["namespace"] === "string") return undefined;
  const { name, routes, namespaces: listed } = index;
  const namespaces = Array.isArray(listed)
    ? listed
    : isRecord(routes)
      ? [...new Set(Object.values(routes).map((route) => getNestedValue(route, "namespace")))].filter((one) => one !== "")
      : undefined;
  if (namespaces === undefined) return undefined;
  const timeZone = parseTimeZone(index);
  const page = getNestedValue(index, "authentication", "application-passwords", "endpoints", "authorization");
  const isWebAddress = typeof page === "string" && /^https?:\/\//i.test(page) && URL.canParse(page);
  return {
    namespaces: namespaces.filter((one) => typeof one === "string"),
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(timeZone === undefined ? {} : { site_tz: timeZone }),
    ...(isWebAddress ? { authorization_page: page } : {}),
  };
}

function parseTimeZone(index: DataRecord): string | undefined {
  const { timezone_string: name, gmt_offset: hours } = index;
  if (typeof name === "string" && name !== "") return name;
  const offset = typeof hours === "string" && hours !== "" ? Number(hours) : hours;
  if (typeof offset !== "number" || !(Math.abs(offset) < 15)) return undefined;
  if (offset === 0) return "UTC";
  const minutes = Math.round(Math.abs(offset) * 60);
  const digits = (count: number) => String(count).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}

function getNestedValue(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), value);
}
