// The calendar interface over requests: finds the REST path, the caller, the route and the verb.
import type { Resource, Verb } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { parseBearerHeader } from "./auth/tokens.ts";
import {
  createApiError,
  createNoRouteError,
  jsonResponse,
  type Params,
  type Payload,
  parseParameters,
  parsePayload,
  type SandboxRequest,
  type SandboxResponse,
} from "./http.ts";
import {
  createCurrentUserResponse,
  createNamespaceIndex,
  createOpenApiDocument,
  createRestIndex,
  describeResourceRoutes,
  renderFrontPage,
  type Site,
} from "./site.ts";
import type { Store, StoreReader, StoreWriter, User } from "./store.ts";

export interface CalendarService {
  readonly site: Site;
  readonly store: Store;
  /** The verbs of the server profile, and its authentication. */
  readonly emulation: {
    readonly handlers: VerbHandlers;
    authenticate(data: StoreReader, authorization: string | undefined, now: number): User | undefined;
    /** The routes of `wp/v2`, where there are some. */
    readonly core?: CoreHandlers;
  };
  /** The sandbox's own access: every server profile accepts it, so that `--sandbox` needs no login. */
  readonly token: string;
}

export interface VerbHandlers {
  list(call: RoutedRequest): SandboxResponse;
  get(call: RoutedRequest): SandboxResponse;
  create(call: RoutedWriteRequest): SandboxResponse;
  update(call: RoutedWriteRequest): SandboxResponse;
  delete(call: RoutedWriteRequest): SandboxResponse;
}

export interface CoreHandlers {
  read(call: CoreRequest): SandboxResponse;
  update(call: CoreWriteRequest): SandboxResponse;
}

export interface CoreRequest {
  readonly site: Site;
  readonly data: StoreReader;
  /** Undefined for anonymous calls. */
  readonly user: User | undefined;
  readonly method: string;
  /** `/wp/v2/tribe_events/12` */
  readonly path: string;
  readonly query: Params;
  readonly payload: Payload;
  readonly headers: SandboxRequest["headers"];
  /** Of a picture each character is a byte. */
  readonly body: string;
}

export interface CoreWriteRequest extends CoreRequest {
  readonly data: StoreWriter;
}

export interface RoutedRequest {
  readonly site: Site;
  readonly data: StoreReader;
  /** Undefined for anonymous calls. */
  readonly user: User | undefined;
  readonly resource: Resource;
  /** Absent on collections. */
  readonly target?: Target;
  readonly query: Params;
  readonly payload: Payload;
}

export interface RoutedWriteRequest extends RoutedRequest {
  readonly data: StoreWriter;
}

/** The record that the path names; the slug is decoded. */
type Target = { readonly by: "id"; readonly id: number } | { readonly by: "slug"; readonly slug: string };

