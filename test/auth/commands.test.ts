// The auth commands with a real token service, a real sandbox, and servers that behave in other ways.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keychainError } from "../../src/auth/keychain.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createMemoryStore, createTestClock, findFreePort, startTestServer } from "./kit.ts";
import { account, startTokenService } from "./token-service.ts";
import { createUser } from "./user.ts";

const site = "http://site.test/wp-json";
const env = { CAL_PASSWORD: account.password, CAL_CLIENT_SECRET: account.clientSecret };
const byPassword = { flags: { method: "password" }, globals: { "client-id": account.clientId, username: account.username } };
const clock = createTestClock();
const inAnHour = new Date(clock.now() + 3_600_000).toISOString();
const now = new Date(clock.now()).toISOString();

async function sandbox(options: object = {}) {
  const started = await startSandbox({ file: ":memory:", day: "2030-01-01", now: () => Date.UTC(2030, 0, 1), ...options });
  onTestFinished(() => started.close());
  return started;
}

const savedLogin = {
  profile: "default",
  method: "password",
  identity: "ana",
  application: account.clientId,
  store: "keychain",
  expires_at: inAnHour,
  stored_at: now,
  refreshable: true,
};

test("a login by password asks only for what is missing, reports no secret, and makes status, token, refresh and logout work", async () => {
  const service = await startTokenService();
  const keychain = createMemoryStore();
  const cal = await createUser({ base_url: site, auth_url: service.authUrl }, keychain);
  const login = await cal("login", {
    ...byPassword,
    env: { CAL_CLIENT_SECRET: account.clientSecret },
    stdin: `${account.password}\n`,
    flags: { method: "password", "password-stdin": true },
  });
  expect(login).toEqual({
    value: savedLogin,
    text: "Logged in as ana at site.test (profile default); the secrets are in the keychain.",
    stderr: [],
  });
  expect([...keychain.secrets.keys()].map((name) => name.replace(/\/[0-9a-f]{8}\//, "/id/"))).toEqual([
    "default/id/refresh-token",
    "default/id/client-secret",
    "default/id/access-token",
  ]);
  expect(JSON.parse(await readFile(join(cal.path, "config", "config.json"), "utf8")).profiles.default).toEqual({
    base_url: site,
    auth_url: service.authUrl,
    client_id: account.clientId,
    username: account.username,
    auth_method: "password",
  });
  expect(await cal("status")).toEqual({ rows: [{ ...savedLogin, current: true, logged_in: true, source: "keychain" }], stderr: [] });
  const first = await cal("token");
  expect(first).toEqual({
    value: { token: first.text, type: "Bearer", header: "authorization", source: "keychain" },
    text: expect.stringMatching(/^[0-9a-f]{64}$/),
    stderr: [],
  });
  expect((await cal("token", { flags: { header: true } })).text).toBe(`Authorization: Bearer ${first.text}`);
  expect(await cal("refresh")).toEqual({
    value: { profile: "default", refreshed: true, source: "keychain", expires_at: inAnHour },
    text: `Refreshed the token of profile default, valid until 2030-01-01 01:00 (in 60 min).`,
    stderr: [],
  });
  expect((await cal("token")).text).not.toBe(first.text);
  expect(await cal("logout")).toEqual({
    value: { profile: "default", logged_out: true, session: "not revoked" },
    text: "Logged out ana at site.test (profile default). The token was deleted here. The service can't end it, so that it stays valid until it expires.",
    stderr: [],
  });
  expect([keychain.secrets.size, await cal.credentialStore.listLogins()]).toEqual([0, []]);
  expect(await cal("logout")).toEqual({
    value: { profile: "default", logged_out: false },
    text: "Profile default was not logged in.",
    stderr: [],
  });
  const notLoggedIn = { kind: "unauthenticated", code: "not-logged-in", hint: "cal auth login" };
  expect((await cal("status")).error).toEqual({ ...notLoggedIn, message: "profile default: nobody is logged in" });
  expect((await cal("token")).error).toEqual({ ...notLoggedIn, message: "nobody is logged in (profile default)" });
  expect((await cal("refresh")).error).toEqual({
    ...notLoggedIn,
    code: "not-refreshable",
    message: "nobody is logged in (profile default)",
  });
});

const clientId = "Client id (from the administrator of the authentication service)";
const clientSecret = "Client secret (it comes with the client id)";

test("the user is prompted for what is missing, the secrets hidden", async () => {
  const service = await startTokenService();
  const cal = await createUser({ base_url: site, auth_url: service.authUrl });
  const login = await cal("login", {
    answers: [
      "With user name and password at an authentication service",
      account.clientId,
      account.clientSecret,
      account.username,
      account.password,
    ],
  });
  expect([login.value, cal.questions]).toEqual([savedLogin, ["How do you log in?", clientId, clientSecret, "User name", "Password"]]);
});

test("without an interactive prompt, one error names everything that is missing, and nothing is sent", async () => {
  const service = await startTokenService();
  const cal = await createUser({ base_url: site, auth_url: service.authUrl });
  expect((await cal("login", { flags: { method: "password" } })).error).toEqual({
    kind: "usage",
    message: [
      "client id (from the administrator of the authentication service) is missing, and there is no terminal: give it with --client-id or CAL_CLIENT_ID",
      "client secret (it comes with the client id) is missing, and there is no terminal: give it with CAL_CLIENT_SECRET, CAL_CLIENT_SECRET_FILE or --client-secret-file",
      "user name is missing, and there is no terminal: give it with --username or CAL_USERNAME",
      "password is missing, and there is no terminal: give it with --password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE",
    ].join("\n"),
    hint: "all the ways: cal help auth login",
  });
  expect((await cal("login")).error).toMatchObject({ kind: "usage", message: "how to log in is not known" });
  expect(service.log).toEqual([]);
});

test.each([
  ["CAL_TOKEN is set", { env: { ...env, CAL_TOKEN: "t0ken-of-env" } }, {}, "CAL_TOKEN is set and would be used instead of any login"],
  ["--dry-run", { env, globals: { "dry-run": true } }, {}, "--dry-run can't be used here: logging in and out is done or not done"],
  ["no site is known", { env }, { base_url: undefined }, "the address of the calendar is not known: base_url is not set"],
  ["no service is known", { env }, { auth_url: undefined }, "the address of the authentication service is not known: auth_url is not set"],
  [
    "two passwords",
    { env, stdin: "x", flags: { method: "password", "password-stdin": true, "password-file": "f" } },
    {},
    "--password-stdin and --password-file are two passwords; give one",
  ],
  [
    "several lines",
    { env, stdin: "x\ny", flags: { method: "password", "password-stdin": true } },
    {},
    "standard input does not hold one line with the password",
  ],
  [
    "a password to be remembered in a file",
    { env, flags: { method: "password", remember: true, "insecure-storage": true } },
    {},
    "--remember keeps the password in the keychain only, so it can't be used with --insecure-storage",
  ],
])("a login is refused where %s", async (_name, input, profile, message) => {
  const cal = await createUser({ base_url: site, auth_url: "http://127.0.0.1:9", ...profile });
  const login = await cal("login", {
    ...byPassword,
    ...input,
    globals: { ...byPassword.globals, ...("globals" in input ? input.globals : {}) },
  });
  expect(login.error).toMatchObject({ kind: "usage", message });
});

test("a login without a site leads to the command that finds the site", async () => {
  const cal = await createUser({ base_url: undefined });
  expect((await cal("login", { ...byPassword, env })).error?.hint).toBe(
    "find the calendar of a site: cal init <site-url>\nor give its address: --base-url <address>",
  );
});

test("a keychain that can't be used stops a script, and lets a user choose a file, which is not the default", async () => {
  const service = await startTokenService();
  const broken = { ...createMemoryStore(), write: async () => Promise.reject(keychainError("silent", "")) };
  const cal = await createUser({ base_url: site, auth_url: service.authUrl }, broken);
  const silent = expect.objectContaining({
    kind: "unauthenticated",
    code: "keychain-silent",
    hint: expect.stringContaining("--insecure-storage"),
  });
  expect((await cal("login", { ...byPassword, env })).error).toEqual(silent);
  expect((await cal("login", { ...byPassword, env, answers: [false] })).error).toEqual(silent);
  expect(await cal.credentialStore.listLogins()).toEqual([]);
  const file = join(cal.path, "credentials.json");
  const notEncrypted = `warning: the secrets are in ${file}: not encrypted, readable by you alone`;
  const prompted = await cal("login", { ...byPassword, env, answers: [true] });
  expect([prompted.value, prompted.stderr]).toEqual([
    { ...savedLogin, store: "file" },
    ["logging in for ana at site.test, profile default", "warning: the keychain does not answer", notEncrypted],
  ]);
  const withFlag = await cal("login", { ...byPassword, env, flags: { method: "password", "insecure-storage": true } });
  expect([withFlag.value, withFlag.stderr, Object.keys(JSON.parse(await readFile(file, "utf8"))).length]).toEqual([
    { ...savedLogin, store: "file" },
    [notEncrypted],
    3,
  ]);
});

test("a keychain that can't be used is reported before the user types a secret", async () => {
  const service = await startTokenService();
  const locked = async () => Promise.reject(keychainError("call", "Cannot create an item in a locked collection"));
  const cal = await createUser({ base_url: site, auth_url: service.authUrl }, { ...createMemoryStore(), read: locked, write: locked });
  const instead = "Keep the login in a file that only you can read instead?";
  const no = await cal("login", { ...byPassword, answers: [false] });
  expect([no.error?.code, no.stderr, cal.questions, service.log]).toEqual([
    "keychain-locked",
    ["warning: the keychain is locked"],
    [instead],
    [],
  ]);
  const yes = await cal("login", { ...byPassword, answers: [true, account.clientSecret, account.password] });
  expect([yes.value, cal.questions.slice(1)]).toEqual([{ ...savedLogin, store: "file" }, [instead, clientSecret, "Password"]]);
});

test("--remember keeps the password in the keychain; where the service gives no refresh token the user is prompted, default No", async () => {
  const server = await startTestServer(({ url }) =>
    url === "/api/auth/6/app" ? { body: { _TOKEN: "t".repeat(20), _IDENTITY: "ana" } } : { status: 404 },
  );
  const keychain = createMemoryStore();
  const cal = await createUser({ base_url: site, auth_url: server.origin }, keychain);
  const flags = { method: "password", endpoint: "app" };
  const holds = () => [...keychain.secrets.keys()].map((name) => name.split("/")[2]);
  await cal("login", { ...byPassword, env, flags });
  expect(holds()).toEqual(["client-secret", "access-token"]);
  await cal("login", { ...byPassword, env, flags, answers: [true] });
  expect([holds(), cal.questions]).toEqual([
    ["client-secret", "password", "access-token"],
    ["This service gives no refresh token. Keep the password in the keychain too, to log in again without asking?"],
  ]);
  await cal("login", { ...byPassword, env, flags: { ...flags, remember: true } });
  expect(holds()).toEqual(["client-secret", "password", "access-token"]);
});

test("a profile does not get the login of another user without a warning", async () => {
  let identity = "ana";
  const server = await startTestServer(() => ({ body: { _TOKEN: "t".repeat(20), _IDENTITY: identity } }));
  const cal = await createUser({ base_url: site, auth_url: server.origin });
  const input = { ...byPassword, env, flags: { method: "password", endpoint: "app", remember: false } };
  await cal("login", input);
  identity = "bob";
  expect((await cal("login", input)).error).toMatchObject({
    kind: "usage",
    message: "profile default is logged in as ana, and this login is of bob",
  });
  expect((await cal("login", { ...input, answers: [false] })).error).toMatchObject({ kind: "declined", message: "the login was not kept" });
  expect((await cal("login", { ...input, flags: { ...input.flags, "expect-user": "ana" } })).error).toMatchObject({
    kind: "unauthenticated",
    message: "the login is not of ana: it is of bob",
  });
  expect((await cal.credentialStore.findLogin("default"))?.identity).toBe("ana");
  expect((await cal("login", { ...input, flags: { ...input.flags, "expect-user": "bob" } })).value).toMatchObject({ identity: "bob" });
});

test("both endpoints of the sandbox, and logging out revokes the session there", async () => {
  const box = await sandbox();
  const cal = await createUser({ base_url: box.baseUrl, auth_url: box.authUrl });
  const input = {
    env: { CAL_PASSWORD: "editor-demo", CAL_CLIENT_SECRET: box.application.clientSecret },
    globals: { username: "editor", "client-id": box.application.clientId },
  };
  for (const endpoint of ["app", "token"]) {
    expect((await cal("login", { ...input, flags: { method: "password", endpoint, remember: false } })).value).toMatchObject({
      identity: "editor",
    });
    const { text: token = "" } = await cal("token");
    expect((await cal("status", { flags: { check: true } })).rows).toEqual([
      expect.objectContaining({ logged_in: true, identity: "editor", check: expect.stringMatching(/^(valid|not provable)$/) }),
    ]);
    expect(await cal("logout")).toMatchObject({ value: { logged_out: true, session: "revoked" } });
    expect((await cal("status", { flags: { check: true }, env: { CAL_TOKEN: token } })).error).toMatchObject({
      message: "profile default: the site does not accept the login",
    });
  }
});

test("logging out reports what did not work, and deletes all the same; a locked keychain keeps the row", async () => {
  const server = await startTestServer(({ url }) =>
    url === "/api/auth/6/revoke" ? { status: 500 } : { body: { _TOKEN: "t".repeat(20) } },
  );
  let locked = false;
  const store = createMemoryStore();
  const guarded = {
    ...store,
    read: (names: readonly string[]) =>
      locked ? Promise.reject(keychainError("call", "Cannot create an item in a locked collection")) : store.read(names),
  };
  const cal = await createUser({ base_url: site, auth_url: server.origin }, guarded);
  const input = { ...byPassword, env, flags: { method: "password", endpoint: "app", remember: false } };
  await cal("login", input);
  locked = true;
  expect([(await cal("logout")).error, (await cal.credentialStore.listLogins()).length]).toEqual([
    expect.objectContaining({ code: "keychain-locked" }),
    1,
  ]);
  expect((await cal("status")).error).toMatchObject({ kind: "unauthenticated", message: "profile default: the keychain is locked" });
  locked = false;
  expect((await cal("logout", { env: { CAL_PASSWORD: "x" } })).error).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("the login was deleted here, but the session may live on at the service"),
  });
  expect([store.secrets.size, await cal.credentialStore.listLogins()]).toEqual([0, []]);
  await cal("login", input);
  store.secrets.clear();
  expect([(await cal("logout")).error, await cal.credentialStore.listLogins()]).toEqual([
    expect.objectContaining({ code: "login-lost" }),
    [],
  ]);
});

