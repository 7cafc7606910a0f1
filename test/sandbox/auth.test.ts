// The authentication service over HTTP: docs/interface/auth.md, and refresh and revoke, which it does not show.

import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { fetchApiJson, getValueAt, noon, type ReceivedResponse, sendRequest, startTestSandbox } from "./client.ts";

const key = { client_id: "cal-demo", client_secret: "cal-demo-secret" };
const user = { username: "editor", password: "editor-demo" };
const client = { authorization: `Basic ${Buffer.from("cal-demo:cal-demo-secret").toString("base64")}` };

function post(sandbox: Sandbox, path: string, json: unknown): Promise<ReceivedResponse> {
  return sendRequest(`${sandbox.authUrl}/api/auth/6/${path}`, { json });
}

async function token(
  sandbox: Sandbox,
  form: Readonly<Record<string, string>>,
  headers = client,
): Promise<{ status: number; body: unknown }> {
  const { status, text } = await sendRequest(`${sandbox.authUrl}/api/auth/6/token`, {
    form: new URLSearchParams(form).toString(),
    headers,
  });
  return { status, body: JSON.parse(text) };
}

async function works(sandbox: Sandbox, access: unknown): Promise<number> {
  return (await fetchApiJson(sandbox, "events?per_page=1", { headers: { authorization: `Bearer ${access}` } })).status;
}

describe("the application endpoint (4.1)", () => {
  test("answers with the six fields of the contract", async () => {
    const sandbox = await startTestSandbox({ tokenLifetime: 60 });
    const { status, text } = await post(sandbox, "app", { ...key, ...user });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        _TOKEN: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
        _APPLICATION: "cal-demo",
        _IDENTITY: "editor",
        _IDENTITY_ID: "2",
        "expires-at": noon + 60_000,
        type: "Bearer",
      },
    ]);
    expect(await works(sandbox, getValueAt(JSON.parse(text), "_TOKEN"))).toBe(200);
  });

  test.each([
    [{ ...key, ...user, password: "x" }, 401],
    [{ ...key, ...user, client_secret: "x" }, 401],
    [{ ...key, ...user, username: "__proto__" }, 401],
    [{ ...key }, 400],
    [{ ...key, ...user, password: 5 }, 400],
    [null, 400],
    ["x", 400],
  ])("%j is %i", async (json, status) => {
    const reply = await post(await startTestSandbox(), "app", json);
    expect([reply.status, JSON.parse(reply.text)]).toEqual([status, { error: { code: status, message: expect.any(String) } }]);
  });
});

