// The sandbox: both interfaces of the contract on loopback, over real HTTP.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import { defaultTokenLifetime } from "../model/auth.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { handleTokenEndpoint } from "./auth/endpoints.ts";
import { authorizePath, handleAuthorizePage, handleLoginPage, type LoginOptions } from "./auth/login-page.ts";
import { createAccessToken } from "./auth/tokens.ts";
import { parseUtcTime } from "./entry.ts";
import type { Fault, FaultInjector } from "./faults.ts";
import { authenticateByToken, genericHandlers } from "./generic.ts";
import { jsonResponse, ResponseError, type SandboxRequest, type SandboxResponse } from "./http.ts";
import { readBody } from "./parameters.ts";
import { type CalendarService, handleCalendarRequest } from "./routes.ts";
import { createSeed, type DemoUser, demoApplication, demoUsers, siteZone } from "./seed.ts";
import type { Site, TecVersion } from "./site.ts";
import { formatApiLinkHeader, renderFrontPage } from "./site-documents.ts";
import { createMemoryStore, openFileStore, resetDataFile, type Seed, type Store } from "./store.ts";
import { authenticateByPassword } from "./tec/rules.ts";
import { tecHandlers } from "./tec/verbs.ts";

// What a sandbox is started with, and what it is when it runs.

/** The port that the records of the embedded calendar name in their addresses. */
export const defaultSandboxPort = 8123;

/** How to start a sandbox. It listens on 127.0.0.1 only. */
export interface SandboxOptions {
  /** The data file; it is made and seeded where there is none. `:memory:` keeps nothing. */
  readonly file: string;
  /** The day of the seed, `YYYY-MM-DD`; a data file that exists keeps its own. */
  readonly day: string;
  /** The clock: milliseconds since 1970. */
  readonly now: () => number;
  /** 0, or absent, is any free one. */
  readonly port?: number;
  /** The origin that the site takes for its own in what it answers, as behind a proxy; where it listens unless told. */
  readonly origin?: string;
  readonly serverProfile?: ServerProfileName;
  /** `calendar/events/v1` by default, and `tribe/events/v1` for `the-events-calendar`. */
  readonly namespace?: string;
  readonly permalinks?: "pretty" | "plain";
  /** Of access tokens, in seconds; 3600 by default. */
  readonly tokenLifetime?: number;
  readonly injectFault?: FaultInjector;
  /** Accepts a redirect URL that is not registered, or that is http where https is needed. Without it none is accepted. */
  readonly acceptsRedirect?: (url: string) => boolean;
  /** The recorded version of The Events Calendar that answers; `6.10` by default. */
  readonly tecVersion?: TecVersion;
  /** Is given a line for each request: method, path without query, status. */
  readonly log?: (line: string) => void;
  /** Is told what this machine refuses (a full disk, a lock that is not given back) before the client gets it as an answer. */
  readonly onStoreError?: (trouble: CalError) => void;
}

/** A request that was answered, or cut; never with a secret in it. */
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** `basic`, `bearer` or another word; "" where there was no Authorization header. */
  readonly scheme: string;
  readonly contentType: string;
  /** "" on the paths of the authentication interface and of logins. */
  readonly body: string;
  /** Of the answer; 0 where the connection was cut. */
  readonly status: number;
}

/** A running sandbox. */
export interface Sandbox {
  readonly port: number;
  /** {base_url} of the calendar interface. */
  readonly baseUrl: string;
  /** {auth_url} of the authentication interface. */
  readonly authUrl: string;
  /** The front page of the site. */
  readonly siteUrl: string;
  readonly namespace: string;
  readonly serverProfile: ServerProfileName;
  /** The zone of the site, by IANA name. */
  readonly zone: string;
  /** An access token of the user `admin` that lasts as long as this sandbox runs, and is known to no other. */
  readonly token: string;
  readonly application: { readonly clientId: string; readonly clientSecret: string };
  /** Who may log in; the first is the administrator. */
  readonly users: readonly [DemoUser, ...DemoUser[]];
  /** The last 1000 requests, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Stops listening and cuts what is open; resolves when the port is free. */
  close(): Promise<void>;
}

