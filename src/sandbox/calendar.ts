// The calendar interface over requests: finds the REST path, the caller, the route and the verb.
import type { Verb } from "../spec/resource.ts";
import { parseBearerHeader } from "./auth/credentials.ts";
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "./call.ts";
import { type Params, parseParameters } from "./parameters.ts";
import { type Payload, parsePayload } from "./payload.ts";
import { createApiError, createNoRouteError } from "./problems.ts";
import { parseRoute, resolveVerb } from "./routes.ts";
import { createNamespaceIndex, describeResourceRoutes } from "./site/description.ts";
import { createCurrentUserResponse, createRestIndex, renderFrontPage } from "./site/front.ts";
import { createOpenApiDocument } from "./site/openapi.ts";
import type { Site } from "./site/site.ts";
import type { StoreReader, StoreWriter } from "./store/memory.ts";
import type { Store } from "./store/store.ts";
import type { User } from "./store/tables.ts";
import { jsonResponse, type SandboxRequest, type SandboxResponse } from "./wire.ts";

/** A kind of server: its verbs, and how it tells who calls. */
export interface ServerEmulation {
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