test("an application password is tried before it is stored, and every refusal says what it means", async () => {
  const box = await sandbox({ serverProfile: "the-events-calendar" });
  const cal = await createUser({ base_url: box.baseUrl, namespace: box.namespace });
  const password = "edit orde moed itor demo edit";
  const login = await cal("login", { globals: { username: "editor" }, env: { CAL_PASSWORD: password } });
  expect(login).toEqual({
    value: { profile: "default", method: "application-password", identity: "editor", store: "keychain", stored_at: now, refreshable: true },
    text: `Logged in as editor at ${new URL(box.baseUrl).host} (profile default); the secrets are in the keychain.`,
    stderr: [],
  });
  expect((await cal("status", { flags: { check: true } })).rows).toEqual([expect.objectContaining({ check: "valid", identity: "editor" })]);
  expect((await cal("token")).text).toBe(Buffer.from(`editor:${password}`).toString("base64"));
  const refusedAs = async (username: string, secret: string) => {
    const { error } = await cal("login", { globals: { username }, env: { CAL_PASSWORD: secret } });
    return [error?.message, error?.hint];
  };
  expect([await refusedAs("editor", "editor-demo"), await refusedAs("nobody", password)]).toEqual([
    [
      "the site refused the application password; the password of the normal login does not work here",
      "make one in the site's dashboard, under Users > Profile > Application Passwords, then: cal auth login",
    ],
    ["the site knows no such user name", "check the user name, or give the e-mail address of the user; then: cal auth login"],
  ]);
  expect((await cal("logout")).text).toBe(
    `Logged out editor at ${new URL(box.baseUrl).host} (profile default). The application password was deleted here. It stays valid at the site until it is revoked there, under Users > Profile > Application Passwords.`,
  );
});

