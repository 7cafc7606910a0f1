// The calendar interface over requests: finds the REST path, the caller, the route and the verb.
import type { Verb } from "../spec/resource.ts";
import { bearerOf } from "./auth/credentials.ts";
import type { Call, Verbs, WriteCall } from "./call.ts";
import { type Params, parameters } from "./parameters.ts";
import { type Payload, payload } from "./payload.ts";
import { noRoute, problem } from "./problems.ts";
import { routeOf, verbOf } from "./routes.ts";
import { descriptionsOf, namespaceIndex } from "./site/description.ts";
import { frontPage, restIndex, usersMe } from "./site/front.ts";
import { openapi } from "./site/openapi.ts";
import type { Site } from "./site/site.ts";
import type { Data, Draft } from "./store/memory.ts";
import type { Store } from "./store/store.ts";
import type { User } from "./store/tables.ts";
import { type Answer, type Incoming, json } from "./wire.ts";

/** A kind of server: its verbs, and how it tells who calls. */
export interface Kind {
  readonly verbs: Verbs;
  userOf(data: Data, authorization: string | undefined, now: number): User | undefined;
}

/** What answers the calendar's requests. */
export interface Calendar {
  readonly site: Site;
  readonly store: Store;
  readonly kind: Kind;
  /** The sandbox's own access: it works on both kinds of server, so that `--sandbox` needs no login. */
  readonly token: string;
}

/** Answers a request to the REST interface; undefined for any other path. */
export async function calendarAnswer(calendar: Calendar, request: Incoming): Promise<Answer | undefined> {
  const query = parameters(request.query);
  const path = restPath(request, query);
  if (path === undefined) return undefined;
  // Recorded: without pretty addresses these are web pages, whatever the method.
  if (calendar.site.permalinks === "plain" && path.pretty) return plainPage(calendar.site, request);
  const { rest_route: _, ...others } = query;
  return answered(calendar, { ...request, method: methodOf(calendar.site, request, query) }, path.route, others);
}

function plainPage(site: Site, { method, path }: Incoming): Answer {
  const isRoute = (method === "GET" || method === "HEAD") && /^\/wp-json\/.*[^/]$/.test(path);
  return isRoute ? { status: 301, headers: { location: `${site.origin}${path}/` }, body: "" } : frontPage(site, 200);
}

function restPath({ path }: Incoming, { rest_route: route }: Params): { readonly route: string; readonly pretty: boolean } | undefined {
  if ((path === "/" || path === "/index.php") && typeof route === "string") return { route, pretty: false };
  const pretty = /^\/+wp-json(\/.*)?$/.exec(path);
  return pretty === null ? undefined : { route: pretty[1] ?? "/", pretty: true };
}

/** WordPress lets a POST stand for another method. */
function methodOf(site: Site, { method, headers }: Incoming, query: Params): string {
  const override = query["_method"] ?? (method === "POST" ? headers["x-http-method-override"] : undefined);
  return site.habits === "the-events-calendar" && typeof override === "string" ? override.toUpperCase() : method;
}

async function answered(calendar: Calendar, request: Incoming, path: string, query: Params): Promise<Answer> {
  const { site, store } = calendar;
  const identify = (data: Data): User | undefined => callerOf(calendar, data, request.headers["authorization"]);
  if (path === "/" && isReading(request)) {
    if (site.habits === "the-events-calendar") await store.read(identify);
    return restIndex(site);
  }
  if (site.habits === "the-events-calendar" && path.replace(/\/$/, "") === "/wp/v2/users/me" && isReading(request)) {
    return store.read((data) => usersMe(site, identify(data), query["context"]));
  }
  const prefix = `/${site.namespace}`;
  const within = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : undefined;
  if (within === undefined || (within !== "" && !within.startsWith("/"))) throw noRoute();
  // Who calls is asked first: a wrong password fails every path.
  const user = await store.read(identify);
  const route = routeOf(within);
  if (route === undefined) throw noRoute();
  if (route.kind === "record" && request.method === "OPTIONS")
    return json(200, { namespace: site.namespace, routes: descriptionsOf(route.resource) });
  if (route.kind !== "record") return described(site, route.kind, request, query);
  const verb = verbOf(request.method, route.target);
  if (verb === undefined) throw noRoute();
  const call = { ...route, site, user, query, payload: payload(request) };
  const answer = await called(calendar, verb, call);
  return site.habits === "the-events-calendar"
    ? { ...answer, headers: { ...answer.headers, allow: allowed(user, route.target !== undefined) } }
    : answer;
}

function isReading({ method }: Incoming): boolean {
  return method === "GET" || method === "HEAD";
}

function callerOf({ site, kind, token }: Calendar, data: Data, authorization: string | undefined): User | undefined {
  if (bearerOf(authorization) === token) return data.find("users", 1);
  return kind.userOf(data, authorization, site.now());
}

function described(site: Site, kind: "root" | "doc", request: Incoming, query: Params): Answer {
  if (!isReading(request)) throw noRoute();
  if (kind === "doc") return json(200, openapi(site));
  const { namespace = site.namespace, context = "view" } = query;
  if (namespace !== site.namespace) throw problem(404, "rest_invalid_namespace", "The specified namespace could not be found.");
  if (!["view", "embed", "edit", "help"].includes(String(context)))
    throw problem(400, "rest_invalid_param", "Invalid parameter(s): context", {
      params: { context: "context is not one of view, embed, edit, help." },
    });
  return json(200, namespaceIndex(site));
}

interface Unbound extends Omit<Call, "data"> {
  readonly payload: Payload;
}

function called({ store, kind: { verbs } }: Calendar, verb: Verb, call: Unbound): Promise<Answer> {
  if (verb === "list" || verb === "get") return store.read((data) => verbs[verb]({ ...call, data }));
  return store.write((data: Draft) => verbs[verb]({ ...call, data } satisfies WriteCall));
}

/** What this caller may do here, as WordPress tells it. */
function allowed(user: User | undefined, isRecord: boolean): string {
  if (user === undefined || user.role === "subscriber") return "GET";
  return isRecord ? "GET, DELETE, POST, PUT, PATCH" : "GET, POST";
}
