// The callback server refuses requests that other pages, processes and browsers could send.

import { type IncomingHttpHeaders, request as send } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { type CallbackServer, startCallbackServer } from "../../src/auth/browser/callback-server.ts";
import { type LoopbackUrl, parseLoopbackUrl } from "../../src/auth/browser/redirect.ts";
import { CalError } from "../../src/errors.ts";
import { catchCalError, findFreePort } from "./kit.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const otherUrlCommand = "cal auth login --method browser --redirect-url <address>";

interface Setup {
  readonly server: CallbackServer;
  readonly url: LoopbackUrl;
  readonly ask: (method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string) => Promise<Answer>;
  /** The headers of a valid POST of our page, in the browser that opened the start page. */
  readonly validHeaders: Readonly<Record<string, string>>;
}

async function setup(redirect = (port: number) => `http://127.0.0.1:${port}/callback`, timeout = 60_000): Promise<Setup> {
  const url = parseLoopbackUrl(redirect(await findFreePort()));
  const createTimeoutError = () => new CalError("unauthenticated", "too late");
  const server = await startCallbackServer({
    url,
    loginUrl: "https://auth.test/login?x=1",
    timeout,
    otherUrlCommand,
    createTimeoutError,
  });
  onTestFinished(() => server.close());
  const ask: Setup["ask"] = (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const request = send(
        { host: "127.0.0.1", port: url.port, method, path, headers: { host: url.host, ...headers } },
        async (response) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: (await response.toArray()).join("") });
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  const start = await ask("GET", new URL(server.startUrl).pathname);
  const cookie = start.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const page = await ask("GET", url.path, { cookie });
  const nonce = /data-nonce="([^"]+)"/.exec(page.body)?.[1] ?? "";
  return {
    server,
    url,
    ask,
    validHeaders: { cookie, origin: url.origin, "content-type": "application/json", "sec-fetch-site": "same-origin", "x-cal-nonce": nonce },
  };
}

const validBody = JSON.stringify({ query: "", fragment: "accessoken=good-token" });

test("a valid login: start page, callback page, one POST; a second POST is refused", async () => {
  const { server, url, ask, validHeaders } = await setup();
  expect(await ask("POST", url.path, validHeaders, validBody)).toMatchObject({ status: 200, body: "Received." });
  expect(await server.result).toEqual({ token: "good-token" });
  expect((await ask("POST", url.path, validHeaders, JSON.stringify({ fragment: "accessoken=other-token" }))).status).toBe(410);
  await server.close();
  await expect(ask("GET", url.path)).rejects.toThrow("ECONNREFUSED");
});

test("the start page redirects to the login page, sets a cookie, and works again in the same browser", async () => {
  const { server, ask, validHeaders } = await setup();
  const path = new URL(server.startUrl).pathname;
  const again = await ask("GET", path, { cookie: validHeaders["cookie"] ?? "" });
  expect([again.status, again.headers.location, again.headers["set-cookie"]]).toEqual([
    302,
    "https://auth.test/login?x=1",
    [expect.stringMatching(/^cal_login=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/)],
  ]);
  expect((await ask("GET", path)).status).toBe(410);
  expect((await ask("GET", "/start/guess")).status).toBe(404);
});

