// The password grant and the refresh with a foreign token endpoint.

import { expect, test } from "vitest";
import { refreshAccessToken, requestTokenByPassword, revokeTokens } from "../../src/auth/password.ts";
import { catchCalError, createTestClock, createTestTransport, startTestServer } from "./kit.ts";
import { account, startTokenService } from "./token-service.ts";

test("the standard endpoint grants a token for a password, the application key going as Basic", async () => {
  const service = await startTokenService();
  const clock = createTestClock();
  const grant = await requestTokenByPassword({ authUrl: service.authUrl, transport: createTestTransport(), clock }, "token", account);
  expect(grant).toEqual({
    accessToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    refreshToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    expiresAt: clock.now() + 3_600_000,
  });
  expect(service.log).toEqual(["password Basic 200"]);
});

test.each([
  [
    "a wrong password",
    { password: "nope" },
    "invalid_grant",
    400,
    "the authentication service refused the credentials (it says: Invalid grant: user credentials are invalid)",
  ],
  [
    "a wrong client secret",
    { clientSecret: "nope" },
    "invalid_client",
    401,
    "the authentication service refused the application key (it says: Invalid client: client is invalid)",
  ],
])("%s is refused", async (_name, wrong, code, status, message) => {
  const service = await startTokenService();
  const failed = await catchCalError(
    requestTokenByPassword({ authUrl: service.authUrl, transport: createTestTransport(), clock: createTestClock() }, "token", {
      ...account,
      ...wrong,
    }),
  );
  expect(failed).toEqual({ kind: "unauthenticated", code, status, message, hint: expect.stringContaining("cal auth login") });
});

test("a refresh token is exchanged for new tokens, works once, and is then refused", async () => {
  const service = await startTokenService();
  const parts = { authUrl: service.authUrl, transport: createTestTransport(), clock: createTestClock() };
  const { refreshToken: first = "" } = await requestTokenByPassword(parts, "token", account);
  const { tokenResponse, method } = await refreshAccessToken(parts, account, first);
  expect({ way: method, rotated: tokenResponse.refreshToken !== first, expiresAt: tokenResponse.expiresAt }).toEqual({
    way: "standard",
    rotated: true,
    expiresAt: parts.clock.now() + 3_600_000,
  });
  expect(await catchCalError(refreshAccessToken(parts, account, first))).toMatchObject({ kind: "unauthenticated", code: "invalid_grant" });
  expect(service.log).toEqual(["password Basic 200", "refresh_token Basic 200", "refresh_token Basic 400"]);
});

test("the application endpoint is sent all four fields as JSON and read by its own names", async () => {
  const clock = createTestClock();
  const server = await startTestServer(() => ({
    headers: { date: new Date(clock.now() - 600_000).toUTCString() },
    body: {
      _TOKEN: "tok-1",
      _APPLICATION: "app-1",
      _IDENTITY: "ana",
      _IDENTITY_ID: 7,
      "expires-at": clock.now() - 600_000 + 3_600_000,
      type: "Bearer",
    },
  }));
  const grant = await requestTokenByPassword(
    { authUrl: `${server.origin}/base/`, transport: createTestTransport(), clock },
    "app",
    account,
  );
  expect(grant).toEqual({
    accessToken: "tok-1",
    application: "app-1",
    identity: "ana",
    identityId: "7",
    expiresAt: clock.now() + 3_600_000,
  });
  const [{ method, url, headers, body } = { method: "", url: "", headers: {}, body: "" }] = server.receivedRequests;
  expect({ method, url, type: headers["content-type"], authorization: headers.authorization, body: JSON.parse(body) }).toEqual({
    method: "POST",
    url: "/base/api/auth/6/app",
    type: "application/json",
    authorization: undefined,
    body: { client_id: account.clientId, client_secret: account.clientSecret, username: account.username, password: account.password },
  });
});

test.each([
  ["a path that is not there", { status: 404, body: "<html>" }],
  ["a method that is not allowed", { status: 405 }],
  ["a grant that is not known", { status: 400, body: { error: "unsupported_grant_type" } }],
])("where the standard refresh meets %s, the older path is asked, and first the next time", async (_name, reply) => {
  const server = await startTestServer(({ url }) =>
    url === "/api/auth/6/token" ? reply : { body: { _TOKEN: "new-token", refresh_token: "r2" } },
  );
  const parts = { authUrl: server.origin, transport: createTestTransport(), clock: createTestClock() };
  const refreshed = await refreshAccessToken(parts, account, "r1");
  expect(refreshed).toEqual({ tokenResponse: { accessToken: "new-token", refreshToken: "r2" }, method: "older" });
  await refreshAccessToken(parts, account, "r2", "older");
  expect(server.receivedRequests.map(({ url }) => url)).toEqual(["/api/auth/6/token", "/api/auth/6/refresh", "/api/auth/6/refresh"]);
  expect(JSON.parse(server.receivedRequests[1]?.body ?? "")).toEqual({
    client_id: account.clientId,
    client_secret: account.clientSecret,
    refresh_token: "r1",
  });
});

test.each([
  ["a refresh token", { accessToken: "a1", refreshToken: "r1" }, 200, { refresh_token: "r1" }, true],
  ["an access token alone", { accessToken: "a1" }, 204, { token: "a1", token_hint: "access_token" }, true],
  ["a service without the path", { accessToken: "a1" }, 404, { token: "a1", token_hint: "access_token" }, false],
])("revoking by %s", async (_name, tokens, status, sent, answer) => {
  const server = await startTestServer(() => ({ status }));
  expect(await revokeTokens({ authUrl: server.origin, transport: createTestTransport(), clock: createTestClock() }, account, tokens)).toBe(
    answer,
  );
  expect(server.receivedRequests.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    ["/api/auth/6/revoke", { client_id: account.clientId, client_secret: account.clientSecret, ...sent }],
  ]);
});

test("a revocation that fails says so", async () => {
  const server = await startTestServer(() => ({ status: 503 }));
  expect(
    await catchCalError(
      revokeTokens({ authUrl: server.origin, transport: createTestTransport(), clock: createTestClock() }, account, { accessToken: "a1" }),
    ),
  ).toMatchObject({
    kind: "unavailable",
    status: 503,
  });
});
