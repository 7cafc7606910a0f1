// cal doctor: every check on the sandbox, on a site without problems, and on sites with one problem each.

import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "../../../src/errors.ts";
import { type CommandResult, createSession, expectExitCode, type Session } from "../../helpers/session.ts";
import { startTestSite, type TestResponses } from "./site.ts";

interface Row {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly advice?: string;
}

const now = "2027-01-15T12:00:00Z";
const date = new Date(now).toUTCString();

function rowsOf({ stdout, stderr }: CommandResult): readonly Row[] {
  try {
    return JSON.parse(stdout) as Row[];
  } catch {
    throw new Error(`no JSON: ${stdout}\n${stderr}`);
  }
}

/** The states by check, as one object. */
function states(outcome: CommandResult): Readonly<Record<string, string>> {
  return Object.fromEntries(rowsOf(outcome).map(({ check, state }) => [check, state]));
}

function row(outcome: CommandResult, check: string): Row | undefined {
  return rowsOf(outcome).find((one) => one.check === check);
}

/** What differs from run to run. */
function masked(text: string, folder: string): string {
  return text
    .replaceAll(folder, "~")
    .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
    .replaceAll(/Node [\d.]+/g, "Node N");
}

const ns = "/calendar/events/v1";
const tribe = "/tribe/events/v1";
const well: TestResponses = {
  "/": { headers: { date }, body: { namespaces: ["calendar/events/v1", "tribe/events/v1"], timezone_string: "America/New_York" } },
  [ns]: { body: { namespace: "calendar/events/v1", routes: { a: {}, b: {} } } },
  [tribe]: { body: { namespace: "tribe/events/v1", routes: {} } },
  [`${ns}/doc`]: { body: { openapi: "3.0.0", paths: {} } },
  [`${ns}/events`]: (query) => ({
    headers: { allow: "GET, POST", "x-wp-total": "312" },
    body: Array.from({ length: Math.min(50, Number(query.get("per_page"))) }, (_, id) => ({ id: id + 1 })),
  }),
  "/wp/v2/users/me": (_query, { headers }) =>
    headers.authorization === "Bearer good"
      ? { body: { id: 1, username: "ada", roles: ["editor"] } }
      : { status: 401, body: { code: headers.authorization === undefined ? "rest_not_logged_in" : "incorrect_password" } },
};

/** A session with a site that gives these answers; logged in unless the environment says otherwise. */
async function userOf(answers: TestResponses, env: Readonly<Record<string, string>> = { CAL_TOKEN: "good" }): Promise<Session> {
  return createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: (await startTestSite({ ...well, ...answers })).url, ...env }, now });
}

describe("the embedded calendar", () => {
  test("is well, and the whole answer says why", async () => {
    const cal = createSession();
    const { stdout, code } = await cal("doctor");
    const crashed = "the program that speaks to the keychain ended without an answer";
    const wayOut =
      "try again; or keep the login in a file only you can read: cal auth login --insecure-storage; or give it in the environment: CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN";
    expect({ text: masked(stdout, cal.folder).replace(/ in 0 ms/, ""), code }).toEqual({
      text: `${[
        "check\tstate\tfound\tadvice",
        "node\tok\tNode N on linux\t",
        "path\tok\tno other cal on PATH\t",
        "configuration\tok\t~/config/config.json: profile default (default), base_url http://HOST/wp-json (sandbox), auth_url http://HOST (sandbox), namespace calendar/events/v1 (sandbox), server generic (sandbox)\t",
        `keychain\twarning\t${crashed}\t${wayOut}`,
        "journal\tok\t~/state/journal: nothing was written yet\t",
        "connection\tok\thttp://HOST answers 200, on this machine\t",
        "clock\tskipped\tthe sandbox has the same clock\t",
        "interface\tok\tcalendar/events/v1, version 1, 15 routes; server generic (sandbox)\t",
        "documentation\tok\t116 filters and fields as in the table\t",
        "page-size\tok\tnot known: all 60 events fit in one page of 100\t",
        "time-zone\tok\tthe site is in America/New_York; dates are read and shown in America/New_York (site_tz of sandbox)\t",
        "access\tok\tlogin of sandbox: valid\t",
      ].join("\n")}\n`,
      code: 0,
    });
  });

  test("with the server profile The Events Calendar clamps its pages and reports the role", async () => {
    const outcome = await createSession({ env: { CAL_SANDBOX_HABITS: "the-events-calendar" } })("doctor --json");
    expect(row(outcome, "page-size")).toEqual({ check: "page-size", state: "ok", found: "50; more are cut off" });
    expect(row(outcome, "access")?.found).toBe("login of sandbox: valid, admin, role administrator, events allow GET, POST");
  });

  test("--strict takes warnings for failures", async () => {
    await expectExitCode(createSession()("doctor --strict"), exitCodes.findings);
  });

  test("a terminal shows all of every advice, wrapped, and counts the states", async () => {
    const cal = createSession({ columns: 60, env: { NO_COLOR: "1" } });
    const { stdout } = await cal("doctor");
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "do: try again; or keep the login in a file only you can read: cal auth login --insecure-storage; or give it in the environment: CAL_USERNAME and CAL_PASSWORD at a site that runs The Events Calendar, elsewhere CAL_TOKEN",
    );
    expect(stdout).toMatch(/\n\n10 ok, 1 warning, 1 skipped\n$/);
  });
});