/** Starts a sandbox. Rejects with kind `local` where the port is taken or the data file can't be used, `usage` where the day is none. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const seed = createSeedForDay(options.day);
  const store = options.file === ":memory:" ? createMemoryStore(seed) : await openFileStore(options.file, seed);
  const requestLog: LoggedRequest[] = [];
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const here = `http://127.0.0.1:${port}`;
  const state = createSandboxState(options, store, options.origin ?? here);
  const { log = () => undefined, onStoreError = () => undefined, injectFault = () => undefined } = options;
  server.on("request", (request, response) => {
    // A client that goes away in the middle of something is no trouble of ours.
    handleRequest({ state, injectFault, requestLog, log, onStoreError }, request, response).catch(() => response.destroy());
  });
  const { site, token } = state.calendar;
  return {
    port,
    baseUrl: site.permalinks === "pretty" ? `${here}/wp-json` : `${here}/?rest_route=/`,
    authUrl: here,
    siteUrl: here,
    namespace: site.namespace,
    serverProfile: site.serverProfile,
    zone: site.zone,
    token,
    application: demoApplication,
    users: demoUsers,
    requests: () => [...requestLog],
    close: () => closeServer(server),
  };
}

/** Puts freshly seeded data in the place of a data file, whatever is wrong with it. Running sandboxes see the new data. */
export async function resetSandbox(file: string, day: string): Promise<void> {
  await resetDataFile(file, createSeedForDay(day));
}

function createSeedForDay(day: string): Seed {
  if (Number.isNaN(parseUtcTime(`${day} 00:00:00`))) throw usageError(`the sandbox's day is not a date in the form YYYY-MM-DD: ${day}`);
  return createSeed(day);
}

