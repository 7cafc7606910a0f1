// Two sites that try to get each other's login: whatever they answer, no secret of one is sent to the other.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { SandboxRequest, SandboxResponse } from "../../../src/sandbox/http.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { createSession, expectExitCode, fixedNow, type Session } from "../../helpers/session.ts";

/** What a site answers in place of its own answer; undefined leaves that. */
type Trick = (request: SandboxRequest, other: string, answer: () => Promise<SandboxResponse>) => Promise<SandboxResponse | undefined>;

interface HostileSite {
  readonly sandbox: Sandbox;
  /** Every request whole, as one text. */
  readonly received: string[];
}

async function openHostileSite(getTrick: () => Trick | undefined, getOther: () => string): Promise<HostileSite> {
  const received: string[] = [];
  const sandbox = await startSandbox({
    file: ":memory:",
    day: fixedNow.slice(0, 10),
    now: () => Date.parse(fixedNow),
    intercept: async (request, answer) => {
      received.push(JSON.stringify(request));
      return (await getTrick()?.(request, getOther(), () => answer(request))) ?? answer(request);
    },
  });
  afterAll(() => sandbox.close());
  return { sandbox, received };
}

const json = (status: number, headers: Readonly<Record<string, string>>): SandboxResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ code: "moved", message: "look elsewhere" }),
});

const redirect =
  (status: number, methods: readonly string[]): Trick =>
  async ({ method, path, query }, other) =>
    methods.includes(method) ? json(status, { location: `${new URL(other).origin}${path}?${query}` }) : undefined;

/** All addresses of the answers are those of the other site. */
const links: Trick = async (_request, other, answer) => {
  const own = await answer();
  const origin = new URL(other).origin;
  return {
    ...own,
    body: own.body.replace(/http:\/\/127\.0\.0\.1:\d+/g, origin),
    headers: { ...own.headers, link: `<${other}>; rel="https://api.w.org/"`, "x-tec-api-root": other },
  };
};

const challenge: Trick = async (_request, other) =>
  json(401, { "www-authenticate": `Bearer realm="${other}", authorization_uri="${other}/login", Basic realm="${other}"`, location: other });

const tricks: Readonly<Record<string, Trick>> = {
  "redirects of reads": redirect(302, ["GET"]),
  "permanent redirects of writes": redirect(308, ["POST", "PATCH", "PUT", "DELETE"]),
  "redirects of everything": redirect(307, ["GET", "POST", "PATCH", "PUT", "DELETE"]),
  "WWW-Authenticate": challenge,
  "links in answers": links,
};

const secretForms = (secret: string): readonly string[] => [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)];

async function openSession(tricksOf: { source?: Trick; target?: Trick }, env: (target: Sandbox) => Readonly<Record<string, string>>) {
  const sites: { source?: HostileSite; target?: HostileSite } = {};
  const getUrl = (name: "source" | "target") => () => sites[name]?.sandbox.baseUrl ?? "";
  const source = await openHostileSite(() => tricksOf.source, getUrl("target"));
  const target = await openHostileSite(() => tricksOf.target, getUrl("source"));
  Object.assign(sites, { source, target });
  const cal: Session = createSession({
    env: { CAL_SANDBOX: "0", CAL_BASE_URL: source.sandbox.baseUrl, CAL_TOKEN: source.sandbox.token, ...env(target.sandbox) },
  });
  await expectExitCode(cal(`profile add staging --base-url ${source.sandbox.baseUrl}`), 0);
  await expectExitCode(cal(`profile add live --base-url ${target.sandbox.baseUrl}`), 0);
  return { cal, source, target };
}

const withToken = ({ token }: Sandbox) => ({ CAL_TO_TOKEN: token });

