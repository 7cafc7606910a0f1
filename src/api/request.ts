// Requests of the calendar interface: their paths, queries, bodies and URLs, and the refs that users type for records.
import { type DataRecord, isRecord } from "../data-record.ts";
import { usageError } from "../errors.ts";
import type { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { normalizeText, shellQuote } from "../text.ts";

/** A request of the interface, without the address of a site. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to {base_url}, with its leading slash, percent-encoded: `/calendar/events/v1/events/12`. */
  readonly path: string;
  readonly query: Query;
  /** Sent as JSON; absent for no body. */
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly file?: UploadFile;
  /** A site may lack this path: then its namespaces are not looked up for the message. */
  readonly optional?: true;
}

/** A file that is uploaded. */
export interface UploadFile {
  /** In ASCII. */
  readonly name: string;
  /** `image/png` */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Of its bytes, in hex. */
  readonly sha256: string;
  /** Its bytes, which are in no plan and in no journal. Rejects where the file is no longer the same. */
  readonly read: () => Promise<Uint8Array>;
}

/** Query parameters in the order in which they are sent; an array is several pairs of `name[]`. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A successful answer, with its JSON parsed. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** Parses an answer that has come, once; rejects with a CalError where it is not a success. */
export type LazyReply = () => Promise<ApiReply>;

export interface Client {
  /** Sends a read. Rejects with a CalError where there is no answer or it is not a success. */
  send(request: ApiRequest): Promise<ApiReply>;
  /** Like `send`, for any method. Under --dry-run a write is not sent: resolves with the request. */
  write(request: ApiRequest): Promise<ApiReply | PlannedRequest>;
  /** The answer as bytes, parsed when it is needed; rejects where there is no answer. */
  fetch(request: ApiRequest): Promise<LazyReply>;
}

/** Field or filter values by the interface's names; only those that were set. */
export type Input = Readonly<Record<string, unknown>>;

/** The methods of an update; the interface has all three (section 4). */
export type UpdateMethod = "PATCH" | "PUT" | "POST";

/** `{ns}/<resource>` with the filters as a query (sections 4.2 to 4.6), in the order of the interface's table. */
export function buildListRequest(namespace: string, resource: Resource, filters: Input): ApiRequest {
  const query = resource.filters.flatMap(({ name }): Query => {
    const value = filters[name];
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((item) => [`${name}[]`, String(item)]) : [[name, String(value)]];
  });
  return { method: "GET", path: buildPath(namespace, resource), query };
}

/** What the requests of a write depend on. */
interface WriteTarget {
  readonly namespace: string;
  readonly serverProfile: ServerProfile;
}

export function buildReadRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "GET", path: buildPath(namespace, resource, ref), query: [] };
}

export function buildCreateRequest({ namespace, serverProfile }: WriteTarget, resource: Resource, body: Input): ApiRequest {
  return { method: "POST", path: buildPath(namespace, resource), query: [], body: escapeTexts(resource, body, serverProfile) };
}

/** A by-slug body has the path's slug where the interface (section 4.3) and the server profile want it. */
export function buildUpdateRequest(
  { namespace, serverProfile }: WriteTarget,
  resource: Resource,
  ref: PathRef,
  method: UpdateMethod,
  body: Input,
): ApiRequest {
  const hasSlug = ref.by === "slug" && resource.slugInBody && serverProfile.slugInBody;
  const path = buildPath(namespace, resource, ref);
  const escaped = escapeTexts(resource, body, serverProfile);
  return { method, path, query: [], body: hasSlug ? { slug: decodeSlug(ref.slug), ...escaped } : escaped };
}

/** The body with doubled backslashes, where the server removes one level of them; linked data in it too. */
function escapeTexts({ name }: Resource, body: Input, { stripsBackslashes }: ServerProfile): Input {
  if (!stripsBackslashes.includes(name)) return body;
  const escapeValue = (value: unknown): unknown => {
    if (typeof value === "string") return doubleBackslashes(value);
    if (Array.isArray(value)) return value.map(escapeValue);
    return isRecord(value) ? escapeRecord(value) : value;
  };
  const escapeRecord = (record: DataRecord) => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, escapeValue(value)]));
  return escapeRecord(body);
}

export function doubleBackslashes(text: string): string {
  return text.replaceAll("\\", "\\\\");
}

export function buildDeleteRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "DELETE", path: buildPath(namespace, resource, ref), query: [] };
}

/** `{ns}/<resource>`, `{ns}/<resource>/{id}` or `{ns}/<resource>/by-slug/{slug}`. */
function buildPath(namespace: string, { name }: Resource, ref?: PathRef): string {
  const record = ref === undefined ? "" : ref.by === "id" ? `/${ref.id}` : `/by-slug/${encodeSlug(ref.slug)}`;
  return `/${namespace}/${name}${record}`;
}