function createSandboxState(options: SandboxOptions, store: Store, origin: string): SandboxState {
  const serverProfile = options.serverProfile ?? "generic";
  const isGeneric = serverProfile === "generic";
  const site: Site = {
    origin,
    serverProfile,
    version: options.tecVersion ?? "6.10",
    namespace: (options.namespace ?? (isGeneric ? namespaces.interface : namespaces.theEventsCalendar)).replace(/^\/+|\/+$/g, ""),
    permalinks: options.permalinks ?? "pretty",
    zone: siteZone,
    now: options.now,
  };
  const emulation = isGeneric
    ? { handlers: genericHandlers, authenticate: authenticateByToken }
    : { handlers: tecHandlers, authenticate: authenticateByPassword };
  return {
    calendar: {
      site,
      store,
      emulation,
      token: createAccessToken({
        application: "cal-sandbox",
        user: { username: "admin" },
        lifetime: defaultTokenLifetime,
        now: options.now(),
      }),
    },
    login: {
      tokenLifetime: options.tokenLifetime ?? defaultTokenLifetime,
      acceptsRedirect: options.acceptsRedirect ?? (() => false),
      now: options.now,
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
  } catch (cause) {
    const isTaken = codeOf(cause) === "EADDRINUSE";
    const why = isTaken ? "is taken by another program" : `can't be used (${messageOf(cause)})`;
    throw new CalError("local", `port ${port} of 127.0.0.1 ${why}`, {
      cause,
      ...(isTaken ? { code: "port-taken" } : {}),
      hint: "choose another one with --port, or any free one with --port 0",
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const done = once(server, "close");
  server.close();
  server.closeAllConnections();
  await done;
}

// One request on its socket: read, answered, written, noted; or spoiled by a fault that a test ordered.

/** How many requests are remembered. */
const maxLoggedRequests = 1000;

/** What every exchange shares. */
interface RequestHandlerContext {
  readonly state: SandboxState;
  readonly injectFault: FaultInjector;
  readonly requestLog: LoggedRequest[];
  readonly log: (line: string) => void;
  readonly onStoreError: (trouble: CalError) => void;
}

/** Answers a request. Rejects where its client goes away. */
async function handleRequest(shared: RequestHandlerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { path, query } = parseRequestTarget(request.url ?? "/");
  const method = request.method ?? "GET";
  const fault = shared.injectFault(method, path);
  if (fault?.delay !== undefined) await sleep(fault.delay);
  const body = fault?.disconnect === "at-once" ? "" : await readBody(request);
  const incoming: SandboxRequest = { method, path, query, headers: getRequestHeaders(request), body: body ?? "" };
  const answer = fault?.disconnect === "at-once" ? undefined : await createResponse(shared, incoming, body === undefined, fault);
  const status = answer === undefined || fault?.disconnect === "before-answer" ? 0 : answer.status;
  recordRequest(shared, incoming, status);
  if (answer === undefined || status === 0) response.destroy();
  else writeResponse(response, answer, method === "HEAD", fault?.disconnect === "mid-answer");
}

/** The path and the query of a request line; some clients send whole addresses. */
function parseRequestTarget(url: string): { readonly path: string; readonly query: string } {
  const relative = url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  return mark < 0 ? { path: relative || "/", query: "" } : { path: relative.slice(0, mark) || "/", query: relative.slice(mark + 1) };
}

function getRequestHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

async function createResponse(
  { state, log, onStoreError }: RequestHandlerContext,
  incoming: SandboxRequest,
  tooLarge: boolean,
  fault: Fault | undefined,
): Promise<SandboxResponse> {
  if (tooLarge)
    return jsonResponse(
      413,
      { code: "rest_body_too_large", message: "The body is over 1 MB.", data: { status: 413 } },
      { connection: "close" },
    );
  if (fault?.response !== undefined) {
    const { status, headers, body = "" } = fault.response;
    return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body };
  }
  const answer = await dispatchRequest(state, incoming, (error) => {
    log(`sandbox: ${messageOf(error)}`);
    if (error instanceof CalError) onStoreError(error);
  });
  return fault?.bodyOverride === undefined ? answer : { ...answer, body: fault.bodyOverride };
}

function recordRequest(
  { requestLog, log }: RequestHandlerContext,
  { method, path, query, headers, body }: SandboxRequest,
  status: number,
): void {
  const secret = path.startsWith("/api/auth/") || path === authorizePath;
  const scheme = (headers["authorization"] ?? "").split(" ")[0]?.toLowerCase() ?? "";
  requestLog.push({ method, path, query, scheme, contentType: headers["content-type"] ?? "", body: secret ? "" : body, status });
  if (requestLog.length > maxLoggedRequests) requestLog.shift();
  log(`${method} ${path} ${status === 0 ? "cut" : status}`);
}

function writeResponse(response: ServerResponse, answer: SandboxResponse, headOnly: boolean, half: boolean): void {
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...answer.headers, "content-length": bytes.length });
  if (!half) {
    response.end(headOnly ? undefined : bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

// Every request's way: the token endpoints, the two login pages, the calendar, the site's web pages.

/** All that a sandbox answers from. */
interface SandboxState {
  readonly calendar: CalendarService;
  readonly login: LoginOptions;
}

/** The statuses of what this machine refuses, by the word for it; 500 for the rest. */
const statusByErrorCode: Readonly<Record<string, number>> = { locked: 503, "disk-full": 507 };

/** The answer to a request: always one, whatever is wrong with it. `report` is told of defects, and of what this machine refuses. */
async function dispatchRequest(world: SandboxState, request: SandboxRequest, report: (error: unknown) => void): Promise<SandboxResponse> {
  try {
    return await routeRequest(world, request);
  } catch (error) {
    if (error instanceof ResponseError) return addLinkHeader(world, error.response);
    report(error);
    if (error instanceof CalError) {
      const status = statusByErrorCode[error.details.code ?? ""] ?? 500;
      return jsonResponse(status, { code: "sandbox_unavailable", message: error.message, data: { status } });
    }
    return jsonResponse(500, { code: "internal_server_error", message: "The sandbox has a defect.", data: { status: 500 } });
  }
}

async function routeRequest({ calendar, login }: SandboxState, request: SandboxRequest): Promise<SandboxResponse> {
  const { site, store } = calendar;
  const found =
    (await handleTokenEndpoint(store, request, login)) ??
    (await handleLoginPage(store, request, login)) ??
    (site.serverProfile === "the-events-calendar"
      ? await handleAuthorizePage(store, request, { ...login, siteUrl: site.origin })
      : undefined);
  if (found !== undefined) return found;
  const answer = await handleCalendarRequest(calendar, request);
  if (answer !== undefined) return addLinkHeader({ calendar }, answer);
  return renderFrontPage(site, request.path === "/" || request.path === "/index.php" ? 200 : 404);
}

/** WordPress names its REST root on every answer. */
function addLinkHeader({ calendar: { site } }: Pick<SandboxState, "calendar">, answer: SandboxResponse): SandboxResponse {
  return { ...answer, headers: { link: formatApiLinkHeader(site), ...answer.headers } };
}
