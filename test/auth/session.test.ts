// The header for requests: the order of its sources, its expiry, and one refresh for all callers.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CredentialStore, Login, NewLogin, Secrets } from "../../src/auth/credential-store.ts";
import type { AuthHeaderProvider, Env } from "../../src/auth/credentials.ts";
import { requestTokenByPassword } from "../../src/auth/password.ts";
import { createAuthHeaderProvider } from "../../src/auth/session.ts";
import {
  catchCalError,
  createAuthSettings,
  createTempFolder,
  createTestClock,
  createTestCredentialStore,
  createTestTransport,
  startTestServer,
  type TestClock,
} from "./kit.ts";
import { account, startTokenService, type TokenService } from "./token-service.ts";

interface Setup {
  readonly clock: TestClock;
  readonly credentialStore: CredentialStore;
  readonly warnings: string[];
  readonly tokens: (env?: Env, settings?: Readonly<Record<string, unknown>>) => AuthHeaderProvider;
  readonly save: (secrets: Secrets, row?: Partial<NewLogin>) => Promise<Login>;
}

async function setup(values: Readonly<Record<string, unknown>>): Promise<Setup> {
  const clock = createTestClock();
  const credentialStore = createTestCredentialStore(await createTempFolder(), clock);
  const warnings: string[] = [];
  const transport = createTestTransport();
  const warn = async (text: string): Promise<void> => void warnings.push(text);
  return {
    clock,
    credentialStore,
    warnings,
    tokens: (env = {}, settings = {}) =>
      createAuthHeaderProvider({
        settings: createAuthSettings({ ...values, ...settings }),
        env,
        clock,
        transport: async () => transport,
        credentialStore: async () => credentialStore,
        warn,
      }),
    save: async (secrets, row = {}) => {
      const origins = { auth_origin: new URL(String(values["auth_url"] ?? "http://none")).origin, base_origin: "http://site.test" };
      const { login } = await credentialStore.save(
        {
          profile: "default",
          store: "keychain",
          method: "password",
          application: account.clientId,
          username: account.username,
          ...origins,
          ...row,
        },
        secrets,
      );
      return login;
    },
  };
}

async function loggedIn(service: TokenService, row: Partial<NewLogin> = {}): Promise<Setup & { readonly first: string }> {
  const created = await setup({ auth_url: service.authUrl, base_url: "http://site.test/wp-json" });
  const grant = await requestTokenByPassword(
    { authUrl: service.authUrl, transport: createTestTransport(), clock: created.clock },
    "token",
    account,
  );
  const secrets = { "access-token": grant.accessToken, "refresh-token": grant.refreshToken ?? "", "client-secret": account.clientSecret };
  await created.save(secrets, { ...(grant.expiresAt === undefined ? {} : { expires_at: grant.expiresAt }), ...row });
  return { ...created, first: `Bearer ${grant.accessToken}` };
}

const credentials: Env = { CAL_PASSWORD: account.password, CAL_CLIENT_SECRET: account.clientSecret };
const known = { username: account.username, client_id: account.clientId };

test("CAL_TOKEN comes before credentials, credentials before the store, the store before an anonymous request", async () => {
  const service = await startTokenService();
  const { tokens, first, credentialStore } = await loggedIn(service);
  const token = { header: "authorization", value: "Bearer from-env", source: "CAL_TOKEN" };
  expect(await tokens({ ...credentials, CAL_TOKEN: "from-env" }, known).getAuthHeader()).toEqual(token);
  const fromEnvironment = await tokens(credentials, known).getAuthHeader();
  expect([fromEnvironment?.source, fromEnvironment?.value === first]).toEqual(["CAL_PASSWORD", false]);
  expect(await tokens().getAuthHeader()).toEqual({ header: "authorization", value: first, source: "keychain" });
  await credentialStore.remove("default");
  expect(await tokens().getAuthHeader()).toBeUndefined();
});

test("secrets come from files too, one line each", async () => {
  const path = await createTempFolder();
  const { tokens } = await setup({});
  await writeFile(join(path, "token"), "from-file\n");
  expect(await tokens({ CAL_TOKEN_FILE: join(path, "token") }).getAuthHeader()).toEqual({
    header: "authorization",
    value: "Bearer from-file",
    source: "CAL_TOKEN_FILE",
  });
  await writeFile(join(path, "token"), "one\ntwo\n");
  expect(await catchCalError(tokens({ CAL_TOKEN_FILE: join(path, "token") }).getAuthHeader())).toMatchObject({
    kind: "usage",
    message: "the file of CAL_TOKEN_FILE does not hold one line with the secret",
  });
  expect(await catchCalError(tokens({ CAL_TOKEN_FILE: join(path, "none") }).getAuthHeader())).toMatchObject({ kind: "local" });
  expect(await catchCalError(tokens({ CAL_TOKEN: "two words" }).getAuthHeader())).toMatchObject({
    kind: "usage",
    message: expect.not.stringContaining("two words"),
  });
});