test("every application password is requested under a name of its own: a site refuses a second one of the same", async () => {
  const box = await sandbox({ serverProfile: "the-events-calendar" });
  const cal = await createUser({ base_url: box.baseUrl, namespace: box.namespace, auth_method: "application-password" });
  const name = async () => {
    const { stderr } = await cal("login", { flags: { browser: false }, answers: ["editor", "not-this-one"] });
    const [address = ""] = /http:\S+authorize-application\S+/.exec(stderr.join("\n")) ?? [];
    return new URL(address).searchParams.get("app_name");
  };
  const first = await name();
  cal.clock.advance(1000);
  expect([first, await name()]).toEqual([
    expect.stringMatching(/^cal on .+, 2030-01-01 00:00:00 UTC$/),
    expect.stringMatching(/^cal on .+, 2030-01-01 00:00:01 UTC$/),
  ]);
});

/** A site that rejects every login, as recorded of WordPress without a plugin that asks for the user early: a wrong password is no error there. */
async function startSiteWithoutAuthorization(authentication: object) {
  return startTestServer(({ url }) => {
    if (url.includes("/users/me"))
      return { status: 401, body: { code: "rest_not_logged_in", message: "You are not currently logged in.", data: { status: 401 } } };
    return { body: url.includes("/events") ? { events: [] } : { name: "Site", namespaces: ["wp/v2", "tribe/events/v1"], authentication } };
  });
}

