// The loopback listener of a login in the browser: open only while the flow lasts, and for one hand-over.

import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { CalError, codeOf, messageOf } from "../../errors.ts";
import { parseJsonBody, toRecord } from "../credentials.ts";
import type { CallbackParser, LoopbackUrl } from "./redirect.ts";

/** A flow that waits for a browser. */
interface CallbackServerOptions<T> {
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

// Which requests to the loopback listener are honest: everything that another page, process or prefetch may try ends here.

/** The secrets of one flow, each unguessable: the path that starts it, the cookie of the browser that did, and the nonce of our page. */
interface CallbackSecrets {
  readonly start: string;
  readonly cookie: string;
  readonly nonce: string;
}

/** The name of the cookie that binds a flow to the browser that opened it. */
const cookieName = "cal_login";

/** The header that carries the nonce of our page. */
const nonceHeader = "x-cal-nonce";

/** A refusal: the status and the words that go with it. */
interface Rejection {
  readonly status: number;
  readonly message: string;
}

/** Undefined for a request that names us as we are registered; another name may be a rebound DNS entry. */
function checkHost(headers: IncomingHttpHeaders, url: LoopbackUrl): Rejection | undefined {
  return headers.host === url.host ? undefined : { status: 421, message: "This address is not served here." };
}

/** Undefined for a page load of a person: no frame, no prefetch. */
function checkNavigation(headers: IncomingHttpHeaders): Rejection | undefined {
  const purpose = `${String(headers["sec-purpose"] ?? "")} ${String(headers["purpose"] ?? "")}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return { status: 403, message: "This page is not loaded ahead." };
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return { status: 403, message: "This page is not shown inside another." };
  return undefined;
}

/** Undefined for the browser that started the flow. */
function checkCookie(headers: IncomingHttpHeaders, secrets: CallbackSecrets): Rejection | undefined {
  const cookies = (headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  if (cookies.some(([name, value]) => name === cookieName && constantTimeEqual(value ?? "", secrets.cookie))) return undefined;
  return { status: 403, message: "This browser did not start the login. Open the address that cal printed, in this browser." };
}

/** Undefined for a hand-over by our own page: its origin, its nonce, its content type. */
function checkPost(headers: IncomingHttpHeaders, url: LoopbackUrl, secrets: CallbackSecrets): Rejection | undefined {
  const site = headers["sec-fetch-site"];
  if (headers.origin !== url.origin || (site !== undefined && site !== "same-origin"))
    return { status: 403, message: "Not from this page." };
  if (!constantTimeEqual(String(headers[nonceHeader] ?? ""), secrets.nonce)) return { status: 403, message: "Not from this page." };
  if (headers["content-type"] !== "application/json") return { status: 415, message: "Not JSON." };
  return checkCookie(headers, secrets);
}

/** Compares without telling by its time where two texts differ. */
function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

// The page that the browser comes back to: it hands the login over, clears the address bar and says what to do.

const commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  connection: "close",
} as const;

/** The headers of every answer that is not the page. */
const plainTextHeaders: OutgoingHttpHeaders = {
  ...commonHeaders,
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The headers of the page: only its own script and style run, nothing is loaded, nobody frames it. */
function pageHeaders(scriptNonce: string): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${scriptNonce}'`,
    `style-src 'nonce-${scriptNonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...commonHeaders, "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
}

const style = `
:root { color-scheme: light dark; --ground: #f6f5f2; --card: #ffffff; --ink: #1d1d1f; --soft: #55555c; --line: #dddbd5; --good: #1a6e3c; --bad: #a32a1c; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #17181b; --card: #212327; --ink: #f1f1f3; --soft: #b3b4bb; --line: #383b41; --good: #6fd295; --bad: #ff9a8c; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
svg { display: block; width: 2.5rem; height: 2.5rem; margin-bottom: 1.25rem; color: var(--soft); }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; font-weight: 600; text-wrap: balance; }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
[data-state="good"] svg { color: var(--good); }
[data-state="bad"] svg { color: var(--bad); }
path { display: none; }
[data-state="wait"] .wait, [data-state="good"] .good, [data-state="bad"] .bad { display: inline; }
`;

const script = `
const main = document.querySelector("main");
const show = (state, title, text) => {
  main.dataset.state = state;
  document.title = title + " - cal";
  main.querySelector("h1").textContent = title;
  main.querySelector("p").textContent = text;
};
const fragment = location.hash.slice(1);
const query = location.search.slice(1);
history.replaceState(null, "", location.pathname);
const handOver = async () => {
  if (fragment === "" && query === "") {
    return show("bad", "No login came with this page", "If you have just reloaded it, all may be well: your terminal tells. Otherwise start again there.");
  }
  try {
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "content-type": "application/json", [main.dataset.header]: main.dataset.nonce },
      body: JSON.stringify({ fragment, query }),
    });
    const said = await answer.text();
    if (answer.ok) return show("good", "Back to your terminal", "It has received the login. You can close this window.");
    show("bad", "This did not work", said + " Your terminal tells more. You can close this window.");
  } catch {
    show("bad", "Your terminal is not waiting any more", "Start the login again there. You can close this window.");
  }
};
handOver();
`;

/** The page, whole. Nothing that came from outside is part of it. */
function renderCallbackPage(scriptNonce: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Logging in - cal</title>
<style nonce="${scriptNonce}">${style}</style>
</head>
<body>
<main data-state="wait" data-header="${nonceHeader}" data-nonce="${nonce}">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
<circle cx="12" cy="12" r="10"/><path class="wait" d="M12 7v5l3 2"/><path class="good" d="M7.5 12.5l3 3 6-6.5"/><path class="bad" d="M12 7v6M12 16.5v.5"/>
</svg>
<div role="status" aria-live="polite">
<h1>Logging in</h1>
<p>One moment: the login is handed to your terminal.</p>
</div>
<noscript><p>This page needs JavaScript to hand the login over. Without it, start again with: cal auth login --method browser --no-browser</p></noscript>
</main>
<script nonce="${scriptNonce}">${script}</script>
</body>
</html>
`;
}