test.each([
  ["header and scheme", { auth_header: "X-Token", auth_scheme: "Key" }, { header: "x-token", value: "Key t" }],
  ["a bare token", { auth_scheme: "" }, { header: "authorization", value: "t" }],
])("the profile sets %s", async (_name, settings, expected) => {
  const { tokens } = await setup(settings);
  expect(await tokens({ CAL_TOKEN: "t" }).getAuthHeader()).toEqual({ ...expected, source: "CAL_TOKEN" });
});

test("half a login in the environment is an error, unless a stored one is complete", async () => {
  const { tokens, save } = await setup({ auth_url: "http://auth.test" });
  expect(await catchCalError(tokens({ CAL_PASSWORD: "p" }, { username: "ana" }).getAuthHeader())).toEqual({
    kind: "unauthenticated",
    message: "a password is in the environment, but not CAL_CLIENT_ID, CAL_CLIENT_SECRET, and no login is stored for profile default",
    hint: "set CAL_CLIENT_ID, CAL_CLIENT_SECRET, or: cal auth login",
  });
  await save({ "access-token": "stored" });
  expect((await tokens({ CAL_PASSWORD: "p" }).getAuthHeader())?.value).toBe("Bearer stored");
});

test("user name and password without a service may be an application password, and the hint names the settings for it", async () => {
  const { tokens } = await setup({});
  expect(await catchCalError(tokens({ CAL_PASSWORD: "p" }, { username: "ana" }).getAuthHeader())).toMatchObject({
    message: expect.stringContaining("a password is in the environment, but not CAL_CLIENT_ID, CAL_CLIENT_SECRET, CAL_AUTH_URL"),
    hint: "for an application password of a WordPress site: set CAL_NAMESPACE=tribe/events/v1 (where it runs The Events Calendar), or CAL_AUTH_METHOD=application-password; for an authentication service: set CAL_CLIENT_ID, CAL_CLIENT_SECRET, CAL_AUTH_URL; or: cal auth login",
  });
  const chosen = await catchCalError(tokens({ CAL_PASSWORD: "p" }, { username: "ana", auth_method: "password" }).getAuthHeader());
  expect(chosen).toMatchObject({ hint: "set CAL_CLIENT_ID, CAL_CLIENT_SECRET, CAL_AUTH_URL, or: cal auth login" });
});

test("a site that runs The Events Calendar gets user name and password as Basic, and a Bearer only with a warning", async () => {
  const { tokens, warnings } = await setup({ server: "the-events-calendar", username: "ana" });
  const password = "abcd EFGH ijkl";
  expect(await tokens({ CAL_PASSWORD: password }).getAuthHeader()).toEqual({
    header: "authorization",
    value: `Basic ${Buffer.from(`ana:${password}`).toString("base64")}`,
    source: "CAL_PASSWORD",
  });
  expect(warnings).toEqual([]);
  await tokens({ CAL_TOKEN: "t" }).getAuthHeader();
  expect(warnings).toEqual([
    expect.stringContaining("CAL_TOKEN is sent as a Bearer token, which sites that run The Events Calendar take for an anonymous visitor"),
  ]);
});

test("tokens got with credentials of the environment stay in memory and are got again when they end", async () => {
  const service = await startTokenService(60);
  const { tokens, clock, credentialStore } = await setup({ auth_url: service.authUrl, ...known });
  const one = tokens(credentials);
  const [first, same] = await Promise.all([one.getAuthHeader(), one.getAuthHeader()]);
  clock.advance(55_000);
  const second = await one.getAuthHeader();
  const third = second === undefined ? undefined : await one.refreshAuthHeader(second);
  expect([
    first === same,
    new Set([first?.value, second?.value, third?.value]).size,
    service.log.length,
    await credentialStore.listLogins(),
  ]).toEqual([true, 3, 3, []]);
});

test("a service without the standard endpoint is asked at the application endpoint", async () => {
  const server = await startTestServer(({ url }) => (url === "/api/auth/6/app" ? { body: { _TOKEN: "app-token" } } : { status: 404 }));
  const { tokens } = await setup({ auth_url: server.origin, ...known });
  expect((await tokens(credentials).getAuthHeader())?.value).toBe("Bearer app-token");
});

test("a token is refreshed half a minute before it ends, and the new refresh token is stored", async () => {
  const service = await startTokenService();
  const { tokens, clock, first, credentialStore } = await loggedIn(service);
  const long = tokens();
  clock.advance(3_600_000 - 30_001);
  expect((await long.getAuthHeader())?.value).toBe(first);
  clock.advance(1);
  const second = await long.getAuthHeader();
  clock.advance(3_600_000);
  const third = await tokens().getAuthHeader();
  expect([
    service.log,
    new Set([first, second?.value, third?.value]).size,
    (await credentialStore.findLogin("default"))?.expires_at,
  ]).toEqual([["password Basic 200", "refresh_token Basic 200", "refresh_token Basic 200"], 3, clock.now() + 3_600_000]);
});

