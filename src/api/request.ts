// From a verb, a resource and its input to a request: pure, and the only place that knows the interface's paths.
import { type CalError, usageError } from "../errors.ts";
import type { Field, Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { shellQuote } from "../text.ts";

/** Field or filter values by the interface's names; what was not given is absent. */
export type Input = Readonly<Record<string, unknown>>;

/** The methods of an update; the interface has all three (section 4). */
export type UpdateMethod = "PATCH" | "PUT" | "POST";

/** `{ns}/<resource>` with the filters as a query (sections 4.2 to 4.6). */
export function buildListRequest(namespace: string, resource: Resource, filters: Input): ApiRequest {
  return { method: "GET", path: collectionPath(namespace, resource), query: buildQuery(resource.filters, filters) };
}

/** `{ns}/<resource>/{id}` or `{ns}/<resource>/by-slug/{slug}`. */
export function buildReadRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "GET", path: recordPath(namespace, resource, ref), query: [] };
}

/** POST of a body that `bodyOf` made. */
export function buildCreateRequest(namespace: string, resource: Resource, body: Input): ApiRequest {
  return { method: "POST", path: collectionPath(namespace, resource), query: [], body };
}

/** An update by id or slug. A by-slug body carries the path's slug where the interface asks for it (section 4.3) and the kind of server takes it. */
export function buildUpdateRequest(
  { namespace, serverProfile }: { readonly namespace: string; readonly serverProfile: ServerProfile },
  resource: Resource,
  ref: PathRef,
  method: UpdateMethod,
  body: Input,
): ApiRequest {
  const own = ref.by === "slug" && resource.slugInBody && serverProfile.slugInBody ? { slug: decodeSlug(ref.slug), ...body } : body;
  return { method, path: recordPath(namespace, resource, ref), query: [], body: own };
}

/** DELETE by id or slug; no parameters beyond the path. */
export function buildDeleteRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "DELETE", path: recordPath(namespace, resource, ref), query: [] };
}

function collectionPath(namespace: string, resource: Resource): string {
  return `/${namespace}/${resource.name}`;
}

function recordPath(namespace: string, resource: Resource, ref: PathRef): string {
  const last = ref.by === "id" ? ref.id : `by-slug/${encodeSlug(ref.slug)}`;
  return `${collectionPath(namespace, resource)}/${last}`;
}

/** Arrays go as `name[]=1&name[]=2`, in the order of the interface's table. */
function buildQuery(filters: readonly Field[], input: Input): Query {
  return filters.flatMap(({ name }) => {
    const value = input[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((item) => [`${name}[]`, String(item)] as const);
    return [[name, String(value)] as const];
  });
}

// From a request of the interface to a URL of a site: pretty permalinks, and the `?rest_route=` form of sites without them.

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
function encodeSlug(slug: string): string {
  if (!isSlug(slug)) {
    throw usageError(`${JSON.stringify(slug)} can't be a slug: a slug is a text without a slash`, {
      text: "slugs are in the last column of",
      command: "cal events list --wide",
    });
  }
  return percentEncode(decodeSlug(slug));
}

/** Whether a text can stand in a path as a slug. */
function isSlug(text: string): boolean {
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

// The calendar interface as a function: a request of our own kind in, a parsed reply out.

/** Query parameters in the order in which they are sent; arrays are several pairs of `name[]`. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request of the interface, not yet bound to a site. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to {base_url}, with its leading slash, percent-encoded: `/calendar/events/v1/events/12`. */
  readonly path: string;
  readonly query: Query;
  /** Sent as JSON. Absent is no body. */
  readonly body?: unknown;
}

/** A successful answer, its JSON parsed. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** Reads an answer that has come; rejects with a CalError for every one that is not a success. */
export type LazyReply = () => Promise<ApiReply>;

/** Sends requests. */
export interface Client {
  /** The answer, read; rejects with a CalError for every one that is not a success. */
  send(request: ApiRequest): Promise<ApiReply>;
  /** The answer as bytes, to be read once, when it is wanted; rejects where none came. */
  fetch(request: ApiRequest): Promise<LazyReply>;
}

// How a user points at a record: by id, by slug, or by name.

/** A ref that can be put into a path. */
export type PathRef = { readonly by: "id"; readonly id: string } | { readonly by: "slug"; readonly slug: string };

/** A ref as it was typed; a name has to be looked up first. */
export type Ref = PathRef | { readonly by: "name"; readonly name: string };

/**
 * What a slug has that nobody took for a name: a server makes a slug of anything else before it looks for it, and finds another record.
 * Beyond ASCII a WordPress site keeps all but capitals, blanks, dashes and quotes.
 */
const bareSlugPattern = /^(?:[a-z0-9_-]|(?![\p{Lu}\p{Lt}\p{C}\p{Z}\p{Pd}\p{Pi}\p{Pf}])\P{ASCII})+$/u;

/** Whether a text is taken for a slug without `slug:` before it; percent-encoding aside. */
export function isBareSlug(text: string): boolean {
  return bareSlugPattern.test(decodeSlug(text));
}

/** Reads `123`, `#123`, `id:123`, `slug:jazz-night`, `jazz-night`, `name:Blue Note`. Throws a usage error for what can't be a ref. */
export function parseRef(text: string): Ref {
  const given = text.trim();
  const [, kind, rest] = /^(id|slug|name):(.*)$/s.exec(given) ?? [undefined, undefined, given];
  const value = (rest ?? "").trim().replace(/^"(.*)"$/s, "$1");
  if (value === "")
    throw usageError(`${JSON.stringify(text)} is no ref: it is empty`, 'a ref is 123, slug:jazz-night, jazz-night or name:"Blue Note"');
  if (kind === "id" || (kind === undefined && /^#?\d+$/.test(value))) {
    const id = value.replace(/^#/, "");
    if (!/^\d+$/.test(id)) throw usageError(`${JSON.stringify(text)} is no ref: an id is digits only`);
    return { by: "id", id };
  }
  if (kind === undefined && /^#?\d+(?:\s*[,;]\s*#?\d+)+$/.test(value))
    throw usageError(
      `${JSON.stringify(text)} is several ids in one word`,
      `write them with spaces between them: ${value.match(/\d+/g)?.join(" ")}`,
    );
  if (kind === "name") return { by: "name", name: value };
  if (kind === undefined && !isBareSlug(value)) throw bareSlugError(value);
  encodeSlug(value);
  return { by: "slug", slug: value };
}

function bareSlugError(text: string): CalError {
  const byName = `by its name: ${shellQuote(`name:${text}`)}`;
  const hint = isSlug(text) ? `${byName}; by exactly this slug: ${shellQuote(`slug:${text}`)}` : byName;
  return usageError(`${JSON.stringify(text)} is no ref as it stands: a bare slug has lower-case letters, digits, - and _ only`, hint);
}
