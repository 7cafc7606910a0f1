// What web servers in front of a site do to requests, with recorded answers: they refuse methods, drop the login, or show a page.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createSession, expectExitCode, type Session } from "../helpers/session.ts";
import { type FixtureOptions, startFixtureSandbox } from "../sandbox/fixtures.ts";

/** A recorded answer, as `folder/name`, or one that is written here. */
type Answer = string | { readonly status: number; readonly type: string; readonly body: string };

async function startSite(answer: (request: IncomingMessage) => Answer) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const said = answer(request);
    const { status, type, body } = typeof said === "string" ? readRecorded(said) : said;
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function readRecorded(name: string): Exclude<Answer, string> {
  const text = readFileSync(new URL(`../${name}.http`, import.meta.url), "utf8");
  const [head = "", body = ""] = text.split(/\r?\n\r?\n(.*)/s);
  return { status: Number(head.split(" ")[1]), type: /^content-type: (.*)$/im.exec(head)?.[1] ?? "", body };
}

const json = (value: unknown): Answer => ({ status: 200, type: "application/json", body: JSON.stringify(value) });
const index = json({ name: "Site", namespaces: ["wp/v2", "tribe/events/v1"], routes: {} });
const notFound: Answer = { status: 404, type: "text/html", body: "<h1>404</h1>" };
const frontPage: Answer = { status: 200, type: "text/html; charset=UTF-8", body: "<!doctype html><title>Welcome</title>" };
const basic = { CAL_USERNAME: "editor", CAL_PASSWORD: "abcd efgh ijkl" };

function open(env: Readonly<Record<string, string>>): Session {
  return createSession({ env: { CAL_SANDBOX: "0", CAL_NAMESPACE: "tribe/events/v1", CAL_RETRIES: "0", ...env } });
}

describe("a web server without rewrites", () => {
  const answer = ({ method, url = "" }: IncomingMessage): Answer => {
    if (!/^\/(?:index\.php)?\?rest_route=/.test(url)) return notFound;
    if (method === "GET") return url.endsWith("rest_route=/") || url.endsWith("rest_route=%2F") ? index : json({ id: 7, name: "Jazz" });
    return url.startsWith("/?") ? "recorded-edge/a_norewrite_patch" : json({ id: 7, name: "Free" });
  };

  test("init finds the root that takes every method", async () => {
    const { origin } = await startSite(answer);
    const cal = open({});
    expect((await cal(`init ${origin}`)).code).toBe(0);
    expect((await cal("config get base_url")).stdout).toBe(`${origin}/index.php?rest_route=/\n`);
    expect((await cal("tags update 7 --name Free --raw --field name", "")).stderr).not.toContain("405");
  });

  test("a method that is refused in HTML is a set-up error that names the root, and not for later", async () => {
    const { origin } = await startSite(answer);
    const cal = open({ CAL_TOKEN: "t0k3n-of-a-user" });
    expect((await cal(`config set base_url ${origin}/?rest_route=/`)).code).toBe(0);
    for (const line of ["tags update 7 --name Free --raw", "tags delete 7 --yes"]) {
      const { stderr, code } = await cal(line);
      expect([stderr, code]).toEqual([
        expect.stringContaining(
          `at this REST root, and nothing was changed: 405, text/html\nhint: if the site's permalinks are plain: cal config set base_url '${origin}/index.php?rest_route=/'\n`,
        ),
        10,
      ]);
    }
    expect((await cal(`config set base_url ${origin}/index.php?rest_route=/`)).code).toBe(0);
    expect((await cal("tags update 7 --name Free --raw --field name")).code).toBe(0);
  });
});

test("a front page instead of JSON names the root of plain permalinks", async () => {
  const { origin } = await startSite(() => frontPage);
  const cal = open({ CAL_TOKEN: "t0k3n-of-a-user" });
  await cal(`config set base_url ${origin}/blog/wp-json`);
  for (const line of ["tags get 7", "tags create --name Free"]) {
    const { stderr, code } = await cal(line);
    expect([stderr, code]).toEqual([expect.stringContaining(`cal config set base_url '${origin}/blog/index.php?rest_route=/'\n`), 7]);
  }
});

const dropped = "hint: the web server probably drops the Authorization header";

