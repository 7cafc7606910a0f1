// The sandbox: both interfaces on loopback, over real HTTP.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import { defaultTokenLifetime } from "../model/auth.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { handleTokenEndpoint } from "./auth/endpoints.ts";
import { handleAuthorizePage, handleLoginPage, type LoginOptions } from "./auth/login-page.ts";
import { createAccessToken } from "./auth/tokens.ts";
import type { Fault, FaultInjector } from "./faults.ts";
import { authenticateByToken, genericHandlers } from "./generic.ts";
import { jsonResponse, ResponseError, type SandboxRequest, type SandboxResponse } from "./http.ts";
import { type CalendarService, handleCalendarRequest } from "./routes.ts";
import { createSeed, type DemoUser, demoApplication, demoUsers, siteZone } from "./seed.ts";
import { authorizePath, formatApiLinkHeader, renderFrontPage, type Site, type TecVersion } from "./site.ts";
import { createMemoryStore, openFileStore, resetDataFile, type Seed, type Store } from "./store.ts";
import { readUploadedFile } from "./tec/media.ts";
import { authenticateByPassword } from "./tec/rules.ts";
import { tecHandlers } from "./tec/verbs.ts";
import { readCore, updateCore } from "./tec/wp-v2.ts";
import { parseUtcTime } from "./time.ts";

/** The port in the addresses of the embedded calendar's records. */
export const defaultSandboxPort = 8123;

/** A sandbox listens on 127.0.0.1 only. */
export interface SandboxOptions {
  /** The data file, which is created and seeded where there is none. `:memory:` stores nothing. */
  readonly file: string;
  /** The day of the seed, `YYYY-MM-DD`; an existing data file has its own. */
  readonly day: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0, the default, is any free one. */
  readonly port?: number;
  /** The origin in the addresses that it sends, as behind a proxy; by default the one at which it listens. */
  readonly origin?: string;
  readonly serverProfile?: ServerProfileName;
  /** `calendar/events/v1` by default, and `tribe/events/v1` for `the-events-calendar`. */
  readonly namespace?: string;
  readonly permalinks?: "pretty" | "plain";
  /** Of access tokens, in seconds; 3600 by default. */
  readonly tokenLifetime?: number;
  readonly injectFault?: FaultInjector;
  /** Called with each request in place of the sandbox's own answer, which it may ask for. */
  readonly intercept?: (request: SandboxRequest, answer: (request: SandboxRequest) => Promise<SandboxResponse>) => Promise<SandboxResponse>;
  /** Accepts a redirect URL that is not registered, or that is http where https is needed. Without it none is accepted. */
  readonly acceptsRedirect?: (url: string) => boolean;
  /** The recorded version of The Events Calendar that answers; `6.10` by default. */
  readonly tecVersion?: TecVersion;
  /** Called with a line for each request: method, path without query, status. */
  readonly log?: (line: string) => void;
  /** Called with the error of the data file (a full disk, a lock that is held) before the client gets it as an answer. */
  readonly onStoreError?: (error: CalError) => void;
}

/** A request that was answered or cut. It never has a secret in it. */
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** `basic`, `bearer` or another word; "" where there was no Authorization header. */
  readonly scheme: string;
  readonly contentType: string;
  /** "" on the paths of the authentication interface and of logins. */
  readonly body: string;
  /** Of the answer; 0 where the connection was cut. */
  readonly status: number;
}

export interface Sandbox {
  readonly port: number;
  /** {base_url} of the calendar interface. */
  readonly baseUrl: string;
  /** {auth_url} of the authentication interface. */
  readonly authUrl: string;
  readonly siteUrl: string;
  readonly namespace: string;
  readonly serverProfile: ServerProfileName;
  /** By IANA name. */
  readonly zone: string;
  /** An access token of the user `admin` that is valid as long as this sandbox runs, and at no other one. */
  readonly token: string;
  readonly application: { readonly clientId: string; readonly clientSecret: string };
  /** Who may log in; the first is the administrator. */
  readonly users: readonly [DemoUser, ...DemoUser[]];
  /** The last 1000 requests, or fewer where they are large, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Stops listening and cuts what is open; resolves when the port is free. */
  close(): Promise<void>;
}

