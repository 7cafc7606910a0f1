// The loopback listener of a login in the browser: open only while the flow lasts, and for one hand-over.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CalError, codeOf, messageOf } from "../../errors.ts";
import { parseJsonBody, toRecord } from "../reading.ts";
import {
  type CallbackSecrets,
  checkCookie,
  checkHost,
  checkNavigation,
  checkPost,
  constantTimeEqual,
  cookieName,
  type Rejection,
} from "./guard.ts";
import { pageHeaders, plainTextHeaders, renderCallbackPage } from "./page.ts";
import type { LoopbackUrl } from "./redirect.ts";
import type { CallbackParser } from "./returned.ts";

/** A flow that waits for a browser. */
export interface CallbackServerOptions<T> {
  readonly url: LoopbackUrl;
  /** Where the browser is sent from our own start page. */
  readonly loginUrl: string;
  readonly parse: CallbackParser<T>;
  /** Milliseconds until the flow is given up. */
  readonly timeout: number;
  /** The command that logs in without listening. */
  readonly fallbackCommand: string;
  /** What to say when nothing came. */
  readonly createTimeoutError: () => CalError;
}

/** A listener that is bound already. */
export interface CallbackServer<T> {
  /** The address to open: it tells nothing, works for one browser, and leads to the login page. */
  readonly startUrl: string;
  /** What came back; rejects with the reader's CalError, or with that of `late`. */
  readonly result: Promise<T>;
  close(): Promise<void>;
}

interface CallbackServerState<T> extends CallbackServerOptions<T> {
  readonly secrets: CallbackSecrets;
  started: boolean;
  done: boolean;
  readonly finish: (outcome: { readonly value: T } | { readonly error: unknown }) => void;
}

const maxBodyBytes = 64 * 1024;

const startedElsewhereRejection: Rejection = {
  status: 410,
  message: "This address was opened before, in another browser. Start the login again.",
};

/** Binds before anything is opened. Rejects with `local` where the port is taken: a registered URL has no next port. */
export async function startCallbackServer<T>(flow: CallbackServerOptions<T>): Promise<CallbackServer<T>> {
  const secret = (): string => randomBytes(24).toString("base64url");
  const secrets: CallbackSecrets = { start: secret(), cookie: secret(), nonce: secret() };
  let finish: CallbackServerState<T>["finish"] = () => undefined;
  const result = new Promise<T>((resolve, reject) => {
    finish = (outcome) => ("value" in outcome ? resolve(outcome.value) : reject(outcome.error));
  });
  // Whoever closes before asking must not be told of a rejection that nobody handles.
  result.catch(() => undefined);
  const state: CallbackServerState<T> = { ...flow, secrets, started: false, done: false, finish };
  const servers = await listenOnAll(flow, (request, response) => {
    handleRequest(state, request, response).catch(() => response.destroy());
  });
  const timer = setTimeout(() => finish({ error: flow.createTimeoutError() }), flow.timeout);
  return {
    startUrl: `${flow.url.origin}/start/${secrets.start}`,
    result,
    close: async () => {
      clearTimeout(timer);
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function handleRequest<T>(state: CallbackServerState<T>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", state.url.origin);
  const refused = checkHost(request.headers, state.url);
  if (refused !== undefined) return sendRejection(response, refused);
  if (constantTimeEqual(pathname, `/start/${state.secrets.start}`) && request.method === "GET")
    return handleStartRequest(state, request, response);
  if (pathname !== state.url.path) return sendRejection(response, { status: 404, message: "There is nothing here." });
  if (request.method === "GET") return handleCallbackPage(state, request, response);
  if (request.method === "POST") return handleCallbackPost(state, request, response);
  sendRejection(response, { status: 405, message: "Not this way." });
}

/** The first browser here gets the cookie; the same one may come again, another one comes too late. */
function handleStartRequest<T>(state: CallbackServerState<T>, { headers }: IncomingMessage, response: ServerResponse): void {
  const refused =
    checkNavigation(headers) ??
    (state.started && checkCookie(headers, state.secrets) !== undefined ? startedElsewhereRejection : undefined);
  if (refused !== undefined) {
    sendRejection(response, refused);
    return;
  }
  state.started = true;
  // The cookie is for every path: the start page itself asks for it again after a reload.
  const cookie = `${cookieName}=${state.secrets.cookie}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(302, { ...plainTextHeaders, "set-cookie": cookie, location: state.loginUrl });
  response.end();
}

/** Shows our page. Nothing is changed by it, whoever loads it. */
function handleCallbackPage<T>(state: CallbackServerState<T>, { headers }: IncomingMessage, response: ServerResponse): void {
  const refused = checkNavigation(headers) ?? checkCookie(headers, state.secrets);
  if (refused !== undefined) {
    sendRejection(response, refused);
    return;
  }
  const scriptNonce = randomBytes(16).toString("base64");
  response.writeHead(200, pageHeaders(scriptNonce));
  response.end(renderCallbackPage(scriptNonce, state.secrets.nonce));
}

/** Takes what our page hands over; the first valid hand-over ends the flow. */
async function handleCallbackPost<T>(state: CallbackServerState<T>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = checkPost(request.headers, state.url, state.secrets);
  if (refused !== undefined) return sendRejection(response, refused);
  const body = await readBody(request);
  if (body === undefined) return sendRejection(response, { status: 413, message: "Too long." });
  if (state.done) return sendRejection(response, { status: 410, message: "The login is over already." });
  const posted = toRecord(parseJsonBody(body)) ?? {};
  const part = (name: string): string => (typeof posted[name] === "string" ? posted[name] : "");
  try {
    const value = state.parse({ query: part("query"), fragment: part("fragment") });
    if (value === undefined) return sendRejection(response, { status: 400, message: "No login came with it." });
    state.done = true;
    response.once("close", () => state.finish({ value }));
    response.writeHead(200, plainTextHeaders).end("Received.");
  } catch (error) {
    state.done = true;
    response.once("close", () => state.finish({ error }));
    response.writeHead(422, plainTextHeaders).end(messageOf(error));
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function sendRejection(response: ServerResponse, { status, message }: Rejection): void {
  response.writeHead(status, plainTextHeaders).end(`${message}\n`);
}

async function listenOnAll(
  { url, fallbackCommand }: Pick<CallbackServerOptions<unknown>, "url" | "fallbackCommand">,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of url.addresses) {
      const server = await listen(createServer(listener), address, url.port);
      if (server !== undefined) servers.push(server);
    }
    if (servers.length === 0) throw new CalError("local", `this machine has no loopback address for ${url.href}`);
    return servers;
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error instanceof CalError ? error : listenError(error, url, fallbackCommand);
  }
}

/** Undefined where the machine has no such address (no IPv6). */
function listen(server: Server, address: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (codeOf(error) === "EADDRNOTAVAIL" || codeOf(error) === "EAFNOSUPPORT") resolve(undefined);
      else reject(error);
    });
    server.listen({ host: address, port, exclusive: true }, () => resolve(server));
  });
}

function listenError(error: unknown, { port, addresses }: LoopbackUrl, otherwise: string): CalError {
  const why = codeOf(error) === "EADDRINUSE" ? "another program uses this port" : messageOf(error);
  return new CalError("local", `cannot wait for the login at ${addresses.join(" and ")}, port ${port}: ${why}`, {
    code: codeOf(error) ?? "listen",
    hint: `${otherwise}, which needs no port; or end that program, perhaps another login that waits`,
    cause: error,
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