describe("a web server that drops the login", () => {
  const answer = ({ method, url = "" }: IncomingMessage): Answer => {
    if (url.includes("/users/me")) return "recorded-edge/a_strip_me";
    if (method !== "GET") return "recorded-edge/a_strip_write";
    return url.endsWith("/wp-json/") ? index : json({ events: [], total: 0, total_pages: 0 });
  };

  test("a write: exit 4, and the first advice is the web server", async () => {
    const { origin } = await startSite(answer);
    const cal = open({ ...basic, CAL_BASE_URL: `${origin}/wp-json` });
    const { stderr, code } = await cal("tags create --name Free");
    expect([stderr, code]).toEqual([expect.stringContaining(`although a login was sent (from CAL_PASSWORD)`), 4]);
    const hints = stderr.split("\n").filter((line) => line.startsWith("hint: "));
    expect(hints[0]).toContain(dropped);
    for (const text of [
      "CGIPassAuth On",
      "fastcgi_param HTTP_AUTHORIZATION $http_authorization;",
      "RewriteRule .* - [E=HTTP_AUTHORIZATION:",
    ])
      expect(stderr).toContain(text);
  });

  test("doctor and auth status --check say the same", async () => {
    const { origin } = await startSite(answer);
    const cal = open({ ...basic, CAL_BASE_URL: `${origin}/wp-json` });
    const status = await cal("auth status --check");
    expect([status.stderr, status.code]).toEqual([expect.stringContaining(dropped), 4]);
    const { stdout } = await cal("doctor --json");
    const access = (JSON.parse(stdout) as { check: string; advice?: string }[]).find(({ check }) => check === "access");
    expect(access?.advice).toMatch(/^the web server probably drops the Authorization header.*CGIPassAuth On/);
  });
});

test.each([
  ["recorded/auth_wrong_pw_get", false],
  // Some sites answer a wrong password as they answer a visitor, so that both may be the reason.
  ["recorded-edge/a_wrong_password", true],
])("a wrong application password, answered as in %s", async (name, isAnsweredAsVisitor) => {
  const { origin } = await startSite(() => name);
  const { stderr, code } = await open({ ...basic, CAL_BASE_URL: `${origin}/wp-json` })("tags create --name Free");
  expect([stderr.includes(dropped), stderr.includes("cal auth login"), code]).toEqual([isAnsweredAsVisitor, true, 4]);
});

test.each([
  [{}, 4, "hint: cal auth login\n"],
  [basic, 5, "hint: this user may not do that"],
])("a draft, with %j", async (login, exitCode, hint) => {
  const { origin } = await startSite(() => "recorded-edge/a_draft_get_visitor");
  const { stderr, code } = await open({ ...login, CAL_BASE_URL: `${origin}/wp-json` })("events get 7");
  expect([stderr, code]).toEqual([expect.stringContaining(hint), exitCode]);
});

test.each(["<link ", '<link href="', "<link href='\"", "<link rel=https://api.w.org/ href = ", "<"])(
  "a page of a megabyte of %j does not hold init up",
  { timeout: 20_000 },
  async (part) => {
    const body = part.repeat(1_000_000 / part.length);
    const { origin } = await startSite(({ url }) => (url === "/" ? { ...frontPage, body } : notFound));
    expect((await open({})(`init ${origin}`)).code).toBe(10);
  },
);

describe("on the emulation of a WordPress site", () => {
  const startEmulation = async (options: Partial<FixtureOptions>) => {
    const now = () => Date.parse("2027-01-15T12:00:00Z");
    const sandbox = await startFixtureSandbox({
      file: ":memory:",
      day: "2027-01-15",
      now,
      serverProfile: "the-events-calendar",
      localEnvironment: true,
      ...options,
    });
    onTestFinished(() => sandbox.close());
    const admin = sandbox.users.find(({ username }) => username === "admin");
    const cal = open({ CAL_USERNAME: "admin", CAL_PASSWORD: admin?.applicationPassword ?? "" });
    return { site: sandbox.siteUrl, cal };
  };

  test("with plain permalinks and no rewrites, what init finds takes every method", async () => {
    const { site, cal } = await startEmulation({ permalinks: "plain", withoutRewrites: true });
    expect((await cal(`init ${site}`)).code).toBe(0);
    expect((await cal("config get base_url")).stdout).toBe(`${site}/index.php?rest_route=/\n`);
    const { stdout: id } = await expectExitCode(cal("tags create --name Quartet --field id"), 0);
    await expectExitCode(cal(`tags update ${id.trim()} --name Quintet`), 0);
    expect((await cal(`tags get ${id.trim()} --field name`)).stdout).toBe("Quintet\n");
    await expectExitCode(cal(`tags delete ${id.trim()} --yes`), 0);
    await cal(`config set base_url ${site}/?rest_route=/`);
    const refused = await expectExitCode(cal("tags delete 17 --yes"), 10);
    expect(refused.stderr).toContain(`cal config set base_url '${site}/index.php?rest_route=/'`);
  });

  test("where the login is dropped, every command that needs it says so", async () => {
    const { site, cal } = await startEmulation({ dropsAuthorization: true });
    expect((await cal(`init ${site}`)).code).toBe(0);
    for (const line of ["tags create --name Free", "events update 103 --title Free", "auth status --check"])
      expect([line, (await expectExitCode(cal(line), 4)).stderr]).toEqual([line, expect.stringContaining(dropped)]);
  });
});
