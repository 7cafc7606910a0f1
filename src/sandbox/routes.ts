// The calendar interface over requests: finds the REST path, the caller, the route and the verb.
import type { Resource, Verb } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { parseBearerHeader } from "./auth/tokens.ts";
import { createApiError, createNoRouteError, jsonResponse, type SandboxRequest, type SandboxResponse } from "./http.ts";
import { type Params, type Payload, parseParameters, parsePayload } from "./parameters.ts";
import type { Site } from "./site.ts";
import {
  createCurrentUserResponse,
  createNamespaceIndex,
  createOpenApiDocument,
  createRestIndex,
  describeResourceRoutes,
  renderFrontPage,
} from "./site-documents.ts";
import type { Store, StoreReader, StoreWriter, User } from "./store.ts";

/** A kind of server: its verbs, and how it tells who calls. */
interface ServerEmulation {
  readonly handlers: VerbHandlers;
  authenticate(data: StoreReader, authorization: string | undefined, now: number): User | undefined;
}

/** What answers the calendar's requests. */
export interface CalendarService {
  readonly site: Site;
  readonly store: Store;
  readonly emulation: ServerEmulation;
  /** The sandbox's own access: it works on both kinds of server, so that `--sandbox` needs no login. */
  readonly token: string;
}

/** Answers a request to the REST interface; undefined for any other path. */
export async function handleCalendarRequest(calendar: CalendarService, request: SandboxRequest): Promise<SandboxResponse | undefined> {
  const query = parseParameters(request.query);
  const path = parseRestPath(request, query);
  if (path === undefined) return undefined;
  // Recorded: without pretty addresses these are web pages, whatever the method.
  if (calendar.site.permalinks === "plain" && path.pretty) return handlePlainPermalinkRequest(calendar.site, request);
  const { rest_route: _, ...others } = query;
  return handleRestRequest(calendar, { ...request, method: resolveMethod(calendar.site, request, query) }, path.route, others);
}

function handlePlainPermalinkRequest(site: Site, { method, path }: SandboxRequest): SandboxResponse {
  const isRoute = (method === "GET" || method === "HEAD") && /^\/wp-json\/.*[^/]$/.test(path);
  return isRoute ? { status: 301, headers: { location: `${site.origin}${path}/` }, body: "" } : renderFrontPage(site, 200);
}

function parseRestPath(
  { path }: SandboxRequest,
  { rest_route: route }: Params,
): { readonly route: string; readonly pretty: boolean } | undefined {
  if ((path === "/" || path === "/index.php") && typeof route === "string") return { route, pretty: false };
  const pretty = /^\/+wp-json(\/.*)?$/.exec(path);
  return pretty === null ? undefined : { route: pretty[1] ?? "/", pretty: true };
}

/** WordPress lets a POST stand for another method. */
function resolveMethod(site: Site, { method, headers }: SandboxRequest, query: Params): string {
  const override = query["_method"] ?? (method === "POST" ? headers["x-http-method-override"] : undefined);
  return site.serverProfile === "the-events-calendar" && typeof override === "string" ? override.toUpperCase() : method;
}

async function handleRestRequest(
  calendar: CalendarService,
  request: SandboxRequest,
  path: string,
  query: Params,
): Promise<SandboxResponse> {
  const { site, store } = calendar;
  const identify = (data: StoreReader): User | undefined => authenticateCaller(calendar, data, request.headers["authorization"]);
  if (path === "/" && isReadRequest(request)) {
    if (site.serverProfile === "the-events-calendar") await store.read(identify);
    return createRestIndex(site);
  }
  if (site.serverProfile === "the-events-calendar" && path.replace(/\/$/, "") === "/wp/v2/users/me" && isReadRequest(request)) {
    return store.read((data) => createCurrentUserResponse(site, identify(data), query["context"]));
  }
  const prefix = `/${site.namespace}`;
  const within = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : undefined;
  if (within === undefined || (within !== "" && !within.startsWith("/"))) throw createNoRouteError();
  // Who calls is asked first: a wrong password fails every path.
  const user = await store.read(identify);
  const route = parseRoute(within);
  if (route === undefined) throw createNoRouteError();
  if (route.kind === "record" && request.method === "OPTIONS")
    return jsonResponse(200, { namespace: site.namespace, routes: describeResourceRoutes(route.resource) });
  if (route.kind !== "record") return handleNamespaceRequest(site, route.kind, request, query);
  const verb = resolveVerb(request.method, route.target);
  if (verb === undefined) throw createNoRouteError();
  const call = { ...route, site, user, query, payload: parsePayload(request) };
  const answer = await callHandler(calendar, verb, call);
  return site.serverProfile === "the-events-calendar"
    ? { ...answer, headers: { ...answer.headers, allow: getAllowedMethods(user, route.target !== undefined) } }
    : answer;
}

