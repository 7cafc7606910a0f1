// Finds the calendar interface of a website: from an address that a person knows to what a profile stores.
import { CalError, usageError } from "../../errors.ts";
import { isLoopback, NetworkError, type Transport } from "../../http/transport.ts";
import type { AuthMethod } from "../../spec/auth.ts";
import { namespaces } from "../../spec/index.ts";
import type { ServerProfileName } from "../../spec/server-kinds.ts";
import { buildUrl } from "../address.ts";
import { retryAfterHint } from "../problems/outcome.ts";
import { isRecord } from "../record.ts";
import { type FetchedPage, fetchPage } from "./page.ts";
import { findRootsInPage, getDefaultRoots, normalizeRoot } from "./roots.ts";
import { parseSiteIndex, type SiteIndex } from "./site-index.ts";

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
export interface DiscoverOptions {
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
    throw usageError("that is no address of a website", "cal init https://www.example.com");
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
    hint: "give the REST root itself: cal profile add <name> --base-url <url> --namespace <namespace>",
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
      { hint: `${plugin} one of them is the calendar's: cal init <url> --namespace <namespace>` },
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