test.each([
  [
    "may have been sent a wrong password",
    { "application-passwords": { endpoints: { authorization: "http://127.0.0.1/wp-admin/authorize-application.php" } } },
    {
      code: "anonymous",
      message: "the site took the request for a visitor's, although a login was sent",
      hint: expect.stringMatching(
        /^the web server probably drops the Authorization header.*CGIPassAuth On.*Users > Profile > Application Passwords/s,
      ),
    },
  ],
  [
    "may have switched them off",
    {},
    {
      code: "no-application-passwords",
      message: "the site takes no application passwords, and took the login for an anonymous visitor",
      hint: expect.stringContaining("https"),
    },
  ],
])("a site that takes an application password for nobody's %s", async (_name, authentication, problem) => {
  const server = await startSiteWithoutAuthorization(authentication);
  const cal = await createUser({ base_url: `${server.origin}/wp-json`, namespace: "tribe/events/v1" });
  const login = await cal("login", { globals: { username: "editor" }, env: { CAL_PASSWORD: "abcd efgh" } });
  expect(login.error).toMatchObject({ kind: "unauthenticated", ...problem });
});

test("a site under maintenance proves nothing: no login is stored, and none is called wrong", async () => {
  const body = { code: "wp_die", message: "Briefly unavailable for scheduled maintenance.", data: { status: 503 } };
  const server = await startTestServer(() => ({ status: 503, headers: { "retry-after": "600" }, body }));
  const cal = await createUser({ base_url: `${server.origin}/wp-json`, namespace: "tribe/events/v1" });
  const problem = {
    kind: "unavailable",
    message: "the site answers 503: Briefly unavailable for scheduled maintenance.",
    hint: "try again in 600 s: the server asks for it",
  };
  expect((await cal("login", { globals: { username: "editor" }, env: { CAL_PASSWORD: "abcd efgh" } })).error).toMatchObject(problem);
  expect(await cal.credentialStore.listLogins()).toEqual([]);
  expect((await cal("status", { flags: { check: true }, env: { CAL_TOKEN: "t0ken" } })).error).toMatchObject(problem);
});