test.each([
  ["another origin", { origin: "http://evil.test" }, 403],
  ["no origin", { origin: "" }, 403],
  ["an opaque origin", { origin: "null" }, 403],
  ["another scheme", { origin: "https://127.0.0.1" }, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["the same site, another port", { "sec-fetch-site": "same-site" }, 403],
  ["no nonce", { "x-cal-nonce": "" }, 403],
  ["another nonce", { "x-cal-nonce": "x".repeat(32) }, 403],
  ["no cookie", { cookie: "" }, 403],
  ["another cookie", { cookie: `cal_login=${"x".repeat(32)}` }, 403],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["another host", { host: "evil.test" }, 421],
  ["localhost where 127.0.0.1 is registered", { host: "localhost" }, 421],
])("a POST with %s is refused, and a valid one still counts", async (_name, wrong, status) => {
  const { server, url, ask, validHeaders } = await setup();
  const refused = await ask("POST", url.path, { ...validHeaders, ...wrong }, JSON.stringify({ fragment: "accessoken=evil-token" }));
  expect(refused.status).toBe(status);
  expect(Object.keys(refused.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  await ask("POST", url.path, validHeaders, validBody);
  expect(await server.result).toEqual({ token: "good-token" });
});

test.each([
  ["a prefetch", { "sec-purpose": "prefetch;prerender" }],
  ["an old prefetch", { purpose: "prefetch" }],
  ["a frame", { "sec-fetch-dest": "iframe" }],
  ["a script", { "sec-fetch-dest": "script" }],
  ["a browser that did not start the flow", { cookie: "" }],
])("the page is not shown to %s", async (_name, headers) => {
  const { url, ask, validHeaders } = await setup();
  const answer = await ask("GET", url.path, { cookie: validHeaders["cookie"] ?? "", ...headers });
  expect([answer.status, answer.body.includes("nonce")]).toEqual([403, false]);
});

test("a prefetch of the start address does not use it up", async () => {
  const url = parseLoopbackUrl(`http://127.0.0.1:${await findFreePort()}/callback`);
  const server = await startCallbackServer({
    url,
    loginUrl: "https://auth.test/",
    timeout: 60_000,
    otherUrlCommand,
    createTimeoutError: () => new CalError("unauthenticated", ""),
  });
  onTestFinished(() => server.close());
  const status = (headers: Readonly<Record<string, string>>) =>
    new Promise((resolve) => send(server.startUrl, { headers }, (response) => resolve(response.resume().statusCode)).end());
  expect([await status({ "sec-purpose": "prefetch" }), await status({}), await status({})]).toEqual([403, 302, 410]);
});

test("other methods, other paths, empty and huge bodies change nothing", async () => {
  const { server, url, ask, validHeaders } = await setup();
  const huge = ask("POST", url.path, validHeaders, JSON.stringify({ fragment: "x".repeat(70_000) })).then(({ status }) => status);
  expect([
    (await ask("OPTIONS", url.path, { origin: "http://evil.test", "access-control-request-private-network": "true" })).status,
    (await ask("PUT", url.path, validHeaders, validBody)).status,
    (await ask("POST", "/other", validHeaders, validBody)).status,
    (await ask("POST", url.path, validHeaders, "{}")).status,
    (await ask("POST", url.path, validHeaders, "no json")).status,
    (await ask("GET", `${url.path}?error=evil`, { cookie: validHeaders["cookie"] ?? "" })).status,
    await huge,
  ]).toEqual([405, 405, 404, 400, 400, 200, 413]);
  await ask("POST", url.path, validHeaders, validBody);
  expect(await server.result).toEqual({ token: "good-token" });
});

test("every answer keeps out of caches, frames and referrers; the page runs its own script alone and quotes nothing", async () => {
  const { url, ask, validHeaders } = await setup();
  const page = await ask("GET", `${url.path}?error=<script>`, { cookie: validHeaders["cookie"] ?? "" });
  const nonce = /script-src 'nonce-([^']+)'/.exec(String(page.headers["content-security-policy"]))?.[1] ?? "";
  const everywhere = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
  expect(page.headers).toMatchObject({
    ...everywhere,
    "content-security-policy": `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  });
  expect([nonce.length, page.body.includes("error=")]).toEqual([24, false]);
  expect((await ask("GET", "/nothing")).headers).toMatchObject({
    ...everywhere,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  });
});

test("a refusal of the service ends the login with its description", async () => {
  const { server, url, ask, validHeaders } = await setup();
  const answer = await ask(
    "POST",
    url.path,
    validHeaders,
    JSON.stringify({ query: "error=access_denied&error_description=Not+today", fragment: "" }),
  );
  expect([answer.status, await catchCalError(server.result)]).toEqual([
    422,
    {
      kind: "unauthenticated",
      code: "access_denied",
      message: "the authentication service refused the login in the browser: Not today",
      hint: "cal auth login --method browser",
    },
  ]);
});

test("a login that is never finished ends with an error", async () => {
  const { server } = await setup(undefined, 30);
  expect(await catchCalError(server.result)).toMatchObject({ message: "too late" });
});

test("a busy port is named, and nothing else is listened on; localhost means both addresses", async () => {
  const { url } = await setup((port) => `http://localhost:${port}/callback`);
  const createTimeoutError = () => new CalError("unauthenticated", "");
  for (const host of ["127.0.0.1", "[::1]"]) {
    const taken = startCallbackServer({
      url: parseLoopbackUrl(`http://${host}:${url.port}/callback`),
      loginUrl: "",
      timeout: 1000,
      otherUrlCommand,
      createTimeoutError,
    });
    expect(await catchCalError(taken)).toMatchObject({
      kind: "local",
      code: "EADDRINUSE",
      message: `cannot wait for the login at ${host.replace(/[[\]]/g, "")}, port ${url.port}: another program uses this port, and would receive the login`,
      hint: `end that program; perhaps it is another login that waits\nor use another address that is registered for this client id: ${otherUrlCommand}`,
    });
  }
});
