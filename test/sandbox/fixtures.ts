// A sandbox with options that only tests need: faults that change while it runs, other rules for redirects, and other kinds of sites.

import type { Fault } from "../../src/sandbox/faults.ts";
import {
  createApiError,
  htmlResponse,
  parseParameters,
  parsePayload,
  type SandboxRequest,
  type SandboxResponse,
} from "../../src/sandbox/http.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/server.ts";

/** A fault that happens to the requests that match, after `skip` of them, `times` times. */
export interface OrderedFault extends Fault {
  /** Absent is any. */
  readonly method?: string;
  /** A part of the path as sent, without the query. Absent is any. */
  readonly path?: string;
  readonly skip?: number;
  readonly times?: number;
}

export interface FixtureOptions extends SandboxOptions {
  readonly faults?: readonly OrderedFault[];
  /** Redirect URLs that are registered beside the demo application's own. */
  readonly redirectUrls?: readonly string[];
  /** Whether every http address of this machine is a registered redirect URL. */
  readonly anyLoopbackRedirect?: boolean;
  /** Whether application passwords may be sent to http addresses. */
  readonly localEnvironment?: boolean;
  /**
   * A web server without rewrites: `/wp-json` is not there, and PUT, PATCH and DELETE are refused with 405 in HTML at `/?rest_route=`,
   * while `/index.php?rest_route=/` works for all methods.
   */
  readonly withoutRewrites?: boolean;
  /** A web server that drops the Authorization header, so that everybody is a visitor. */
  readonly dropsAuthorization?: boolean;
  /** The status with which a WordPress site refuses every request to posts in `wp/v2`. */
  readonly wpV2Status?: 401 | 403 | 404;
  /** The `start_date` of event lists without one, as the interface document has it (section 4.2): earlier events are hidden. */
  readonly defaultStartDate?: string;
  /** Fields of events that the server does not know: its documentation has them not, and it refuses to write them. */
  readonly unknownFields?: readonly string[];
}

export interface FixtureSandbox extends Sandbox {
  readonly faults: { add(fault: OrderedFault): void; clear(): void };
}

export async function startFixtureSandbox(options: FixtureOptions): Promise<FixtureSandbox> {
  const { faults: ordered = [], redirectUrls = [], anyLoopbackRedirect = false, localEnvironment = false, ...others } = options;
  const kinds = createInterceptors(options);
  const faults = createFaultList(ordered);
  const sandbox = await startSandbox({
    injectFault: faults.inject,
    intercept: (request, answer) => kinds.reduceRight<Answer>((next, kind) => (seen) => kind(seen, next), answer)(request),
    acceptsRedirect: (url) => localEnvironment || redirectUrls.includes(url) || (anyLoopbackRedirect && isLoopbackUrl(url)),
    ...others,
  });
  return { ...sandbox, faults };
}

type Answer = (request: SandboxRequest) => Promise<SandboxResponse>;
type Interceptor = (request: SandboxRequest, answer: Answer) => Promise<SandboxResponse>;

/** The first one is asked first. */
function createInterceptors(options: FixtureOptions): readonly Interceptor[] {
  const { withoutRewrites = false, dropsAuthorization = false, wpV2Status, defaultStartDate, unknownFields } = options;
  return [
    ...(withoutRewrites ? [refuseRewrites] : []),
    ...(dropsAuthorization ? [dropAuthorization] : []),
    ...(wpV2Status === undefined ? [] : [createWpV2Refusal(wpV2Status)]),
    ...(defaultStartDate === undefined ? [] : [createStartDateDefault(defaultStartDate)]),
    ...(unknownFields === undefined ? [] : [createFieldRefusal(unknownFields)]),
  ];
}