/** The URL of `path` (with its leading slash, percent-encoded) below {base_url}. */
export function buildUrl(baseUrl: string, path: string, query: Query): string {
  return createUrlBuilder(baseUrl)(path, query);
}

/** The same for many paths. Sites without pretty permalinks have the path in `?rest_route=`. */
export function createUrlBuilder(baseUrl: string): (path: string, query: Query) => string {
  const base = new URL(baseUrl);
  const route = base.searchParams.get("rest_route");
  const others = [...base.searchParams].filter(([name]) => name !== "rest_route").map(([name, value]) => `${name}=${percentEncode(value)}`);
  // The brackets of `name[]` stay readable; servers accept both forms.
  const encodeName = (name: string) => percentEncode(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
  const encodePairs = (query: Query) => query.map(([name, value]) => `${encodeName(name)}=${percentEncode(value)}`);
  base.search = "";
  const root = base.href.replace(/\/+$/, "");
  if (route === null) return (path, query) => `${root}${path}${query.length === 0 ? "" : `?${encodePairs(query).join("&")}`}`;
  // The path is percent-encoded already, as a query value must be.
  const start = encodeURI(route).replace(/\/+$/, "");
  return (path, query) => {
    base.search = [`rest_route=${start}${path}`, ...others, ...encodePairs(query)].join("&");
    return base.href;
  };
}

/** A lone surrogate, which encodeURIComponent refuses, is replaced. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** A slug as one path segment, encoded once, also where the server returned it encoded. Section 1: any text without a slash. */
function encodeSlug(slug: string): string {
  if (isSlug(slug)) return percentEncode(decodeSlug(slug));
  throw usageError(`${JSON.stringify(slug)} can't be a slug: a slug is a text without a slash`, {
    text: "slugs are in the last column of",
    command: "cal events list --wide",
  });
}

/** Whether a text can be a part of a path as a slug. */
export function isSlug(text: string): boolean {
  const decoded = decodeSlug(text);
  return decoded !== "" && decoded !== "." && decoded !== ".." && !decoded.includes("/");
}

/** A slug for comparisons: decoded, in Unicode normal form. */
export function normalizeSlug(slug: string): string {
  return normalizeText(decodeSlug(slug), "NFC");
}

/** A slug without its percent-encoding; a text with an invalid encoding is returned as it is. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** A ref that can be put into a path. */
export type PathRef = { readonly by: "id"; readonly id: string } | { readonly by: "slug"; readonly slug: string };

/** How a user names a record; a name has to be looked up first. */
export type Ref = PathRef | { readonly by: "name"; readonly name: string };

/**
 * Texts that are slugs and not names: a server makes a slug of any other text before it looks for it, and finds another record.
 * Beyond ASCII a WordPress site keeps all characters except capitals, spaces, dashes and quotes.
 */
const bareSlugPattern = /^(?:[a-z0-9_-]|(?![\p{Lu}\p{Lt}\p{C}\p{Z}\p{Pd}\p{Pi}\p{Pf}])\P{ASCII})+$/u;

/** Whether a text without `slug:` before it is a slug. */
export function isBareSlug(text: string): boolean {
  return bareSlugPattern.test(decodeSlug(text));
}

/** Reads `123`, `#123`, `id:123`, `slug:jazz-night`, `jazz-night`, `name:Blue Note`. Throws a usage error for any other text. */
export function parseRef(text: string): Ref {
  const trimmed = text.trim();
  const [, kind, rest = trimmed] = /^(id|slug|name):(.*)$/s.exec(trimmed) ?? [];
  const value = rest.trim().replace(/^"(.*)"$/s, "$1");
  if (value === "")
    throw usageError(`${JSON.stringify(text)} is not a ref: it is empty`, 'a ref is 123, slug:jazz-night, jazz-night or name:"Blue Note"');
  if (kind === "id" || (kind === undefined && /^#?\d+$/.test(value))) {
    const id = value.replace(/^#/, "");
    if (!/^\d+$/.test(id)) throw usageError(`${JSON.stringify(text)} is not a ref: an id is digits only`);
    return { by: "id", id };
  }
  if (kind === "name") return { by: "name", name: value };
  if (kind === undefined && /^#?\d+(?:\s*[,;]\s*#?\d+)+$/.test(value)) {
    const ids = value.match(/\d+/g)?.join(" ");
    throw usageError(`${JSON.stringify(text)} is several ids in one word`, `write them with spaces between them: ${ids}`);
  }
  if (kind === undefined && !isBareSlug(value)) {
    const byName = `by its name: ${shellQuote(`name:${value}`)}`;
    const hint = isSlug(value) ? `${byName}; by exactly this slug: ${shellQuote(`slug:${value}`)}` : byName;
    throw usageError(`${JSON.stringify(value)} is not a ref: a bare slug has only a-z, 0-9, - and _`, hint);
  }
  encodeSlug(value);
  return { by: "slug", slug: value };
}
