// The sandbox is a separate calendar: it uses nothing of a profile's site, user or zone, and changes no profile.

import { beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createSession, fixedNow } from "../helpers/session.ts";

const cal = createSession({ env: { CAL_SANDBOX: "0" }, zone: "Europe/Berlin" });
const profile =
  "--base-url https://calendar.example.com/wp-json --tz Asia/Tokyo --read-only --client-id mine --username me --ca-file /none";

beforeAll(async () => {
  const { code, stderr } = await cal(`profile add work --use ${profile} --auth-header x-token --server the-events-calendar`);
  expect(code, stderr).toBe(0);
  await cal("config set per_page 7");
});

test("--sandbox takes its zone, its user and its rules from the sandbox, and how commands run from the profile", async () => {
  const { stdout } = await cal("--sandbox config list --show-origin --json");
  const settings = Object.fromEntries((JSON.parse(stdout) as { key: string }[]).map(({ key, ...rest }) => [key, rest]));
  expect(settings).toMatchObject({
    tz: { value: "America/New_York", origin: "site_tz of sandbox" },
    server: { value: "generic", origin: "sandbox" },
    auth_header: { value: "Authorization", origin: "default" },
    read_only: { value: false, origin: "default" },
    per_page: { value: 7, origin: "profile work" },
  });
  expect([settings["client_id"], settings["username"], settings["ca_file"]]).toEqual([undefined, undefined, undefined]);
});

test("a read-only profile does not keep the sandbox from writing, and CAL_READ_ONLY does", async () => {
  expect((await cal("--sandbox tags create --name mine --field id")).code).toBe(0);
  const careful = createSession({ env: { CAL_READ_ONLY: "1" } });
  expect((await careful("tags create --name mine")).code).toBe(5);
});

test.each([
  ["date tomorrow --field zone", "America/New_York\n"],
  ["date tomorrow --field zone --tz Europe/Paris", "Europe/Paris\n"],
  ["events list --start-date tomorrow --limit 1 --field timezone", "America/New_York\n"],
])("--sandbox %s", async (line, stdout) => {
  expect(await cal(`--sandbox ${line}`)).toMatchObject({ code: 0, stdout });
});

test("CAL_TZ is requested in the sandbox too", async () => {
  const abroad = createSession({ env: { CAL_TZ: "Asia/Kolkata" } });
  expect((await abroad("date tomorrow --field zone")).stdout).toBe("Asia/Kolkata\n");
});

test("a profile whose site is broken does not stop the sandbox", async () => {
  const broken = createSession({ env: { CAL_BASE_URL: "nonsense" } });
  expect((await broken("tags list --limit 1 --field id")).code).toBe(0);
});

test.each(["auth login", "auth logout", "auth refresh"])(
  "%s in the sandbox is refused instead of changing the profile's login",
  async (line) => {
    const before = await cal("profile show work");
    const { code, stderr } = await cal(`--sandbox ${line}`);
    expect([code, stderr]).toEqual([
      2,
      "cal: the sandbox needs no login: every command is its administrator there (flag --sandbox)\nhint: leave --sandbox out\n",
    ]);
    expect(await cal("profile show work")).toEqual(before);
  },
);

test("auth status reports the sandbox's own login, not the profile's", async () => {
  const { code, stdout } = await cal("--sandbox auth status --check --json");
  const row = { profile: "sandbox", current: true, logged_in: true, identity: "admin", source: "sandbox", store: "none", check: "valid" };
  expect([code, JSON.parse(stdout)]).toEqual([0, [row]]);
});

test("cal init says that CAL_SANDBOX still stands before the new profile", async () => {
  const box = await startSandbox({ file: ":memory:", day: "2027-01-15", now: () => Date.parse(fixedNow) });
  const { stderr } = await createSession()(`init ${box.siteUrl}`);
  await box.close();
  expect(stderr).toContain("next:\n  unset CAL_SANDBOX\n  cal events list\n");
});

test("two calendars at once are refused: the sandbox's access goes nowhere else", async () => {
  const { code, stderr } = await cal("--sandbox --base-url http://127.0.0.1:9 events list");
  expect([code, stderr]).toEqual([
    2,
    "cal: two calendars are named: the sandbox (flag --sandbox) and another (flag --base-url)\nhint: give one of them; unset CAL_SANDBOX where it is set\n",
  ]);
});

test.each(["profile add site --sandbox", "init https://calendar.example.com --sandbox"])(
  "%s does not make a profile without a site",
  async (line) => {
    const { code, stderr } = await cal(line);
    expect([code, stderr]).toEqual([
      2,
      "cal: --sandbox is for one call: it needs no profile, and none can hold it\nhint: cal --sandbox events list\nhint: for a sandbox that a profile can name: cal sandbox serve\n",
    ]);
    expect((await cal("profile list --field name")).stdout).toBe("work\n");
  },
);