test.each([
  ["the identity is known", { me: { status: 200, body: { id: 1, username: "ana" } } }, { check: "valid", identity: "ana" }],
  ["a visitor would be refused", { me: { status: 404 }, with: { body: {} }, without: { status: 401 } }, { check: "valid" }],
  ["everybody is let in", { me: { status: 404 }, with: { body: {} }, without: { body: {} } }, { check: "not provable" }],
])("--check where %s", async (_name, answers: Readonly<Record<string, object>>, expected) => {
  const server = await startTestServer(
    ({ url, headers }) =>
      (url.includes("/users/me") ? answers["me"] : headers.authorization === undefined ? answers["without"] : answers["with"]) ?? {},
  );
  const cal = await createUser({ base_url: `${server.origin}/wp-json` });
  const { rows } = await cal("status", { flags: { check: true }, env: { CAL_TOKEN: "t0ken" } });
  expect(rows).toEqual([{ profile: "default", current: true, logged_in: true, source: "CAL_TOKEN", store: "none", ...expected }]);
});

test("a site that redirects elsewhere is named, and no login is stored", async () => {
  const server = await startTestServer(() => ({ status: 301, headers: { location: "https://other.example/" } }));
  const cal = await createUser({ base_url: `${server.origin}/wp-json`, namespace: "tribe/events/v1", server: "the-events-calendar" });
  expect((await cal("login", { globals: { username: "editor" }, env: { CAL_PASSWORD: "abcd efgh" } })).error).toMatchObject({
    kind: "local",
    message: "the site redirects to https://other.example; your login was not sent there",
  });
  expect(await cal.credentialStore.listLogins()).toEqual([]);
});