describe.each(Object.entries(tricks))("%s", (_name, trick) => {
  test.each(["source", "target", "both"] as const)("of the %s", async (who) => {
    const { cal, source, target } = await openSession(
      { ...(who !== "target" && { source: trick }), ...(who !== "source" && { target: trick }) },
      withToken,
    );
    const { stdout, stderr } = await cal("events copy 103 126 --to live --yes --json");
    for (const secret of secretForms(source.sandbox.token)) {
      expect(target.received.join("\n")).not.toContain(secret);
      expect(stdout + stderr).not.toContain(secret);
    }
    for (const secret of secretForms(target.sandbox.token)) {
      expect(source.received.join("\n")).not.toContain(secret);
      expect(stdout + stderr).not.toContain(secret);
    }
    // The test would prove nothing where nothing was sent with a login.
    expect(source.received.join("\n")).toContain(source.sandbox.token);
  });
});

describe("the login of the target", () => {
  test.each([
    ["only CAL_TOKEN, and no stored login", () => ({}), 4],
    ["CAL_TO_TOKEN", withToken, 0],
    ["half a login", () => ({ CAL_TO_PASSWORD: "admin-demo" }), 4],
  ] as const)("%s", async (_name, env, code) => {
    const { cal, source, target } = await openSession({}, env);
    const { stderr } = await expectExitCode(cal("tags copy 12 --to live --on-conflict source"), code);
    expect(target.received.join("\n")).not.toContain(source.sandbox.token);
    if (code !== 0) expect(stderr).toContain("--profile live");
  });

  /** The profile of the target as a user sets it up for an authentication service. */
  async function openWithService() {
    const { cal, source, target } = await openSession({}, () => ({}));
    await expectExitCode(cal(`-p live config set auth_url ${target.sandbox.authUrl} --quiet`), 0);
    await expectExitCode(cal("-p live config set client_id cal-demo --quiet"), 0);
    const folders = { CAL_SANDBOX: "0", CAL_CONFIG_DIR: join(cal.folder, "config"), CAL_STATE_DIR: join(cal.folder, "state") };
    return { cal, source, target, folders };
  }

  test("files, and the password of an authentication service", async () => {
    const { cal, source, folders } = await openWithService();
    const write = (name: string, text: string) => {
      writeFileSync(join(cal.folder, name), `${text}\n`);
      return join(cal.folder, name);
    };
    const user = createSession({
      env: {
        ...folders,
        CAL_TOKEN: source.sandbox.token,
        CAL_TO_USERNAME_FILE: write("user", "admin"),
        CAL_TO_PASSWORD_FILE: write("password", "admin-demo"),
        CAL_TO_CLIENT_SECRET_FILE: write("secret", "cal-demo-secret"),
        // Of the source alone.
        CAL_USERNAME: "nobody",
        CAL_CLIENT_ID: "nothing",
        CAL_AUTH_URL: "http://127.0.0.1:9/",
      },
    });
    await expectExitCode(user("-p staging tags create --name Brandnew --quiet"), 0);
    await expectExitCode(user("-p staging tags copy slug:brandnew --to live"), 0);
    expect(source.received.join("\n")).not.toContain("admin-demo");
  });

  test("a stored login is sent to its own origin alone", async () => {
    const { cal, target, folders } = await openWithService();
    const user = createSession({ env: { ...folders, CAL_CLIENT_SECRET: "cal-demo-secret" } });
    await expectExitCode(
      user("-p live auth login --method password --username admin --password-stdin --insecure-storage --quiet", "admin-demo"),
      0,
    );
    await expectExitCode(cal("tags copy 12 --to live --on-conflict source"), 0);
    const other = await openHostileSite(
      () => undefined,
      () => "",
    );
    await expectExitCode(cal(`-p live config set base_url ${other.sandbox.baseUrl} --quiet`), 0);
    const count = target.received.length;
    expect((await expectExitCode(cal("tags copy 12 --to live"), 4)).stderr).toContain("its secrets go nowhere else");
    expect(other.received).toEqual([]);
    expect(target.received.length).toBe(count);
  });
});