describe("a keychain that can't be used", () => {
  const noise = { "/": { headers: { date }, body: { namespaces: ["calendar/events/v1"], timezone_string: "America/New_York" } } };

  test.each([
    ["CAL_TOKEN", { CAL_TOKEN: "good" }],
    ["CAL_PASSWORD", { CAL_AUTH_METHOD: "application-password", CAL_USERNAME: "ada", CAL_PASSWORD: "abcd efgh" }],
  ])("is a note where the login comes from %s", async (source, env) => {
    const cal = await userOf(noise, env);
    const found = `not needed, the login comes from ${source}: the program that speaks to the keychain ended without an answer`;
    expect(row(await cal("doctor --json"), "keychain")).toEqual({ check: "keychain", state: "skipped", found });
  });

  test("is nothing that --strict counts then", async () => {
    const found = states(await (await userOf(noise))("doctor --strict --json"));
    expect(Object.keys(found).filter((check) => found[check] === "warning" || found[check] === "failure")).toEqual(["documentation"]);
  });

  test("is a warning where no user is logged in", async () => {
    expect(row(await (await userOf(noise, {}))("doctor --json"), "keychain")?.state).toBe("warning");
  });
});

test("a site is only read", async () => {
  const { url, receivedRequests } = await startTestSite(well);
  await createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: url, CAL_TOKEN: "good" }, now })("doctor");
  expect(receivedRequests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(new Set(receivedRequests)).toEqual(new Set(["GET /", `GET ${ns}`, `GET ${ns}/doc`, `GET ${ns}/events`, "GET /wp/v2/users/me"]));
});