/** Rejects with kind `local` where the port is taken or the data file can't be used, and with `usage` where the day is none. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const seed = createSeedForDay(options.day);
  const store = options.file === ":memory:" ? createMemoryStore(seed) : await openFileStore(options.file, seed);
  const requestLog = createRequestLog();
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const here = `http://127.0.0.1:${port}`;
  const context: RequestHandlerContext = {
    calendar: createCalendarService(options, store, options.origin ?? here),
    login: {
      tokenLifetime: options.tokenLifetime ?? defaultTokenLifetime,
      acceptsRedirect: options.acceptsRedirect ?? (() => false),
      now: options.now,
    },
    requestLog,
    injectFault: options.injectFault ?? (() => undefined),
    intercept: options.intercept ?? ((request, answer) => answer(request)),
    log: options.log ?? (() => undefined),
    onStoreError: options.onStoreError ?? (() => undefined),
  };
  server.on("request", (request, response) => {
    // It rejects only where the client goes away.
    handleRequest(context, request, response).catch(() => response.destroy());
  });
  const { site, token } = context.calendar;
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
    requests: requestLog.list,
    close: () => closeServer(server),
  };
}

/** Replaces a data file, whatever is wrong with it, by freshly seeded data. Running sandboxes see the new data. */
export async function resetSandbox(file: string, day: string): Promise<void> {
  await resetDataFile(file, createSeedForDay(day));
}

function createSeedForDay(day: string): Seed {
  if (Number.isNaN(parseUtcTime(`${day} 00:00:00`))) throw usageError(`the sandbox's day is not a date in the form YYYY-MM-DD: ${day}`);
  return createSeed(day);
}

function createCalendarService(options: SandboxOptions, store: Store, origin: string): CalendarService {
  const { serverProfile = "generic", tecVersion = "6.10", permalinks = "pretty", now } = options;
  const isGeneric = serverProfile === "generic";
  const { namespace = isGeneric ? namespaces.interface : namespaces.theEventsCalendar } = options;
  const site: Site = {
    origin,
    serverProfile,
    version: tecVersion,
    namespace: namespace.replace(/^\/+|\/+$/g, ""),
    permalinks,
    zone: siteZone,
    now,
  };
  const emulation = isGeneric
    ? { handlers: genericHandlers, authenticate: authenticateByToken }
    : { handlers: tecHandlers, authenticate: authenticateByPassword, core: { read: readCore, update: updateCore } };
  const grant = { application: "cal-sandbox", user: { username: "admin" }, lifetime: defaultTokenLifetime, now: now() };
  return { site, store, emulation, token: createAccessToken(grant) };
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

// One request: read, answered, logged and written, or spoiled by a fault.

const maxLoggedRequests = 1000;

/** Of all requests that are kept; the oldest go first. */
const maxLoggedBytes = 16_000_000;

/** Other names can be made to mean this machine by whoever owns them, and a web page of such a name could read the answers. */
const hostNames: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Of the body of a request; more is answered with 413. */
const maxBodyBytes = 1_000_000;

const maxPictureBytes = 25_000_000;

/** Bytes that are read and dropped so that the client can read its 413; after that the connection is cut. */
const maxDrainedBytes = 32_000_000;

interface RequestLog {
  list(): readonly LoggedRequest[];
  add(request: LoggedRequest): void;
}

interface RequestHandlerContext {
  readonly calendar: CalendarService;
  readonly login: LoginOptions;
  readonly requestLog: RequestLog;
  readonly injectFault: FaultInjector;
  readonly intercept: NonNullable<SandboxOptions["intercept"]>;
  readonly log: (line: string) => void;
  readonly onStoreError: (error: CalError) => void;
}

/** Rejects where the client goes away. */
async function handleRequest(context: RequestHandlerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? "GET";
  // Some clients send whole addresses.
  const [, authority = request.headers.host ?? "", path = "", query = ""] =
    /^(?:https?:\/\/([^/?]*))?([^?]*)\??(.*)$/is.exec(request.url ?? "/") ?? [];
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
  const isOtherHost = !hostNames.includes(authority.replace(/:\d*$/, "").toLowerCase());
  const fault = isOtherHost ? undefined : context.injectFault(method, path || "/");
  if (fault?.delay !== undefined) await sleep(fault.delay);
  const isIgnored = fault?.disconnect === "at-once";
  const isPicture = headers["content-type"]?.startsWith("image/") === true;
  const body = isIgnored ? "" : await readBody(request, isPicture);
  const incoming: SandboxRequest = { method, path: path || "/", query, headers, body: body ?? "" };
  const refusal = isOtherHost ? createHostRefusal() : body === undefined ? createSizeRefusal() : undefined;
  const answer = isIgnored ? undefined : (refusal ?? (await createResponse(context, incoming, fault)));
  const isCut = answer === undefined || fault?.disconnect === "before-answer";
  logRequest(context, incoming, isCut ? 0 : answer.status);
  if (isCut) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(answer.body, answer.isBinary === true ? "latin1" : "utf8");
  const date = new Date(context.calendar.site.now()).toUTCString();
  response.writeHead(answer.status, { date, ...answer.headers, "content-length": bytes.length });
  if (fault?.disconnect === "mid-answer") response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  else response.end(method === "HEAD" ? undefined : bytes);
}

/** Undefined where the body is too large. Of a picture each character is a byte. Rejects where the client goes away. */
async function readBody(request: IncomingMessage, isPicture: boolean): Promise<string | undefined> {
  const most = isPicture ? maxPictureBytes : maxBodyBytes;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue;
    length += chunk.length;
    if (length > maxDrainedBytes) break;
    if (length <= most) chunks.push(chunk);
  }
  return length > most ? undefined : Buffer.concat(chunks).toString(isPicture ? "latin1" : "utf8");
}