describe("the token endpoint (4.2)", () => {
  test("password, refresh, and a refresh token that is used once", async () => {
    const sandbox = await startTestSandbox();
    const first = await token(sandbox, { grant_type: "password", ...user });
    expect(first).toEqual({
      status: 200,
      body: { access_token: expect.any(String), expires_in: 3600, token_type: "Bearer", refresh_token: expect.any(String) },
    });
    const old = String(getValueAt(first.body, "refresh_token"));
    const second = await token(sandbox, { grant_type: "refresh_token", refresh_token: old });
    expect(second.status).toBe(200);
    expect(await works(sandbox, getValueAt(second.body, "access_token"))).toBe(200);
    expect(await token(sandbox, { grant_type: "refresh_token", refresh_token: old })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  test("refusals are OAuth's", async () => {
    const sandbox = await startTestSandbox();
    expect(await token(sandbox, { grant_type: "password", ...user, password: "x" })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await token(sandbox, { grant_type: "magic" })).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
    expect(await token(sandbox, { grant_type: "password", ...user, ...key }, { authorization: "Basic x" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  test("the older refresh, and revoke", async () => {
    const sandbox = await startTestSandbox();
    const { body } = await token(sandbox, { grant_type: "password", ...user });
    const refreshed = JSON.parse((await post(sandbox, "refresh", { ...key, refresh_token: getValueAt(body, "refresh_token") })).text);
    expect(await works(sandbox, getValueAt(refreshed, "access_token"))).toBe(200);
    expect((await post(sandbox, "revoke", { ...key, refresh_token: getValueAt(refreshed, "refresh_token") })).status).toBe(200);
    expect([await works(sandbox, getValueAt(refreshed, "access_token")), await works(sandbox, getValueAt(body, "access_token"))]).toEqual([
      401, 401,
    ]);
    expect((await post(sandbox, "revoke", { ...key, token: "unknown" })).status).toBe(200);
  });
});

test("a token expires, the sandbox's own does not", async () => {
  let now = noon;
  const sandbox = await startTestSandbox({ tokenLifetime: 10, now: () => now });
  const access = getValueAt((await token(sandbox, { grant_type: "password", ...user })).body, "access_token");
  now += 9_999;
  expect(await works(sandbox, access)).toBe(200);
  now += 1;
  expect([await works(sandbox, access), await works(sandbox, sandbox.token)]).toEqual([401, 200]);
});

describe("the UI flow (4.3)", () => {
  const ui = (sandbox: Sandbox, redirect: string, id = "cal-demo"): string =>
    `${sandbox.authUrl}/api/auth/6/ui/?${new URLSearchParams({ client_id: id, redirect_url: redirect })}`;
  const registered = "http://127.0.0.1:18250/callback";

  async function submit(sandbox: Sandbox, form: Readonly<Record<string, string>>, headers = {}): Promise<ReceivedResponse> {
    return sendRequest(`${sandbox.authUrl}/api/auth/6/ui/`, {
      form: new URLSearchParams({ client_id: "cal-demo", redirect_url: registered, ...form }).toString(),
      headers,
    });
  }

  test("a page, a form, and back with a token in the fragment", async () => {
    const sandbox = await startTestSandbox();
    const page = await sendRequest(ui(sandbox, registered));
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' http://127.0.0.1:18250; frame-ancestors 'none'");
    expect(page.text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    const reply = await submit(sandbox, user, { origin: sandbox.authUrl });
    expect(reply.status).toBe(303);
    const [, access] = /^http:\/\/127\.0\.0\.1:18250\/callback#accessoken=([\w.-]+)$/.exec(reply.headers.get("location") ?? "") ?? [];
    expect(await works(sandbox, access)).toBe(200);
  });

  test("a wrong password is shown on the page; another site's form is refused", async () => {
    const sandbox = await startTestSandbox();
    const wrong = await submit(sandbox, { username: '"><script>', password: "x" });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('role="alert"');
    expect(wrong.text).not.toContain("<script");
    expect((await submit(sandbox, user, { origin: "http://evil.example" })).status).toBe(403);
    expect((await submit(sandbox, user, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  test("a redirect URL that is not registered is refused, also when the form is sent", async () => {
    const sandbox = await startTestSandbox();
    for (const url of [
      "",
      "http://127.0.0.1:18250/callback2",
      "http://127.0.0.1:9/callback",
      "http://evil.example/",
      "javascript:alert(1)",
      `${registered}#x`,
    ]) {
      expect((await sendRequest(ui(sandbox, url))).status).toBe(400);
      expect((await submit(sandbox, { ...user, redirect_url: url })).status).toBe(400);
    }
    expect((await sendRequest(ui(sandbox, registered, "<unknown>"))).status).toBe(400);
    const open = await startTestSandbox({ anyLoopbackRedirect: true, redirectUrls: ["https://app.example/back"] });
    for (const url of ["http://127.0.0.1:9/x?y=1", "http://localhost:1/", "http://[::1]:1/", "https://app.example/back"])
      expect((await sendRequest(ui(open, url))).status).toBe(200);
    for (const url of ["http://127.0.0.1.evil.example/", "https://127.0.0.1/", "http://user@evil.example/"])
      expect((await sendRequest(ui(open, url))).status).toBe(400);
  });
});

describe("application passwords", () => {
  const path = "/wp-admin/authorize-application.php";
  const admin = { username: "admin", password: "admin-demo", answer: "approve", app_name: "cal" };
  const form = (values: Readonly<Record<string, string>>): string => new URLSearchParams({ ...admin, ...values }).toString();

  test("are shown once without a success URL, and work", async () => {
    const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar" });
    expect(JSON.parse((await sendRequest(`${sandbox.baseUrl}/`)).text)).toMatchObject({
      authentication: { "application-passwords": { endpoints: { authorization: `${sandbox.siteUrl}${path}` } } },
    });
    const { text } = await sendRequest(`${sandbox.siteUrl}${path}`, { form: form({}) });
    const password = /id="password">([^<]+)</.exec(text)?.[1] ?? "";
    expect(password).toMatch(/^(\w{4} ){5}\w{4}$/);
    const headers = { authorization: `Basic ${Buffer.from(`admin:${password}`).toString("base64")}` };
    expect((await sendRequest(`${sandbox.baseUrl}/wp/v2/users/me`, { headers })).status).toBe(200);
    const again = await sendRequest(`${sandbox.siteUrl}${path}`, { form: form({}) });
    expect([again.status, again.text.includes("Each application name should be unique.")]).toEqual([409, true]);
    expect((await sendRequest(`${sandbox.siteUrl}${path}`, { form: form({ app_name: "cal again" }) })).status).toBe(200);
  });

  test("go to a secure address, or to any in a local environment", async () => {
    const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar" });
    const refused = await sendRequest(`${sandbox.siteUrl}${path}?app_name=cal&success_url=http://127.0.0.1:1/`);
    expect([refused.status, refused.text.includes("The URL must be served over a secure connection.")]).toEqual([400, true]);
    const local = await startTestSandbox({ serverProfile: "the-events-calendar", localEnvironment: true });
    const reply = await sendRequest(`${local.siteUrl}${path}`, { form: form({ success_url: "http://127.0.0.1:1/done?state=5" }) });
    const target = new URL(reply.headers.get("location") ?? "");
    expect([
      target.pathname,
      target.searchParams.get("state"),
      target.searchParams.get("user_login"),
      target.searchParams.get("site_url"),
    ]).toEqual(["/done", "5", "admin", local.siteUrl]);
    const rejected = await sendRequest(`${local.siteUrl}${path}`, { form: form({ answer: "reject", success_url: "http://127.0.0.1:1/" }) });
    expect(rejected.headers.get("location")).toBe("http://127.0.0.1:1/?success=false");
  });
});

test("no secret is in what the sandbox remembers and logs", async () => {
  const lines: string[] = [];
  const sandbox = await startTestSandbox({ log: (line) => lines.push(line) });
  const { body } = await token(sandbox, { grant_type: "password", ...user });
  await works(sandbox, getValueAt(body, "access_token"));
  const remembered = JSON.stringify([lines, sandbox.requests()]);
  for (const secret of [
    user.password,
    key.client_secret,
    client.authorization.slice(6),
    String(getValueAt(body, "access_token")),
    sandbox.token,
  ])
    expect(remembered).not.toContain(secret);
  expect(lines).toEqual(["POST /api/auth/6/token 200", "GET /wp-json/calendar/events/v1/events 200"]);
});