/** A problem of a site, and the row that reports it. */
const faultySites: readonly (readonly [what: string, answers: TestResponses, row: Row, env?: Readonly<Record<string, string>>])[] = [
  [
    "a site in trouble",
    { "/": { status: 503, headers: { date } } },
    {
      check: "connection",
      state: "failure",
      found: "http://HOST answers 503 in 0 ms",
      advice: "the server has a problem: try again later, or ask its administrator",
    },
  ],
  [
    "a site that has moved",
    { "/": { status: 301, headers: { date, location: "https://new.example.com/wp-json/" } } },
    {
      check: "connection",
      state: "warning",
      found: "http://HOST answers 301 in 0 ms and redirects to https://new.example.com",
      advice: "cal init https://new.example.com",
    },
  ],
  [
    "a site that moves to what a shell would run",
    { "/": { status: 301, headers: { date, location: "https://$(id)/" } } },
    {
      check: "connection",
      state: "warning",
      found: "http://HOST answers 301 in 0 ms and redirects to https://$(id)",
      advice: "cal init <site-url>",
    },
  ],
  [
    "a clock that is a little slow",
    { "/": { headers: { date: new Date(Date.parse(now) + 60_000).toUTCString() } } },
    {
      check: "clock",
      state: "warning",
      found: "60 s behind the server's: tokens seem to expire too late",
      advice: "sudo timedatectl set-ntp true; or it is the server's clock that is wrong",
    },
  ],
  [
    "a clock that is an hour fast",
    { "/": { headers: { date: new Date(Date.parse(now) - 3_600_000).toUTCString() } } },
    {
      check: "clock",
      state: "failure",
      found: "3600 s ahead of the server's: tokens seem to expire too early",
      advice: "sudo timedatectl set-ntp true; or it is the server's clock that is wrong",
    },
  ],
  [
    "an answer that a cache has kept for an hour",
    { "/": { headers: { date: new Date(Date.parse(now) - 3_600_000).toUTCString(), age: "3600" } } },
    { check: "clock", state: "ok", found: "the same as the server's" },
  ],
  [
    "a namespace that is not there",
    { [ns]: { status: 404, body: { code: "rest_no_route", message: "No route" } } },
    {
      check: "interface",
      state: "failure",
      found: "No route; the site has: calendar/events/v1, tribe/events/v1",
      advice: "choose the calendar's namespace: --namespace calendar/events/v1, or: cal config set namespace calendar/events/v1",
    },
  ],
  [
    "The Events Calendar, taken for a generic server",
    {},
    {
      check: "interface",
      state: "failure",
      found: "tribe/events/v1, version 1, 0 routes; server generic (profile work); on this kind of site updates would lose fields",
      advice: "cal config set server the-events-calendar",
    },
    { CAL_NAMESPACE: "tribe/events/v1", CAL_PROFILE: "work" },
  ],
  [
    "a site without documentation",
    { [`${ns}/doc`]: { status: 500, body: "<p>oops" } },
    {
      check: "documentation",
      state: "warning",
      found: "calendar/events/v1/doc can't be read: the server's answer can't be read (500, application/json): it starts with \"<p>oops\"",
      advice: "nothing needs it; the table of this program is used: cal schema",
    },
  ],
  [
    "documentation of something else",
    { [`${ns}/doc`]: { body: { hello: 1 } } },
    { check: "documentation", state: "warning", found: "the answer is not an OpenAPI document", advice: "cal doc --json" },
  ],
  [
    "pages that are cut off below what is set",
    {},
    {
      check: "page-size",
      state: "warning",
      found: "50; more are cut off; per_page is 80 (environment CAL_PER_PAGE)",
      advice: "cal config set per_page 50",
    },
    { CAL_TOKEN: "good", CAL_PER_PAGE: "80" },
  ],
  [
    "pages that are refused",
    {
      [`${ns}/events`]: (query) =>
        Number(query.get("per_page")) > 50
          ? {
              status: 400,
              body: { code: "rest_invalid_param", message: "per_page", data: { status: 400, params: { per_page: "too many" } } },
            }
          : { body: Array.from({ length: Number(query.get("per_page")) }, (_, id) => ({ id })) },
    },
    { check: "page-size", state: "ok", found: "50; more are refused" },
  ],
  [
    "a site in another zone than this machine",
    { "/": { headers: { date }, body: { namespaces: [], timezone_string: "Asia/Tokyo" } } },
    {
      check: "time-zone",
      state: "warning",
      found: "the site is in Asia/Tokyo; dates are read and shown in America/New_York (system)",
      advice: "cal config set site_tz Asia/Tokyo",
    },
  ],
  [
    "a zone that was chosen",
    { "/": { headers: { date }, body: { namespaces: [], timezone_string: "Asia/Tokyo" } } },
    { check: "time-zone", state: "ok", found: "the site is in Asia/Tokyo; dates are read and shown in Europe/Paris (environment CAL_TZ)" },
    { CAL_TOKEN: "good", CAL_TZ: "Europe/Paris" },
  ],
  [
    "a zone that a shell would run",
    { "/": { headers: { date }, body: { namespaces: [], timezone_string: "$(id)" } } },
    { check: "time-zone", state: "skipped", found: "the site does not say its time zone; dates are read in America/New_York (system)" },
  ],
  [
    "a login that is refused",
    {},
    {
      check: "access",
      state: "failure",
      found: "login of CAL_TOKEN: the site refuses it (401 incorrect_password)",
      advice: "set another CAL_TOKEN, or unset it and: cal auth login",
    },
    { CAL_TOKEN: "bad" },
  ],
  [
    "nobody logged in",
    {},
    {
      check: "access",
      state: "warning",
      found: "nobody is logged in: only what is public can be read, and nothing written",
      advice: "cal auth login",
    },
    {},
  ],
  [
    "nobody logged in where that is needed",
    { [`${ns}/events`]: { status: 401, body: { code: "rest_forbidden" } } },
    { check: "access", state: "failure", found: "nobody is logged in, and the site requires a login", advice: "cal auth login" },
    {},
  ],
  [
    "a user who may only read",
    { [`${ns}/events`]: { headers: { allow: "GET" }, body: [] } },
    {
      check: "access",
      state: "warning",
      found: "login of CAL_TOKEN: valid, ada, role editor, events allow GET: this user may only read",
      advice: "cal auth login as another user, or ask for the role of an author or editor",
    },
  ],
];