test("--check where the token is refused ends with exit 4", async () => {
  const server = await startTestServer(({ url }) => (url.includes("/users/me") ? { status: 404 } : { status: 401 }));
  const cal = await createUser({ base_url: `${server.origin}/wp-json` });
  expect((await cal("status", { flags: { check: true }, env: { CAL_TOKEN: "t0ken" } })).error).toMatchObject({
    kind: "unauthenticated",
    message: "profile default: the site does not accept the login",
  });
});

test("credentials of the environment need no login, no store and no question", async () => {
  const service = await startTokenService();
  const cal = await createUser({ base_url: site, auth_url: service.authUrl });
  const input = { env: { ...env, CAL_USERNAME: account.username, CAL_CLIENT_ID: account.clientId } };
  expect((await cal("status", input)).rows).toEqual([
    {
      profile: "default",
      current: true,
      logged_in: true,
      method: "password",
      identity: "ana",
      application: account.clientId,
      source: "CAL_PASSWORD",
      store: "none",
    },
  ]);
  expect([(await cal("token", input)).text, await cal.credentialStore.listLogins()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), []]);
  expect((await cal("refresh", input)).value).toEqual({ profile: "default", refreshed: true, source: "CAL_PASSWORD" });
  expect((await cal("status", { env: { CAL_PASSWORD: "x" } })).error?.message).toBe(
    "profile default: a password is in the environment, but not CAL_USERNAME, CAL_CLIENT_ID, CAL_CLIENT_SECRET",
  );
});

test("the browser login without a browser: the address is printed, and the one it ended at is pasted", async () => {
  const box = await sandbox();
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const cal = await createUser({
    base_url: box.baseUrl,
    auth_url: box.authUrl,
    client_id: box.application.clientId,
    redirect_url: `${origin}/callback`,
  });
  const flags = { method: "browser", browser: false };
  const login = await cal("login", { flags, answers: [`${origin}/callback#accessoken=${box.token}`, true] });
  const pasted = `${origin}/callback#accessoken=${box.token}`;
  expect(login.stderr).toEqual([
    expect.stringMatching(/^logging in at \S+, profile default$/),
    expect.stringContaining("cal holds this port here"),
    `Open this address in a browser and log in. Then copy the address of the last page (that page may fail to load):\n  ${box.authUrl}/api/auth/6/ui/?client_id=cal-demo&redirect_url=${encodeURIComponent(`${origin}/callback`)}`,
    `took the token from the ${pasted.length} characters that were pasted (${origin})`,
  ]);
  expect(cal.questions[0]).toBe("Address of the last page in the browser (hidden, because the token is part of it)");
  expect([login.value, cal.openedUrls]).toEqual([
    expect.objectContaining({ method: "browser", expires_at: inAnHour, refreshable: false }),
    [],
  ]);
  const wrong = [`${origin}/callback`, "s3cret pasted by mistake", "#x"];
  const missed = await cal("login", { flags, answers: wrong });
  expect([missed.error?.message, missed.stderr.slice(3)]).toEqual([
    "the 2 characters that were pasted hold no token: paste the complete address, with everything after the #",
    [
      `warning: the 31 characters that were pasted (${origin}) hold no token: paste the complete address, with everything after the #`,
      "warning: the 24 characters that were pasted hold no token: paste the complete address, with everything after the #",
    ],
  ]);
  expect((await cal("login", { flags })).error?.kind).toBe("usage");
  expect((await cal("login", { flags: { ...flags, browser: true, "redirect-url": "http://127.0.0.1:18259/other" } })).error).toMatchObject({
    code: "not-registered",
    message:
      "the authentication service refused to start the login (status 400): is http://127.0.0.1:18259/other registered for this client id?",
  });
});

test.each([
  [
    "an application password",
    { server: "the-events-calendar", username: "ana" },
    { CAL_PASSWORD: "a b" },
    "Authorization: Basic YW5hOmEgYg==",
  ],
  ["a header of the profile", { auth_header: "x-api-key", auth_scheme: "" }, { CAL_TOKEN: "t0ken" }, "X-Api-Key: t0ken"],
])("the header of %s is printed whole", async (_what, profile, inputValue, header) => {
  const cal = await createUser({ base_url: site, ...profile }, createMemoryStore());
  expect((await cal("token", { env: inputValue, flags: { header: true } })).text).toBe(header);
});
