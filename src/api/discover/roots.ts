// Where the REST root of a site may be: what its pages say, and what is usual. Pure functions over addresses.
import { namespaces } from "../../spec/index.ts";
import type { FetchedPage } from "./page.ts";

const apiLinkRelation = "https://api.w.org/";
const namespaceInUrl = new RegExp(`/(?:${namespaces.interface}|${namespaces.theEventsCalendar})(?:[/?&]|$)`);

/** {base_url} in its one form: no slash at its end, or `?rest_route=/`; every other part of a query is dropped. */
export function normalizeRoot(address: string): string {
  const url = new URL(address);
  const path = url.searchParams.has("rest_route") ? `${url.pathname}?rest_route=/` : url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path}`;
}

/** Roots that a page names: in its Link header, in its HTML, in the header of The Events Calendar; the surest first. */
export function findRootsInPage(page: FetchedPage): string[] {
  const named = [
    findLinkInHeader(page.headers["link"] ?? ""),
    findLinkInHtml(page.text),
    sliceBefore(page.headers["x-tec-api-root"], namespaceInUrl),
  ];
  return named.flatMap((address) => (address === undefined ? [] : resolveRoot(address, page.url)));
}

/** Roots that are usual for a site at an address, and the address itself, cut where a namespace begins. */
export function getDefaultRoots(address: string): string[] {
  const whole = sliceBefore(address, namespaceInUrl) ?? address;
  const { origin, pathname } = new URL(whole);
  const folder = pathname.replace(/\/[^/]*\.php$/, "").replace(/\/+$/, "");
  const folders = folder === "" ? [""] : [folder, ""];
  return [normalizeRoot(whole), ...folders.flatMap((path) => [`${origin}${path}/wp-json`, `${origin}${path}/?rest_route=/`])];
}

function findLinkInHeader(header: string): string | undefined {
  for (const [, address, parameters = ""] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/\brel\s*=/i.test(parameters) && parameters.includes(apiLinkRelation)) return address;
  }
  return undefined;
}

function findLinkInHtml(text: string): string | undefined {
  for (const [tag] of text.matchAll(/<link\b[^>]*>/gi)) {
    const [, , address] = /\bhref\s*=\s*(["'])(.*?)\1/i.exec(tag) ?? [];
    if (tag.replace(/\bhref\s*=\s*(["']).*?\1/i, "").includes(apiLinkRelation))
      return address?.replaceAll("&amp;", "&").replaceAll("&#038;", "&");
  }
  return undefined;
}

function sliceBefore(address: string | undefined, pattern: RegExp): string | undefined {
  const at = address === undefined ? -1 : address.search(pattern);
  return at < 0 ? undefined : address?.slice(0, at);
}

/** Sites behind a proxy often name themselves with http: the page's https is kept. A root that would give https up for another host is passed over. */
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