test("a 401 refreshes once; a second one in another part of the program takes the same new token", async () => {
  const service = await startTokenService();
  const { tokens } = await loggedIn(service);
  const [one, other] = [tokens(), tokens()];
  const refused = await one.getAuthHeader();
  await other.getAuthHeader();
  if (refused === undefined) throw new Error("no access");
  const answers = await Promise.all([one.refreshAuthHeader(refused), one.refreshAuthHeader(refused), other.refreshAuthHeader(refused)]);
  const again = await one.refreshAuthHeader(refused);
  expect([
    new Set([...answers, again].map((access) => access?.value)).size,
    service.log.filter((line) => line.startsWith("refresh")),
  ]).toEqual([1, ["refresh_token Basic 200"]]);
});

test("a session that the service ended, and one that can't be refreshed, name the command", async () => {
  const service = await startTokenService();
  const { tokens, clock, save } = await loggedIn(service);
  clock.advance(3_600_000);
  service.clearRefreshTokens();
  const ended = {
    kind: "unauthenticated",
    code: "session-ended",
    message: "the session of profile default has ended",
    hint: "cal auth login",
  };
  expect(await catchCalError(tokens().getAuthHeader())).toEqual(ended);
  await save({ "access-token": "only" }, { method: "browser", expires_at: clock.now() + 60_000 });
  const short = tokens();
  const access = await short.getAuthHeader();
  expect([access?.value, access && (await short.refreshAuthHeader(access))]).toEqual(["Bearer only", undefined]);
  clock.advance(60_000);
  expect(await catchCalError(short.getAuthHeader())).toEqual(ended);
});

test("a token that nothing can replace is used until its end", async () => {
  const { tokens, clock, save } = await setup({ auth_url: "http://127.0.0.1:9" });
  await save({ "access-token": "only" }, { method: "browser", expires_at: clock.now() + 60_000 });
  clock.advance(59_000);
  expect((await tokens().getAuthHeader())?.value).toBe("Bearer only");
  clock.advance(1000);
  expect(await catchCalError(tokens().getAuthHeader())).toMatchObject({ code: "session-ended" });
});

test("a token of a short life is refreshed in its last tenth", async () => {
  const service = await startTokenService(60);
  const { tokens, clock, first } = await loggedIn(service);
  const values: boolean[] = [];
  for (const ms of [50_000, 5000]) {
    clock.advance(ms);
    values.push((await tokens().getAuthHeader())?.value === first);
  }
  expect(values).toEqual([true, false]);
});

test("a password that was to be remembered logs in again without a question", async () => {
  const service = await startTokenService();
  const { tokens, clock, save } = await setup({ auth_url: service.authUrl });
  await save({ "access-token": "old", "client-secret": account.clientSecret, password: account.password }, { expires_at: clock.now() });
  expect((await tokens().getAuthHeader())?.value).toMatch(/^Bearer [0-9a-f]{64}$/);
  expect(service.log).toEqual(["password Basic 200"]);
});

test("a service that can't be reached is an error only when the token has expired", async () => {
  const server = await startTestServer(() => ({ status: 503 }));
  const { tokens, clock, save } = await setup({ auth_url: server.origin });
  await save({ "access-token": "old", "refresh-token": "r" }, { expires_at: clock.now() + 20_000 });
  expect((await tokens().getAuthHeader())?.value).toBe("Bearer old");
  clock.advance(20_000);
  expect(await catchCalError(tokens().getAuthHeader())).toMatchObject({ kind: "unavailable", status: 503 });
});

test("a new token that can't be stored is used all the same, with a warning", async () => {
  const service = await startTokenService();
  const { tokens, clock, first, warnings, credentialStore } = await loggedIn(service);
  clock.advance(3_600_000);
  credentialStore.update = () => Promise.reject(new Error("disk full"));
  const access = await tokens().getAuthHeader();
  expect([access?.value === first, warnings]).toEqual([
    false,
    ["the new token could not be stored, so the next command may have to log in again (disk full)"],
  ]);
});

test.each([
  ["base_url", "https://evil.test/wp-json", "https://evil.test"],
  ["auth_url", "http://evil.test", "http://evil.test"],
])("stored secrets go to no other %s", async (name, address, origin) => {
  const server = await startTestServer(() => ({}));
  const { tokens, save, clock } = await setup({ auth_url: server.origin, base_url: "http://site.test/wp-json" });
  await save({ "access-token": "old", "refresh-token": "r" }, { expires_at: clock.now() });
  expect(await catchCalError(tokens({}, { [name]: address }).getAuthHeader())).toMatchObject({
    kind: "unauthenticated",
    code: "origin-changed",
    message: expect.stringContaining(`nothing was sent: ${name} is at ${origin} (profile default), but profile default was logged in for `),
  });
  expect(server.receivedRequests).toEqual([]);
});
