// Finds the calendar interface of a website: from an address that a person knows to what a profile stores.
import { type DataRecord, isRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import { InvalidJsonError, parseJson } from "../http/json.ts";
import { type HttpResponse, isLoopback, NetworkError, type Transport } from "../http/transport.ts";
import type { AuthMethod } from "../model/auth.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { retryAfterHint } from "./problems.ts";
import { buildUrl } from "./request.ts";

/** A site as it was found. */
export interface FoundSite {
  /** {base_url}: the REST root, as a path or as `?rest_route=/`. */
  readonly base_url: string;
  readonly namespace: string;
  readonly server: ServerProfileName;
  readonly site_tz?: string;
  readonly name?: string;
  /** How one can log in, as far as that can be told from outside. */
  readonly auth_methods: readonly AuthMethod[];
  /** The page on which a user approves an application password. */
  readonly authorization_page?: string;
  /** All namespaces that the site lists; empty where it lists none. */
  readonly namespaces: readonly string[];
  /** What the user should know of how it was found. */
  readonly warnings: readonly string[];
}

/** What is looked for, and with what. `send` gets no secrets; `namespace` is taken where it is given. */
interface DiscoverOptions {
  readonly send: Transport;
  /** With or without a scheme; without one https is tried, and http only on this machine. */
  readonly address: string;
  readonly namespace?: string;
}

/** What is known while a search goes on. */
interface DiscoverState {
  readonly options: DiscoverOptions;
  readonly addWarning: (text: string) => void;
  /** The first page, and what was read from roots since. */
  readonly pages: FetchedPage[];
}

/**
 * Finds the interface of a site with some GET requests. Rejects with kind `usage` for what is no web address, `unavailable` where nobody answers,
 * and `local` where the site answers but has no calendar interface that can be seen.
 */
export async function discover(options: DiscoverOptions): Promise<FoundSite> {
  const warnings: string[] = [];
  const addWarning = (text: string) => {
    if (!warnings.includes(text)) warnings.push(text);
  };
  const start = await fetchFirstPage(options);
  start.hostChanges.forEach(addWarning);
  const state: DiscoverState = { options, addWarning, pages: [start] };
  const roots = [...new Set([...findRootsInPage(start), ...getDefaultRoots(start.url)])];
  const found = (await findByIndex(state, roots)) ?? (await findByNamespace(state, roots));
  const host = new URL(start.url).host;
  if (new URL(found.base_url).host !== host) addWarning(`${host} names ${new URL(found.base_url).host} as the home of its interface`);
  return { ...found, warnings };
}

async function fetchFirstPage({ send, address }: DiscoverOptions): Promise<FetchedPage> {
  const candidates = parseCandidateUrls(address);
  for (const candidate of candidates.slice(0, -1)) {
    try {
      return await fetchPage(send, candidate);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
  }
  return fetchPage(send, candidates.at(-1) ?? address);
}

function parseCandidateUrls(text: string): string[] {
  const bare = text.trim();
  const typed = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw usageError("that is no address of a website", { command: "cal init https://www.example.com" });
  if (url.username !== "" || url.password !== "") {
    throw usageError("the address holds a user name or password", `cal init ${url.origin}, then cal auth login`);
  }
  url.hash = "";
  return typed === bare || !isLoopback(url.hostname) ? [url.href] : [url.href, url.href.replace("https:", "http:")];
}

/** The site by the index of its REST root; undefined where no root shows one. */
async function findByIndex(state: DiscoverState, roots: readonly string[]): Promise<Omit<FoundSite, "warnings"> | undefined> {
  const [start] = state.pages;
  const own = start === undefined ? undefined : parseSiteIndex(start.json);
  if (start !== undefined && own !== undefined) return toFoundSite(state, normalizeRoot(start.url), own);
  for (const root of roots) {
    const page = await tryFetchPage(state, buildUrl(root, "/", []));
    if (page === undefined) continue;
    state.pages.push(page);
    const index = parseSiteIndex(page.json);
    if (index === undefined) continue;
    page.hostChanges.forEach(state.addWarning);
    return toFoundSite(state, normalizeRoot(page.url), index);
  }
  return undefined;
}

/** The site by its interface alone: a server without an index, or with one that it hides. */
async function findByNamespace(state: DiscoverState, roots: readonly string[]): Promise<Omit<FoundSite, "warnings">> {
  const tec = state.pages.some((page) => page.headers["x-tec-api-root"] !== undefined);
  const wanted = state.options.namespace ?? (tec ? namespaces.theEventsCalendar : undefined);
  const tried = wanted === undefined ? [namespaces.interface, namespaces.theEventsCalendar] : [wanted];
  for (const root of roots) {
    for (const namespace of tried) {
      const page = await tryFetchPage(state, buildUrl(root, `/${namespace}`, []));
      if (page === undefined || !isApiResponse(page)) continue;
      if (page.status >= 400) state.addWarning(`${root} answers ${page.status} without a login, so the namespace ${namespace} is a guess`);
      return { base_url: root, ...detectServer(namespace, undefined), namespaces: [] };
    }
  }
  const trouble = state.pages.find(({ status }) => status === 429 || status >= 500);
  if (trouble !== undefined) {
    throw new CalError("unavailable", `${new URL(trouble.url).origin} answers ${trouble.status}, so nothing can be found there now`, {
      status: trouble.status,
      hint: retryAfterHint(trouble.headers),
    });
  }
  throw new CalError("local", `no calendar interface was found at ${roots[0]}: no REST root, and no ${tried.join(" or ")}`, {
    hint: { text: "give the REST root itself", command: "cal profile add <name> --base-url <url> --namespace <namespace>" },
  });
}

/** Whether a page is an answer of the interface: JSON, and either a success or a call for a login. */
function isApiResponse({ status, json }: FetchedPage): boolean {
  return isRecord(json) && ((status >= 200 && status < 300) || status === 401 || status === 403);
}

function toFoundSite({ options, addWarning }: DiscoverState, root: string, index: SiteIndex): Omit<FoundSite, "warnings"> {
  const known = [namespaces.interface, namespaces.theEventsCalendar].find((name) => index.namespaces.includes(name));
  const namespace = options.namespace ?? known;
  if (namespace === undefined) {
    const plugin = index.namespaces.includes("wp/v2") ? "it runs WordPress: is The Events Calendar installed and active there? If" : "if";
    throw new CalError(
      "local",
      `the site at ${root} has no calendar interface; its namespaces are ${index.namespaces.join(", ") || "none"}`,
      { hint: { text: `${plugin} one of them is the calendar's`, command: "cal init <url> --namespace <namespace>" } },
    );
  }
  if (!index.namespaces.includes(namespace))
    addWarning(`the site does not list the namespace ${namespace}; it lists ${index.namespaces.join(", ") || "none"}`);
  const found = { base_url: root, ...detectServer(namespace, index.authorization_page), ...index };
  if (found.auth_methods.length === 0) addWarning("the site offers no application passwords: they need https, and may be switched off");
  return found;
}

function detectServer(namespace: string, authorizationPage: string | undefined): Pick<FoundSite, "namespace" | "server" | "auth_methods"> {
  const application = authorizationPage === undefined ? [] : (["application-password"] as const);
  if (namespace === namespaces.theEventsCalendar) return { namespace, server: "the-events-calendar", auth_methods: application };
  return { namespace, server: "generic", auth_methods: ["password", "browser", ...application] };
}

/** A page that need not be there: undefined where it can't be read, so that the next place is tried. */
async function tryFetchPage(state: DiscoverState, url: string): Promise<FetchedPage | undefined> {
  try {
    return await fetchPage(state.options.send, url);
  } catch (error) {
    if (error instanceof CalError) return undefined;
    throw error;
  }
}

// Fetches what an address answers while a site is looked for, following redirects by hand.

/** An answer of any status, behind its redirects. */
interface FetchedPage {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON; undefined where it is none. */
  readonly json: unknown;
  readonly text: string;
  /** Changes of host on the way, in words. */
  readonly hostChanges: readonly string[];
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/** Reads an address with GET. Rejects with kind `local` for redirects that are not followed, else as the transport does. */
async function fetchPage(send: Transport, url: string): Promise<FetchedPage> {
  const hostChanges: string[] = [];
  let at = url;
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await send({ method: "GET", url: at, headers: { accept: "application/json, text/html;q=0.9, */*;q=0.8" } });
    const { location } = response.headers;
    if (!redirectStatuses.has(response.status) || location === undefined) return { ...(await toFetchedPage(at, response)), hostChanges };
    const next = resolveRedirect(at, location);
    if (new URL(next).host !== new URL(at).host) hostChanges.push(`${new URL(at).origin} redirects to ${new URL(next).origin}`);
    at = next;
  }
  throw new CalError("local", `${formatOriginAndPath(url)} redirects more than ${maxRedirects} times`, {
    hint: "give the address that a browser ends at",
  });
}

function resolveRedirect(from: string, location: string): string {
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const secure = new URL(from).protocol === "https:";
  if (next === undefined || !(next.protocol === "https:" || (next.protocol === "http:" && !secure))) {
    const to = next === undefined ? "no address" : `${next.protocol}//${next.host}`;
    throw new CalError("local", `${formatOriginAndPath(from)} redirects to ${to}, which is not followed`, {
      hint:
        next?.protocol === "http:"
          ? { text: "if that is right", command: `cal init ${next.origin}` }
          : "give the address that a browser ends at",
    });
  }
  next.hash = "";
  return next.href;
}

async function toFetchedPage(url: string, { status, headers, body }: HttpResponse): Promise<Omit<FetchedPage, "hostChanges">> {
  return { url, status, headers, json: await parseJsonOrUndefined(body), text: new TextDecoder().decode(body) };
}

async function parseJsonOrUndefined(body: Uint8Array): Promise<unknown> {
  try {
    return await parseJson(body);
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

function formatOriginAndPath(url: string): string {
  return `${new URL(url).origin}${new URL(url).pathname}`;
}

// Where the REST root of a site may be: what its pages say, and what is usual. Pure functions over addresses.

const apiLinkRelation = "https://api.w.org/";
const namespaceInUrl = new RegExp(`/(?:${namespaces.interface}|${namespaces.theEventsCalendar})(?:[/?&]|$)`);

/** {base_url} in its one form: no slash at its end, or `?rest_route=/`; every other part of a query is dropped. */
function normalizeRoot(address: string): string {
  const url = new URL(address);
  const path = url.searchParams.has("rest_route") ? `${url.pathname}?rest_route=/` : url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path}`;
}

/** Roots that a page names: in its Link header, in its HTML, in the header of The Events Calendar; the surest first. */
function findRootsInPage(page: FetchedPage): string[] {
  const named = [
    findLinkInHeader(page.headers["link"] ?? ""),
    findLinkInHtml(page.text),
    sliceBefore(page.headers["x-tec-api-root"], namespaceInUrl),
  ];
  return named.flatMap((address) => (address === undefined ? [] : resolveRoot(address, page.url)));
}

/** Roots that are usual for a site at an address, and the address itself, cut where a namespace begins. */
function getDefaultRoots(address: string): string[] {
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

// The index of a site's REST root -> what a profile needs to know of the site. The shape of the index is not shown in the interface.

/** What an index says; absent where it says nothing usable. */
interface SiteIndex {
  readonly namespaces: readonly string[];
  readonly name?: string;
  /** IANA name, `UTC`, or an offset such as `+02:00`. */
  readonly site_tz?: string;
  /** The page on which a user approves an application password. */
  readonly authorization_page?: string;
}

/** Reads an index; undefined where the value is none. The index of a single namespace is none. */
export function parseSiteIndex(value: unknown): SiteIndex | undefined {
  if (!isRecord(value) || typeof value["namespace"] === "string") return undefined;
  const namespaces = parseNamespaces(value);
  if (namespaces === undefined) return undefined;
  const tz = parseTimeZone(value);
  const page = getNestedValue(value, "authentication", "application-passwords", "endpoints", "authorization");
  const safe = typeof page === "string" && /^https?:\/\//i.test(page) && URL.canParse(page);
  return {
    namespaces,
    ...(typeof value["name"] === "string" && value["name"] !== "" ? { name: value["name"] } : {}),
    ...(tz === undefined ? {} : { site_tz: tz }),
    ...(safe ? { authorization_page: page } : {}),
  };
}

function parseNamespaces(index: DataRecord): string[] | undefined {
  const { namespaces, routes } = index;
  if (Array.isArray(namespaces)) return namespaces.filter((name) => typeof name === "string");
  if (!isRecord(routes)) return undefined;
  const names = Object.values(routes).map((route) => getNestedValue(route, "namespace"));
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))].map(String);
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