const refuseRewrites: Interceptor = async (request, answer) => {
  const page = (title: string): string => `<html>\r\n<head><title>${title}</title></head>\r\n<body><h1>${title}</h1></body>\r\n</html>\r\n`;
  if (/^\/+wp-json/.test(request.path)) return htmlResponse(404, page("404 Not Found"));
  const isRefused = request.path === "/" && ["PUT", "PATCH", "DELETE"].includes(request.method);
  return isRefused ? htmlResponse(405, page("405 Not Allowed")) : answer(request);
};

const dropAuthorization: Interceptor = (request, answer) => {
  const { authorization: _, ...headers } = request.headers;
  return answer({ ...request, headers });
};

/** The REST path of a request, in either form of its address. */
function getRestPath({ path, query }: SandboxRequest): string {
  const { rest_route } = parseParameters(query);
  return typeof rest_route === "string" ? rest_route : path.replace(/^\/wp-json/, "");
}

function createWpV2Refusal(status: 401 | 403 | 404): Interceptor {
  const refusal =
    status === 404
      ? createApiError(404, "rest_no_route", "No route was found matching the URL and request method.")
      : createApiError(status, "rest_cannot_access", "The REST API of this site is restricted.");
  return async (request, answer) => (getRestPath(request).startsWith("/wp/v2/tribe_") ? refusal.response : answer(request));
}

function createStartDateDefault(date: string): Interceptor {
  return (request, answer) => {
    const isList = request.method === "GET" && /\/events\/?$/.test(getRestPath(request));
    const isSent = !isList || Object.hasOwn(parseParameters(request.query), "start_date");
    return answer(isSent ? request : { ...request, query: `${request.query}&start_date=${encodeURIComponent(date)}` });
  };
}

function createFieldRefusal(names: readonly string[]): Interceptor {
  return async (request, answer) => {
    const path = getRestPath(request);
    const isWrite = request.method !== "GET" && /\/events(?:\/|$)/.test(path);
    const sent = isWrite ? names.filter((name) => Object.hasOwn(parsePayload(request).params, name)) : [];
    if (sent.length > 0) {
      const params = Object.fromEntries(sent.map((name) => [name, `${name} is not a field of this resource.`]));
      return createApiError(400, "rest_invalid_param", `Invalid parameter(s): ${sent.join(", ")}`, { params, details: [] }).response;
    }
    const response = await answer(request);
    const isDescription = request.method === "GET" && (path.endsWith("/doc") || /\/v\d+\/?$/.test(path));
    return isDescription ? { ...response, body: JSON.stringify(withoutFields(JSON.parse(response.body), names)) } : response;
  };
}

/** A description of routes, without the fields in the bodies of events. Filters of the same name stay. */
function withoutFields(description: unknown, names: readonly string[], isEvents = false, isBody = false): unknown {
  if (Array.isArray(description)) return description.map((item) => withoutFields(item, names, isEvents, isBody));
  if (typeof description !== "object" || description === null) return description;
  const methods = "args" in description && "methods" in description ? description.methods : [];
  const isWrite = isBody || (Array.isArray(methods) && methods.includes("POST"));
  const kept = Object.entries(description).filter(([name]) => !(isEvents && isWrite && names.includes(name)));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      withoutFields(value, names, isEvents || /\/events(?:\/(?!v\d)|$)/.test(name), isWrite || name === "requestBody"),
    ]),
  );
}

function createFaultList(ordered: readonly OrderedFault[]) {
  const waiting = ordered.map((fault) => ({ fault, seen: 0 }));
  return {
    add: (fault: OrderedFault): void => void waiting.push({ fault, seen: 0 }),
    clear: (): void => void waiting.splice(0),
    inject: (method: string, path: string): Fault | undefined => {
      for (const one of waiting) {
        const { skip = 0, times = Number.POSITIVE_INFINITY } = one.fault;
        if ((one.fault.method ?? method) !== method || !path.includes(one.fault.path ?? "")) continue;
        one.seen += 1;
        if (one.seen > skip && one.seen <= skip + times) return one.fault;
      }
      return undefined;
    },
  };
}

function isLoopbackUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && url.hash === "" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
}