function isReadRequest({ method }: SandboxRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function authenticateCaller(
  { site, emulation, token }: CalendarService,
  data: StoreReader,
  authorization: string | undefined,
): User | undefined {
  if (parseBearerHeader(authorization) === token) return data.find("users", 1);
  return emulation.authenticate(data, authorization, site.now());
}

function handleNamespaceRequest(site: Site, kind: "root" | "doc", request: SandboxRequest, query: Params): SandboxResponse {
  if (!isReadRequest(request)) throw createNoRouteError();
  if (kind === "doc") return jsonResponse(200, createOpenApiDocument(site));
  const { namespace = site.namespace, context = "view" } = query;
  if (namespace !== site.namespace) throw createApiError(404, "rest_invalid_namespace", "The specified namespace could not be found.");
  if (!["view", "embed", "edit", "help"].includes(String(context)))
    throw createApiError(400, "rest_invalid_param", "Invalid parameter(s): context", {
      params: { context: "context is not one of view, embed, edit, help." },
    });
  return jsonResponse(200, createNamespaceIndex(site));
}

interface RoutedRequestWithoutData extends Omit<RoutedRequest, "data"> {
  readonly payload: Payload;
}

function callHandler(
  { store, emulation: { handlers } }: CalendarService,
  verb: Verb,
  call: RoutedRequestWithoutData,
): Promise<SandboxResponse> {
  if (verb === "list" || verb === "get") return store.read((data) => handlers[verb]({ ...call, data }));
  return store.write((data: StoreWriter) => handlers[verb]({ ...call, data } satisfies RoutedWriteRequest));
}

/** What this caller may do here, as WordPress tells it. */
function getAllowedMethods(user: User | undefined, isRecord: boolean): string {
  if (user === undefined || user.role === "subscriber") return "GET";
  return isRecord ? "GET, DELETE, POST, PUT, PATCH" : "GET, POST";
}

// From a REST path and a method to what is asked for; the routes are read from the spec.

/** A route of the namespace. */
type Route =
  | { readonly kind: "root" }
  | { readonly kind: "doc" }
  | { readonly kind: "record"; readonly resource: Resource; readonly target?: Target };

/** The verbs by method, on a collection and on a record (section 4; OPTIONS describes a route). */
const collectionVerbs: Readonly<Record<string, Verb>> = { GET: "list", HEAD: "list", POST: "create" };
const recordVerbs: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "update",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

/** What a path relative to the namespace means (`/events/12`), or undefined. Upper case and one slash at the end don't matter. */
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

/** The verb that a method means on a route; undefined is no route, as real servers say it. */
function resolveVerb(method: string, target: Target | undefined): Verb | undefined {
  const verbs = target === undefined ? collectionVerbs : recordVerbs;
  return Object.hasOwn(verbs, method) ? verbs[method] : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// A request of the calendar interface, routed: what the verbs of both kinds of server are called with.

/** The record that the path names; a slug is decoded, as the caller spelled it. */
type Target = { readonly by: "id"; readonly id: number } | { readonly by: "slug"; readonly slug: string };

/** A call that reads. */
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

/** A call that writes. */
export interface RoutedWriteRequest extends RoutedRequest {
  readonly data: StoreWriter;
}

/** One function for each verb, over any resource. */
export interface VerbHandlers {
  list(call: RoutedRequest): SandboxResponse;
  get(call: RoutedRequest): SandboxResponse;
  create(call: RoutedWriteRequest): SandboxResponse;
  update(call: RoutedWriteRequest): SandboxResponse;
  delete(call: RoutedWriteRequest): SandboxResponse;
}
