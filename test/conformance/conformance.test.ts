// The conformance run as a user starts it: the built program, real HTTP, and a sandbox with and without the server profile of a real server.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { type FixtureOptions, startFixtureSandbox } from "../sandbox/fixtures.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = join(root, "scripts/conformance.js");
const folder = mkdtempSync(join(tmpdir(), "cal-conformance-"));
const program = join(folder, "bin/cal.js");
const open: Sandbox[] = [];
const minutes = 60_000;

beforeAll(() => {
  const build = `import("./scripts/build.js").then(({ buildProgram }) => buildProgram(process.cwd(), process.argv[1]))`;
  execFileSync(process.execPath, ["-e", build, join(folder, "dist")], { cwd: root });
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}, minutes);

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function sandboxOf(options: Partial<FixtureOptions> = {}): Promise<Sandbox> {
  const now = () => Date.parse("2027-03-10T17:00:00Z");
  const sandbox = await startFixtureSandbox({ file: ":memory:", day: "2027-03-10", now, ...options });
  open.push(sandbox);
  return sandbox;
}

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs the script without a terminal; `watch` sees its output as it comes. */
async function conformance(
  args: readonly string[],
  access: Readonly<Record<string, string>> = {},
  watch?: (output: string, stop: () => void) => void,
): Promise<Outcome> {
  const env = { PATH: process.env["PATH"], HOME: folder, CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: folder, ...access };
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.setEncoding("utf8").on("data", (output: string) => watch?.(output, () => child.kill("SIGINT")));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

function siteOf({ baseUrl, namespace }: Sandbox): readonly string[] {
  return ["--base-url", baseUrl, "--namespace", namespace, "--program", program, "--yes"];
}

/** How many records of each resource the site shows its admin. */
async function totals({ baseUrl, namespace, token }: Sandbox): Promise<Readonly<Record<string, number>>> {
  const lists = ["events?starts_after=1900-01-01", "venues", "organizers", "categories?hide_empty=false", "tags?hide_empty=false"];
  const counted = lists.map(async (list) => {
    // The path is in the query where permalinks are plain.
    const [root = "", address = list] = baseUrl.includes("?") ? [baseUrl.replace(/\/$/, ""), list.replace("?", "&")] : [baseUrl];
    const response = await fetch(`${root}/${namespace}/${address}`, { headers: { authorization: `Bearer ${token}` } });
    const { total }: { readonly total: number } = JSON.parse(await response.text());
    return [list.split("?")[0], total];
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** The lines that tell what did not pass. */
function notPassed(stdout: string): readonly string[] {
  return stdout.split("\n").filter((line) => /^(failed|skipped) | finding: /.test(line));
}

const checks = 65;

test("all passes on the contract's server, and nothing is left", { timeout: 5 * minutes }, async () => {
  const sandbox = await sandboxOf();
  const before = await totals(sandbox);
  const { stdout, stderr, code } = await conformance(siteOf(sandbox), { CAL_TOKEN: sandbox.token });
  expect({ problems: notPassed(stdout), end: stdout.split("\n").slice(-3), stderr, code }).toEqual({
    problems: [],
    end: [`${checks} checks: ${checks} passed, 0 failed, 0 skipped; 0 findings`, "nothing of it is left on the site", ""],
    stderr: "",
    code: 0,
  });
  expect(await totals(sandbox)).toEqual(before);
});

test("all passes with the server profile of a real server, and its trash is reported", { timeout: 5 * minutes }, async () => {
  const sandbox = await sandboxOf({ serverProfile: "the-events-calendar" });
  const before = await totals(sandbox);
  const password = sandbox.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
  const access = { CAL_AUTH_METHOD: "application-password", CAL_USERNAME: "admin", CAL_PASSWORD: password };
  const { stdout, stderr, code } = await conformance(siteOf(sandbox), access);
  expect({ problems: notPassed(stdout), stderr, code }).toEqual({ problems: [], stderr: "", code: 0 });
  expect(stdout).toContain(`${checks} checks: ${checks} passed, 0 failed, 0 skipped; 0 findings`);
  const trash = stdout.slice(stdout.indexOf("in the site's trash")).trim().split("\n").slice(1);
  expect(trash.map((line) => line.trim().replace(/\d+/g, "n"))).toEqual(["events n n n n n", "venues n n", "organizers n n"]);
  expect(await totals(sandbox)).toEqual(before);
});

test("what fails is reported, what needs it is skipped, and what can't be deleted is listed", { timeout: 5 * minutes }, async () => {
  const forbidden = { status: 403, body: JSON.stringify({ code: "rest_forbidden", message: "No.", data: { status: 403 } }) };
  const sandbox = await sandboxOf({
    faults: [
      { method: "POST", path: "/v1/events", response: forbidden },
      { method: "PATCH", path: "/v1/tags/", bodyOverride: '{"id":1,"description":"Only this"}' },
      { method: "PATCH", path: "/v1/venues/", times: 1, bodyOverride: '{"id":1,"phone":"0"}' },
      { method: "POST", path: "/v1/venues", skip: 1, times: 1, bodyOverride: '{"id":24,"venue":"Other"}' },
      { method: "GET", path: "/venues/by-slug/", bodyOverride: '{"id":1,"venue":"Other"}' },
      { method: "POST", path: "/organizers", times: 1, disconnect: "before-answer" },
      { method: "DELETE", path: "/categories/", response: forbidden },
    ],
  });
  const before = await totals(sandbox);
  const { stdout, code } = await conformance(siteOf(sandbox), { CAL_TOKEN: sandbox.token });
  expect(code).toBe(1);
  expect(stdout).toContain("failed   events create: hidden from listings, half-hour zone\n         exit 5: No.");
  expect(stdout).toContain("skipped  events delete by id: hidden from listings\n         was not made: hidden");
  expect(stdout).toMatch(/failed {3}venues get by slug: Unicode\n {9}slug:\S+ is another record: \{"id":1,"venue":"Other"\}/);
  expect(stdout).toContain('         in the answer: description is "Only this", not "Only <strong>this</strong>"\n');
  expect(stdout).toMatch(
    /failed {3}venues update by id: one field, the others stay\n(?: {9}in the answer: .*\n)+ {9}finding: venue 1: the server keeps phone as "0"/,
  );
  expect(stdout).toMatch(/failed {3}organizers create: every text, Unicode, HTML\n {9}exit 7: /);
  expect(stdout).toMatch(/could not be deleted:\n {2}categories \d+: No\.\n {2}categories \d+: No\.\n/);
  expect(stdout).toMatch(/failed {3}venues create: the name alone\n {9}id:24 is another record: /);
  // What was made without a right answer is found by its mark, and a record of others is left alone.
  expect(await totals(sandbox)).toEqual({ ...before, categories: (before["categories"] ?? 0) + 2 });
});

test("nothing is made where the web server would refuse to delete it", { timeout: 2 * minutes }, async () => {
  const sandbox = await sandboxOf({ serverProfile: "the-events-calendar", permalinks: "plain", withoutRewrites: true });
  const before = await totals(sandbox);
  const password = sandbox.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
  const access = { CAL_AUTH_METHOD: "application-password", CAL_USERNAME: "admin", CAL_PASSWORD: password };
  const { stdout, stderr, code } = await conformance(siteOf({ ...sandbox, baseUrl: `${sandbox.siteUrl}/?rest_route=/` }), access);
  expect({ stdout, stderr, code }).toEqual({
    stdout: "",
    stderr: expect.stringContaining("the web server refuses DELETE at this REST root, and nothing was changed: 405"),
    code: 2,
  });
  expect(before["tags"]).toBeGreaterThan(0);
  expect(await totals(sandbox)).toEqual(before);
});

test("Ctrl-C deletes what was made until then", { timeout: 2 * minutes }, async () => {
  const sandbox = await sandboxOf();
  const before = await totals(sandbox);
  const { stdout, stderr, code } = await conformance(siteOf(sandbox), { CAL_TOKEN: sandbox.token }, (output, stop) => {
    if (output.includes("passed   categories create: with a slug")) stop();
  });
  expect({ stderr, code }).toEqual({ stderr: "conformance: stopping; what was made is deleted first\n", code: 130 });
  expect(stdout).toContain("nothing of it is left on the site");
  expect(stdout).not.toContain("events create");
  expect(await totals(sandbox)).toEqual(before);
});

test("nothing is sent without consent, or without a site", async () => {
  const sandbox = await sandboxOf();
  const refused = await conformance(
    siteOf(sandbox).filter((arg) => arg !== "--yes"),
    { CAL_TOKEN: sandbox.token },
  );
  expect(refused).toEqual({
    stdout: "",
    stderr: "conformance: it writes to the site, and there is no terminal: --yes agrees\nconformance: nothing was done\n",
    code: 2,
  });
  expect(await conformance(["--yes"])).toMatchObject({ stdout: "", stderr: expect.stringContaining("which site?"), code: 2 });
  expect(await conformance(["--yes", "--nonsense"])).toMatchObject({ stdout: "", stderr: expect.stringContaining("--nonsense"), code: 2 });
  expect(sandbox.requests()).toEqual([]);
});
