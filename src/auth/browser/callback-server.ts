// The loopback server of a login in the browser. It runs only while the login waits, and accepts one callback.

import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { CalError, codeOf, messageOf } from "../../errors.ts";
import { parseJsonBody, toRecord } from "../credentials.ts";
import { type CallbackToken, type LoopbackUrl, parseCallbackToken } from "./redirect.ts";

interface CallbackServerOptions {
  /** The redirect URI. */
  readonly url: LoopbackUrl;
  /** Where the start page redirects the browser to. */
  readonly loginUrl: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly createTimeoutError: () => CalError;
  /** The command that logs in with another redirect URI. */
  readonly otherUrlCommand: string;
}

export interface CallbackServer {
  /** The address to open. It holds no secret of the login, works for one browser, and redirects to the login page. */
  readonly startUrl: string;
  /** The token of the callback; rejects with the error of the service, or with that of the timeout. */
  readonly result: Promise<CallbackToken>;
  close(): Promise<void>;
}

/** The status and the message of a request that is refused. */
type Rejection = readonly [status: number, message: string];

const cookieName = "cal_login";
const nonceHeader = "x-cal-nonce";
const maxBodyBytes = 64 * 1024;

/** Listens before a browser is opened. Rejects with `local` where the port is in use: a registered redirect URI has no other port. */
export async function startCallbackServer(options: CallbackServerOptions): Promise<CallbackServer> {
  const { url, loginUrl, timeout, createTimeoutError, otherUrlCommand } = options;
  const createSecret = (): string => randomBytes(24).toString("base64url");
  const [cookie, nonce, startPath] = [createSecret(), createSecret(), `/start/${createSecret()}`];
  let isStarted = false;
  let isDone = false;
  let succeed: (token: CallbackToken) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const result = new Promise<CallbackToken>((resolve, reject) => {
    succeed = resolve;
    fail = reject;
  });
  // A caller may close the server and never await the result.
  result.catch(() => undefined);

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method } = request;
    const { pathname } = new URL(request.url ?? "/", url.origin);
    // Another host name may be a rebound DNS entry.
    if (headers.host !== url.host) return sendText(response, 421, "This address is not served here.\n");
    const isStart = constantTimeEqual(pathname, startPath) && method === "GET";
    const rejection = isStart ? checkStart(headers) : checkCallback(pathname, method, headers);
    if (rejection !== undefined) return sendText(response, rejection[0], `${rejection[1]}\n`);
    if (isStart) {
      isStarted = true;
      // The cookie is for every path: the start page needs it again after a reload.
      const setCookie = `${cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Lax`;
      response.writeHead(302, { ...plainTextHeaders, "set-cookie": setCookie, location: loginUrl }).end();
    } else if (method === "GET") sendCallbackPage(response, nonce);
    else await receiveCallback(request, response);
  };

  /** The first browser gets the cookie. It may come again; another one may not. */
  const checkStart = (headers: IncomingHttpHeaders): Rejection | undefined => {
    const rejection = checkNavigation(headers);
    if (rejection !== undefined || !isStarted || checkCookie(headers, cookie) === undefined) return rejection;
    return [410, "This address was opened before, in another browser. Start the login again."];
  };

  const checkCallback = (pathname: string, method: string | undefined, headers: IncomingHttpHeaders): Rejection | undefined => {
    if (pathname !== url.path) return [404, "There is nothing here."];
    if (method === "GET") return checkNavigation(headers) ?? checkCookie(headers, cookie);
    if (method === "POST") return checkPost(headers, url, nonce) ?? checkCookie(headers, cookie);
    return [405, "This method is not allowed."];
  };

  /** Takes the query and the fragment that our page posts. The first valid callback ends the login. */
  const receiveCallback = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    if (body === undefined) return sendText(response, 413, "Too long.\n");
    if (isDone) return sendText(response, 410, "The login is already finished.\n");
    const posted = toRecord(parseJsonBody(body)) ?? {};
    const part = (name: string): string => (typeof posted[name] === "string" ? posted[name] : "");
    try {
      const token = parseCallbackToken({ query: part("query"), fragment: part("fragment") });
      if (token === undefined) return sendText(response, 400, "The request has no login.\n");
      isDone = true;
      response.once("close", () => succeed(token));
      sendText(response, 200, "Received.");
    } catch (error) {
      isDone = true;
      response.once("close", () => fail(error));
      sendText(response, 422, messageOf(error));
    }
  };

  const servers = await listenOnAll(url, otherUrlCommand, (request, response) => {
    handleRequest(request, response).catch(() => response.destroy());
  });
  const timer = setTimeout(() => fail(createTimeoutError()), timeout);
  return {
    startUrl: `${url.origin}${startPath}`,
    result,
    close: async () => {
      clearTimeout(timer);
      await Promise.all(servers.map(closeServer));
    },
  };
}