/** Answers a request to the REST interface; undefined for any other path. */
export async function handleCalendarRequest(calendar: CalendarService, request: SandboxRequest): Promise<SandboxResponse | undefined> {
  const { site } = calendar;
  const { method, path } = request;
  const { rest_route: plainRoute, ...query } = parseParameters(request.query);
  const prettyRoute = /^\/+wp-json(\/.*)?$/.exec(path);
  let route = prettyRoute?.[1] ?? "/";
  if ((path === "/" || path === "/index.php") && typeof plainRoute === "string") route = plainRoute;
  else if (prettyRoute === null) return undefined;
  // Recorded: without pretty addresses these are web pages, whatever the method.
  else if (site.permalinks === "plain") {
    const isRedirected = isRead(method) && /^\/wp-json\/.*[^/]$/.test(path);
    return isRedirected ? { status: 301, headers: { location: `${site.origin}${path}/` }, body: "" } : renderFrontPage(site, 200);
  }
  // WordPress lets a POST stand for another method.
  const override = query["_method"] ?? (method === "POST" ? request.headers["x-http-method-override"] : undefined);
  const isOverridden = site.serverProfile === "the-events-calendar" && typeof override === "string";
  return handleRestRequest(calendar, { ...request, method: isOverridden ? override.toUpperCase() : method }, route, query);
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

async function handleRestRequest(
  { site, store, emulation, token }: CalendarService,
  request: SandboxRequest,
  path: string,
  query: Params,
): Promise<SandboxResponse> {
  const { method } = request;
  const isWordPress = site.serverProfile === "the-events-calendar";
  const authorization = request.headers["authorization"];
  const identify = (data: StoreReader): User | undefined =>
    parseBearerHeader(authorization) === token ? data.find("users", 1) : emulation.authenticate(data, authorization, site.now());
  if (path === "/" && isRead(method)) {
    if (isWordPress) await store.read(identify);
    return createRestIndex(site);
  }
  if (isWordPress && path.replace(/\/$/, "") === "/wp/v2/users/me" && isRead(method))
    return store.read((data) => createCurrentUserResponse(site, identify(data), query["context"]));

  if (emulation.core !== undefined && path.startsWith("/wp/v2/")) {
    const { core } = emulation;
    const user = await store.read(identify);
    const { headers, body } = request;
    const call = { site, user, method, path, query, payload: parsePayload(request), headers, body };
    return isRead(method) ? store.read((data) => core.read({ ...call, data })) : store.write((data) => core.update({ ...call, data }));
  }

  const prefix = `/${site.namespace}`;
  const within = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : undefined;
  if (within === undefined || (within !== "" && !within.startsWith("/"))) throw createNoRouteError();
  // The caller is identified before the route: a wrong password fails on every path.
  const user = await store.read(identify);
  const route = parseRoute(within);
  if (route === undefined) throw createNoRouteError();
  if (route.kind !== "record") return handleNamespaceRequest(site, route.kind, method, query);

  const { resource, target } = route;
  if (method === "OPTIONS") return jsonResponse(200, { namespace: site.namespace, routes: describeResourceRoutes(resource) });
  const verbs = target === undefined ? collectionVerbs : recordVerbs;
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (verb === undefined) throw createNoRouteError();
  const call = { ...route, site, user, query, payload: parsePayload(request) };
  const answer =
    verb === "list" || verb === "get"
      ? await store.read((data) => emulation.handlers[verb]({ ...call, data }))
      : await store.write((data) => emulation.handlers[verb]({ ...call, data }));
  if (!isWordPress) return answer;
  // Recorded: the methods that this caller may use here.
  const allow =
    user === undefined || user.role === "subscriber" ? "GET" : target === undefined ? "GET, POST" : "GET, DELETE, POST, PUT, PATCH";
  return { ...answer, headers: { ...answer.headers, allow } };
}

function handleNamespaceRequest(site: Site, kind: "root" | "doc", method: string, query: Params): SandboxResponse {
  if (!isRead(method)) throw createNoRouteError();
  if (kind === "doc") return jsonResponse(200, createOpenApiDocument(site));
  const { namespace = site.namespace, context = "view" } = query;
  if (namespace !== site.namespace) throw createApiError(404, "rest_invalid_namespace", "The specified namespace could not be found.");
  if (!["view", "embed", "edit", "help"].includes(String(context)))
    throw createApiError(400, "rest_invalid_param", "Invalid parameter(s): context", {
      params: { context: "context is not one of view, embed, edit, help." },
    });
  return jsonResponse(200, createNamespaceIndex(site));
}

/** The verbs by method (section 4). */
const collectionVerbs: Readonly<Record<string, Verb>> = { GET: "list", HEAD: "list", POST: "create" };
const recordVerbs: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "update",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

type Route =
  | { readonly kind: "root" }
  | { readonly kind: "doc" }
  | { readonly kind: "record"; readonly resource: Resource; readonly target?: Target };

/** The route of a path relative to the namespace (`/events/12`), in any case and with or without a slash at its end. */
function parseRoute(path: string): Route | undefined {
  const [, ...segments] = path.replace(/\/$/, "").split("/");
  const [first = "", second, third, ...more] = segments;
  const word = first.toLowerCase();
  if (segments.length === 0) return { kind: "root" };
  if (word === "doc" && second === undefined) return { kind: "doc" };
  const resource = Object.values(resources).find(({ name }) => name === word);
  if (resource === undefined || more.length > 0) return undefined;
  if (second === undefined) return { kind: "record", resource };
  if (third === undefined) return /^\d+$/.test(second) ? { kind: "record", resource, target: { by: "id", id: Number(second) } } : undefined;
  const slug = decodeSegment(third);
  if (!resource.bySlug || second.toLowerCase() !== "by-slug" || slug === undefined || slug === "") return undefined;
  return { kind: "record", resource, target: { by: "slug", slug } };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
