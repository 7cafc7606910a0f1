// The loopback listener of a login in the browser: open only while the flow lasts, and for one hand-over.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CalError, codeOf, messageOf } from "../../errors.ts";
import { jsonOf, recordOf } from "../reading.ts";
import { cookieName, type FlowSecrets, type Refused, refusedBrowser, refusedHost, refusedPost, refusedVisit, same } from "./guard.ts";
import { catcherPage, pageHeaders, plainHeaders } from "./page.ts";
import type { LoopbackUrl } from "./redirect.ts";
import type { ReturnReader } from "./returned.ts";

/** A flow that waits for a browser. */
export interface Flow<T> {
  readonly url: LoopbackUrl;
  /** Where the browser is sent from our own start page. */
  readonly loginUrl: string;
  readonly read: ReturnReader<T>;
  /** Milliseconds until the flow is given up. */
  readonly timeout: number;
  /** The command that logs in without listening. */
  readonly otherwise: string;
  /** What to say when nothing came. */
  readonly late: () => CalError;
}

/** A listener that is bound already. */
export interface Catcher<T> {
  /** The address to open: it tells nothing, works for one browser, and leads to the login page. */
  readonly startUrl: string;
  /** What came back; rejects with the reader's CalError, or with that of `late`. */
  readonly caught: Promise<T>;
  close(): Promise<void>;
}

interface State<T> extends Flow<T> {
  readonly secrets: FlowSecrets;
  started: boolean;
  done: boolean;
  readonly settle: (outcome: { readonly value: T } | { readonly error: unknown }) => void;
}

const bodyLimit = 64 * 1024;

const tooLate: Refused = { status: 410, says: "This address was opened before, in another browser. Start the login again." };

/** Binds before anything is opened. Rejects with `local` where the port is taken: a registered URL has no next port. */
export async function openCatcher<T>(flow: Flow<T>): Promise<Catcher<T>> {
  const secret = (): string => randomBytes(24).toString("base64url");
  const secrets: FlowSecrets = { start: secret(), cookie: secret(), nonce: secret() };
  let settle: State<T>["settle"] = () => undefined;
  const caught = new Promise<T>((resolve, reject) => {
    settle = (outcome) => ("value" in outcome ? resolve(outcome.value) : reject(outcome.error));
  });
  // Whoever closes before asking must not be told of a rejection that nobody handles.
  caught.catch(() => undefined);
  const state: State<T> = { ...flow, secrets, started: false, done: false, settle };
  const servers = await bound(flow, (request, response) => {
    answer(state, request, response).catch(() => response.destroy());
  });
  const timer = setTimeout(() => settle({ error: flow.late() }), flow.timeout);
  return {
    startUrl: `${flow.url.origin}/start/${secrets.start}`,
    caught,
    close: async () => {
      clearTimeout(timer);
      await Promise.all(servers.map(closed));
    },
  };
}

async function answer<T>(state: State<T>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", state.url.origin);
  const refused = refusedHost(request.headers, state.url);
  if (refused !== undefined) return refuse(response, refused);
  if (same(pathname, `/start/${state.secrets.start}`) && request.method === "GET") return start(state, request, response);
  if (pathname !== state.url.path) return refuse(response, { status: 404, says: "There is nothing here." });
  if (request.method === "GET") return visit(state, request, response);
  if (request.method === "POST") return take(state, request, response);
  refuse(response, { status: 405, says: "Not this way." });
}

/** The first browser here gets the cookie; the same one may come again, another one comes too late. */
function start<T>(state: State<T>, { headers }: IncomingMessage, response: ServerResponse): void {
  const refused = refusedVisit(headers) ?? (state.started && refusedBrowser(headers, state.secrets) !== undefined ? tooLate : undefined);
  if (refused !== undefined) {
    refuse(response, refused);
    return;
  }
  state.started = true;
  // The cookie is for every path: the start page itself asks for it again after a reload.
  const cookie = `${cookieName}=${state.secrets.cookie}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(302, { ...plainHeaders, "set-cookie": cookie, location: state.loginUrl });
  response.end();
}

/** Shows our page. Nothing is changed by it, whoever loads it. */
function visit<T>(state: State<T>, { headers }: IncomingMessage, response: ServerResponse): void {
  const refused = refusedVisit(headers) ?? refusedBrowser(headers, state.secrets);
  if (refused !== undefined) {
    refuse(response, refused);
    return;
  }
  const scriptNonce = randomBytes(16).toString("base64");
  response.writeHead(200, pageHeaders(scriptNonce));
  response.end(catcherPage(scriptNonce, state.secrets.nonce));
}

/** Takes what our page hands over; the first valid hand-over ends the flow. */
async function take<T>(state: State<T>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = refusedPost(request.headers, state.url, state.secrets);
  if (refused !== undefined) return refuse(response, refused);
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, { status: 413, says: "Too long." });
  if (state.done) return refuse(response, { status: 410, says: "The login is over already." });
  const posted = recordOf(jsonOf(body)) ?? {};
  const part = (name: string): string => (typeof posted[name] === "string" ? posted[name] : "");
  try {
    const value = state.read({ query: part("query"), fragment: part("fragment") });
    if (value === undefined) return refuse(response, { status: 400, says: "No login came with it." });
    state.done = true;
    response.once("close", () => state.settle({ value }));
    response.writeHead(200, plainHeaders).end("Received.");
  } catch (error) {
    state.done = true;
    response.once("close", () => state.settle({ error }));
    response.writeHead(422, plainHeaders).end(messageOf(error));
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > bodyLimit) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, { status, says }: Refused): void {
  response.writeHead(status, plainHeaders).end(`${says}\n`);
}

async function bound(
  { url, otherwise }: Pick<Flow<unknown>, "url" | "otherwise">,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of url.addresses) {
      const server = await listening(createServer(listener), address, url.port);
      if (server !== undefined) servers.push(server);
    }
    if (servers.length === 0) throw new CalError("local", `this machine has no loopback address for ${url.href}`);
    return servers;
  } catch (error) {
    await Promise.all(servers.map(closed));
    throw error instanceof CalError ? error : cannotListen(error, url, otherwise);
  }
}

/** Undefined where the machine has no such address (no IPv6). */
function listening(server: Server, address: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (codeOf(error) === "EADDRNOTAVAIL" || codeOf(error) === "EAFNOSUPPORT") resolve(undefined);
      else reject(error);
    });
    server.listen({ host: address, port, exclusive: true }, () => resolve(server));
  });
}

function cannotListen(error: unknown, { port, addresses }: LoopbackUrl, otherwise: string): CalError {
  const why = codeOf(error) === "EADDRINUSE" ? "another program uses this port" : messageOf(error);
  return new CalError("local", `cannot wait for the login at ${addresses.join(" and ")}, port ${port}: ${why}`, {
    code: codeOf(error) ?? "listen",
    hint: `${otherwise}, which needs no port; or end that program, perhaps another login that waits`,
    cause: error,
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
