// The recipes of docs/scripting.md are whole scripts: bash runs each of them with the built program, on a site that runs The Events Calendar.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { startProgram } from "../helpers/processes.ts";
import { projectRoot } from "../project/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-recipes-"));
const site = await startSandbox({
  file: ":memory:",
  day: new Date().toISOString().slice(0, 10),
  now: () => Date.now(),
  serverProfile: "the-events-calendar",
});
const env = {
  PATH: [folder, process.env["PATH"]].join(delimiter),
  HOME: folder,
  CAL_CONFIG_DIR: join(folder, "config"),
  CAL_STATE_DIR: join(folder, "state"),
  CAL_CACHE_DIR: join(folder, "cache"),
  CAL_BASE_URL: site.baseUrl,
  CAL_NAMESPACE: "tribe/events/v1",
  CAL_USERNAME: "admin",
  CAL_PASSWORD: site.users.find(({ username }) => username === "admin")?.applicationPassword,
  CAL_NO_INPUT: "1",
};

const recipes = new Map(
  [...readFileSync(join(projectRoot, "docs/scripting.md"), "utf8").matchAll(/```sh\n(#!.*?\n# ([\w-]+\.sh)\b.*?)```/gs)].map(
    ([, script = "", name = ""]) => [name, script],
  ),
);

/** Runs a line of bash in the folder of the recipes. */
async function bash(line: string) {
  const { text, ended } = startProgram("bash", ["-c", line], { cwd: folder, env });
  const { code } = await ended;
  return { code, ...text };
}

const read = (name: string) => readFileSync(join(folder, name), "utf8");

beforeAll(() => {
  writeFileSync(join(folder, "cal"), `#!/bin/sh\nexec "${process.execPath}" "${projectRoot}/bin/cal.js" "$@"\n`, { mode: 0o755 });
  for (const [name, script] of recipes) writeFileSync(join(folder, name), script, { mode: 0o755 });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the document has four recipes", () => {
  expect([...recipes.keys()]).toEqual(["import.sh", "feed.sh", "programme.sh", "double-bookings.sh"]);
});

test("import.sh imports twice, keeps its ledger in git, and fails for a bad row after it has written the others", async () => {
  const rows = "title,start_date,end_date,venue\nOpen Stage,2031-03-05 19:30,2031-03-05 22:00,Moon Base\n";
  writeFileSync(join(folder, "programme.csv"), rows);
  await bash("git init --quiet && git config user.name ci && git config user.email ci@example.org");
  const first = await bash("./import.sh");
  expect({ code: first.code, stdout: first.stdout }, first.stderr).toEqual({ code: 0, stdout: "2\n" });
  const again = await bash("./import.sh");
  expect({ code: again.code, stdout: again.stdout }, again.stderr).toEqual({ code: 0, stdout: "0\n" });
  writeFileSync(join(folder, "programme.csv"), `${rows}No Date,soon,,\nQuiz Night,2031-03-06 20:00,2031-03-06 23:00,Moon Base\n`);
  const partial = await bash("./import.sh");
  expect({ code: partial.code, stdout: partial.stdout }, partial.stderr).toEqual({ code: 8, stdout: "1\n" });
  expect(read("rejected.csv")).toContain("No Date,soon");
  expect((await bash("git log --format=%s; git status --short programme.ledger")).stdout).toBe("Record what was imported\n".repeat(2));
});

test("feed.sh replaces the feed only where something has changed, and never with half of one", async () => {
  expect(await bash("./feed.sh events.ics")).toMatchObject({ code: 0, stderr: "" });
  expect(read("events.ics")).toMatch(/^BEGIN:VCALENDAR[\s\S]*END:VCALENDAR\r\n$/);
  const { ino, mode } = statSync(join(folder, "events.ics"));
  expect(mode & 0o777).toBe(0o644);
  expect((await bash("./feed.sh events.ics")).code).toBe(0);
  expect(statSync(join(folder, "events.ics")).ino).toBe(ino);
  const failed = await bash("CAL_BASE_URL=http://127.0.0.1:9 CAL_RETRIES=0 ./feed.sh events.ics");
  expect([failed.code, (await bash("ls | grep -c events.ics")).stdout]).toEqual([7, "1\n"]);
});

test("programme.sh writes a page and a text", async () => {
  expect(await bash("./programme.sh")).toMatchObject({ code: 0, stderr: "" });
  expect(read("programme.html")).toMatch(/<\/html>\s*$/);
  expect(read("programme.md")).toMatch(/^# /);
  expect(existsSync(join(folder, "programme.md.new"))).toBe(false);
});

test("double-bookings.sh fails with the events that take one venue at the same time", async () => {
  expect(await bash("./double-bookings.sh")).toMatchObject({ code: 0, stdout: "" });
  const create = (title: string) =>
    `cal events create --title ${title} --start-date "today+20d 03:00" --duration 1h --venue "Town Hall" --quiet > /dev/null`;
  expect((await bash(`${create("First")} && ${create("Second")}`)).code).toBe(0);
  const found = await bash("./double-bookings.sh");
  expect(found.code, found.stderr).toBe(1);
  expect(found.stdout).toMatch(/^Town Hall, \S+: First \(\d+\) and Second \(\d+\)\n$/);
  expect((await bash("CAL_BASE_URL=http://127.0.0.1:9 CAL_RETRIES=0 ./double-bookings.sh")).code).toBe(7);
});