/**
 * Listens where the browser of a login ends whose address is pasted: no other program may receive the token there. The page says what to do,
 * and reads nothing. Rejects with `local` and the code `EADDRINUSE` where another program has the port.
 */
export async function holdCallbackPort(url: LoopbackUrl, otherUrlCommand: string): Promise<Pick<CallbackServer, "close">> {
  const servers = await listenOnAll(url, otherUrlCommand, ({ headers }, response) => {
    if (headers.host !== url.host) sendText(response, 421, "This address is not served here.\n");
    else sendText(response, 200, "Copy the whole address of this page, and paste it into your terminal.\n");
  });
  return { close: async () => void (await Promise.all(servers.map(closeServer))) };
}

/** Compares in a time that does not depend on where two texts differ. */
function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Refuses everything but a page that a user loads: no frame, no prefetch. */
function checkNavigation(headers: IncomingHttpHeaders): Rejection | undefined {
  const purpose = `${String(headers["sec-purpose"] ?? "")} ${String(headers["purpose"] ?? "")}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return [403, "This page can't be prefetched."];
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return [403, "This page can't be shown in a frame."];
  return undefined;
}

/** Refuses a browser that did not open the start page. */
function checkCookie(headers: IncomingHttpHeaders, cookie: string): Rejection | undefined {
  const cookies = (headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  if (cookies.some(([name, value]) => name === cookieName && constantTimeEqual(value ?? "", cookie))) return undefined;
  return [403, "This browser did not start the login. Open the address that cal printed, in this browser."];
}

/** Refuses a POST of any page but ours. */
function checkPost(headers: IncomingHttpHeaders, url: LoopbackUrl, nonce: string): Rejection | undefined {
  const site = headers["sec-fetch-site"];
  const isOwnOrigin = headers.origin === url.origin && (site === undefined || site === "same-origin");
  if (!isOwnOrigin || !constantTimeEqual(String(headers[nonceHeader] ?? ""), nonce)) return [403, "This request came from another page."];
  if (headers["content-type"] !== "application/json") return [415, "Not JSON."];
  return undefined;
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

async function listenOnAll(url: LoopbackUrl, otherUrlCommand: string, listener: RequestListener): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of url.addresses) {
      const server = await listen(createServer(listener), address, url.port);
      if (server !== undefined) servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    const isTaken = codeOf(error) === "EADDRINUSE";
    const reason = isTaken ? "another program uses this port, and would receive the login" : messageOf(error);
    throw new CalError("local", `cannot wait for the login at ${url.addresses.join(" and ")}, port ${url.port}: ${reason}`, {
      code: codeOf(error) ?? "listen",
      hint: [
        ...(isTaken ? ["end that program; perhaps it is another login that waits"] : []),
        { text: "or use another address that is registered for this client id", command: otherUrlCommand },
      ],
      cause: error,
    });
  }
  if (servers.length === 0) throw new CalError("local", `this machine has no loopback address for ${url.href}`);
  return servers;
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  connection: "close",
} as const;

const plainTextHeaders = {
  ...commonHeaders,
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, plainTextHeaders).end(text);
}

/** Only the page's own script and style run; it loads nothing else, and no other page may frame it. */
function sendCallbackPage(response: ServerResponse, nonce: string): void {
  const scriptNonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${scriptNonce}'`,
    `style-src 'nonce-${scriptNonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const headers = { ...commonHeaders, "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
  response.writeHead(200, headers).end(renderCallbackPage(scriptNonce, nonce));
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
    show("bad", "This did not work", said + " Your terminal shows more. You can close this window.");
  } catch {
    show("bad", "Your terminal is not waiting any more", "Start the login again there. You can close this window.");
  }
};
handOver();
`;

/** Posts the query and the fragment of its address to the server, and clears them. Nothing of a request is part of the page. */
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