function logRequest({ requestLog, log }: RequestHandlerContext, request: SandboxRequest, status: number): void {
  const { method, path, query, headers, body } = request;
  const isSecret = path.startsWith("/api/auth/") || path === authorizePath;
  const isPicture = headers["content-type"]?.startsWith("image/") === true;
  const scheme = (headers["authorization"] ?? "").split(" ")[0]?.toLowerCase() ?? "";
  requestLog.add({
    method,
    path,
    query,
    scheme,
    contentType: headers["content-type"] ?? "",
    body: isSecret || isPicture ? "" : body,
    status,
  });
  log(`${method} ${path} ${status === 0 ? "cut" : status}`);
}

/** The last requests, within the limits of number and size. */
function createRequestLog(): RequestLog {
  const kept: LoggedRequest[] = [];
  let bytes = 0;
  // A character takes two bytes at most.
  const sizeOf = ({ path, query, contentType, body }: LoggedRequest): number =>
    2 * (path.length + query.length + contentType.length + body.length);
  return {
    list: () => [...kept],
    add: (request) => {
      kept.push(request);
      bytes += sizeOf(request);
      while (kept.length > maxLoggedRequests || bytes > maxLoggedBytes) {
        const oldest = kept.shift();
        if (oldest === undefined) return;
        bytes -= sizeOf(oldest);
      }
    },
  };
}

function createHostRefusal(): SandboxResponse {
  const message = `The sandbox answers to ${hostNames.join(", ")} only.`;
  return jsonResponse(421, { code: "sandbox_other_host", message, data: { status: 421 } }, { connection: "close" });
}

function createSizeRefusal(): SandboxResponse {
  const body = { code: "rest_body_too_large", message: "The body is over 1 MB.", data: { status: 413 } };
  return jsonResponse(413, body, { connection: "close" });
}

async function createResponse(context: RequestHandlerContext, request: SandboxRequest, fault: Fault | undefined): Promise<SandboxResponse> {
  if (fault?.response !== undefined) {
    const { status, headers, body = "" } = fault.response;
    return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body };
  }
  const route = (seen: SandboxRequest): Promise<SandboxResponse> =>
    routeRequest(context, seen).catch((error: unknown) => createErrorResponse(context, error));
  const answer = await context.intercept(request, route);
  return fault?.bodyOverride === undefined ? answer : { ...answer, body: fault.bodyOverride };
}

async function routeRequest({ calendar, login }: RequestHandlerContext, request: SandboxRequest): Promise<SandboxResponse> {
  const { site, store } = calendar;
  const page =
    (await handleTokenEndpoint(store, request, login)) ??
    (await handleLoginPage(store, request, login)) ??
    (site.serverProfile === "generic" ? undefined : await handleAuthorizePage(store, request, { ...login, siteUrl: site.origin }));
  if (page !== undefined) return page;
  const file = await store.read((data) => readUploadedFile(data, request));
  if (file !== undefined) return file;
  const answer = await handleCalendarRequest(calendar, request);
  if (answer !== undefined) return addLinkHeader(site, answer);
  return renderFrontPage(site, request.path === "/" || request.path === "/index.php" ? 200 : 404);
}

/** The statuses of the data file's errors by their code; 500 for the others. */
const statusByErrorCode: Readonly<Record<string, number>> = { locked: 503, "disk-full": 507 };

function createErrorResponse({ calendar, log, onStoreError }: RequestHandlerContext, error: unknown): SandboxResponse {
  if (error instanceof ResponseError) return addLinkHeader(calendar.site, error.response);
  log(`sandbox: ${messageOf(error)}`);
  if (!(error instanceof CalError))
    return jsonResponse(500, { code: "internal_server_error", message: "The sandbox has a defect.", data: { status: 500 } });
  onStoreError(error);
  const status = statusByErrorCode[error.details.code ?? ""] ?? 500;
  return jsonResponse(status, { code: "sandbox_unavailable", message: error.message, data: { status } });
}

/** WordPress names its REST root on every answer. */
function addLinkHeader(site: Site, answer: SandboxResponse): SandboxResponse {
  return { ...answer, headers: { link: formatApiLinkHeader(site), ...answer.headers } };
}
