// From a request of the interface to a URL of a site: pretty permalinks, and the `?rest_route=` form of sites without them.
import { usageError } from "../errors.ts";
import type { Query } from "./client.ts";

/** The URL of `path` (with its leading slash, percent-encoded) below {base_url}. */
export function buildUrl(baseUrl: string, path: string, query: Query): string {
  return createUrlBuilder(baseUrl)(path, query);
}

/** The same for many paths. */
export function createUrlBuilder(baseUrl: string): (path: string, query: Query) => string {
  const base = new URL(baseUrl);
  const route = base.searchParams.get("rest_route");
  const others = [...base.searchParams].filter(([name]) => name !== "rest_route").map(([name, value]) => `${name}=${percentEncode(value)}`);
  const pairsOf = (query: Query) => query.map(([name, value]) => `${encodeParameterName(name)}=${percentEncode(value)}`);
  base.search = "";
  const root = base.href.replace(/\/+$/, "");
  if (route === null) return (path, query) => `${root}${path}${query.length === 0 ? "" : `?${pairsOf(query).join("&")}`}`;
  // The path is percent-encoded once already, which is what a query value needs too.
  const start = encodeURI(route).replace(/\/+$/, "");
  return (path, query) => {
    base.search = [`rest_route=${start}${path}`, ...others, ...pairsOf(query)].join("&");
    return base.href;
  };
}

/** Percent-encoded; what is half a letter, as a JSON escape can make it, is sent as the sign for it. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** The brackets of `name[]` stay readable; servers take both. */
function encodeParameterName(name: string): string {
  return percentEncode(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

/** A slug as one path segment, encoded exactly once, also where the server returned it percent-encoded (section 1: any text without a slash). */
export function encodeSlug(slug: string): string {
  if (!isSlug(slug)) {
    throw usageError(
      `${JSON.stringify(slug)} can't be a slug: a slug is a text without a slash`,
      "slugs are in the last column of: cal events list --wide",
    );
  }
  return percentEncode(decodeSlug(slug));
}

/** Whether a text can stand in a path as a slug. */
export function isSlug(text: string): boolean {
  const decoded = decodeSlug(text);
  return decoded !== "" && decoded !== "." && decoded !== ".." && !decoded.includes("/");
}

/** A slug for comparisons: without its percent-encoding, letters with accents as one sign. */
export function normalizeSlug(slug: string): string {
  return decodeSlug(slug).normalize("NFC");
}

/** A slug without its percent-encoding; a text that is no valid encoding stays as it is. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** The same web address in ASCII: a site that runs The Events Calendar may hold one with other letters, but refuses to be sent one. */
export function toAsciiUrl(text: string): string {
  return /[^\x21-\x7e]/.test(text) && URL.canParse(text) ? new URL(text).href : text;
}