describe("what is wrong is reported, with what to do", () => {
  test.for(faultySites)("%s", async ([, answers, wanted, env]) => {
    const cal = await userOf(answers, env);
    mkdirSync(join(cal.folder, "config"), { recursive: true });
    writeFileSync(join(cal.folder, "config", "config.json"), JSON.stringify({ profiles: { work: { server: "generic" } } }));
    const outcome = await cal("doctor --json");
    const found = row(outcome, wanted.check);
    expect({ ...found, found: masked(found?.found ?? "", cal.folder) }).toEqual(wanted);
    expect(outcome.code).toBe(wanted.state === "failure" ? exitCodes.findings : 0);
  });
});

test("a site that never answers is given up, and everything that needs it says so", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  afterAll(() => silent.close());
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: `http://127.0.0.1:${port}/wp-json` } });
  const outcome = await cal("doctor --json --timeout 100ms");
  expect(row(outcome, "connection")?.found).toBe(`GET http://127.0.0.1:${port}/wp-json/: no answer came within 0.1 s`);
  const skipped = {
    clock: "skipped",
    interface: "skipped",
    documentation: "skipped",
    "page-size": "skipped",
    "time-zone": "skipped",
    access: "skipped",
  };
  expect({ ...states(outcome), code: outcome.code, stderr: outcome.stderr }).toMatchObject({
    ...skipped,
    connection: "failure",
    code: 9,
    stderr: "",
  });
});

describe("settings that can't be used are a finding, not the end", () => {
  const wrong: readonly (readonly [
    what: string,
    line: string,
    env: Readonly<Record<string, string>>,
    config: string,
    found: string,
    advice: string,
  ])[] = [
    [
      "no site",
      "doctor",
      {},
      "{}",
      "~/config/config.json: profile default (default), namespace calendar/events/v1 (default), server generic (namespace); no site is chosen",
      "cal init <site-url>; or try it without a site: cal --sandbox events list",
    ],
    [
      "a broken file",
      "doctor",
      {},
      "{",
      "cannot use the config file ~/config/config.json: it is not valid JSON",
      "repair it by hand, or move it away and start again: mv ~/config/config.json ~/config/config.json.broken",
    ],
    [
      "a broken variable",
      "doctor",
      { CAL_TIMEOUT: "soon" },
      "{}",
      'CAL_TIMEOUT: "soon" is not a duration such as 30s or 2m',
      "unset CAL_TIMEOUT; or: cal help environment",
    ],
    [
      "a profile that is not there",
      "doctor -p nowhere",
      {},
      "{}",
      'flag --profile: there is no profile "nowhere"; there are none yet',
      "add it: cal init <site-url> -p nowhere",
    ],
  ];

  test.each(wrong)("%s", async (_what, line, env, config, found, advice) => {
    const cal = createSession({ env: { CAL_SANDBOX: "0", ...env } });
    mkdirSync(join(cal.folder, "config"), { recursive: true });
    writeFileSync(join(cal.folder, "config", "config.json"), config);
    const outcome = await cal(`${line} --json`);
    const reported = row(outcome, "configuration");
    expect({ ...reported, found: masked(reported?.found ?? "", cal.folder), advice: masked(reported?.advice ?? "", cal.folder) }).toEqual({
      check: "configuration",
      state: "failure",
      found,
      advice,
    });
    expect([outcome.code, new Set(Object.values(states(outcome)))]).toEqual([9, new Set(["ok", "failure", "warning", "skipped"])]);
  });

  test("the advice is whole in a table of tabs too", async () => {
    const { stdout } = await createSession({ env: { CAL_SANDBOX: "0" } })("doctor -p nowhere --format tsv");
    expect(stdout).toContain("\tadd it: cal init <site-url> -p nowhere\n");
  });

  test("what a profile holds beside settings is named", async () => {
    const cal = createSession({ env: { CAL_SANDBOX: "0" } });
    mkdirSync(join(cal.folder, "config"), { recursive: true });
    const profile = { base_url: (await startTestSite(well)).url, colour: "red" };
    writeFileSync(join(cal.folder, "config", "config.json"), JSON.stringify({ current: "default", profiles: { default: profile } }));
    const reported = row(await cal("doctor --json"), "configuration");
    expect([reported?.state, reported?.found.split("; ").at(-1)]).toEqual(["warning", "the profile has unknown settings: colour"]);
  });
});
