// A source of more rows than a plan holds in memory: the same plan, the same results.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";

const count = 1040;
const badRow = 1020;

/** Days from the first one of 2027; the bad row has a day that does not exist. */
function createRow(at: number): string {
  const day = new Date(Date.UTC(2027, 0, 1 + (at % 300))).toISOString().slice(0, 10);
  return `"Concert ${at}, ""live""",${at === badRow ? "2027-02-31" : day} 20:00,Town Hall,"Line one\r\nline two ${at}"`;
}

test("a plan of many rows is shown, saved and carried out", async () => {
  const { cal } = await openSandboxSession("generic");
  const source = join(cal.folder, "events.csv");
  const rejects = join(cal.folder, "rejects.csv");
  const planFile = join(cal.folder, "plan.json");
  writeFileSync(
    source,
    ["title,start_date,venue,description", ...Array.from({ length: count }, (_, at) => createRow(at)), ""].join("\r\n"),
  );
  const titles = Array.from({ length: count }, (_, at) => `Concert ${at}, "live"`).filter((_, at) => at !== badRow);

  const preview = await expectExitCode(cal(`events import ${source} --dry-run --format ndjson --rejects ${rejects}`), 8);
  const shown = preview.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonRecord);
  expect(shown.map(({ title }) => title)).toEqual(titles);
  expect(Object.keys(shown.at(-1) ?? {})).toEqual(["op", "resource", "key", "title", "fields", "needs", "source"]);
  expect(shown.at(-1)).toMatchObject({ op: "create", source: { file: source, line: 2 * count } });
  expect(readFileSync(rejects, "utf8")).toBe(`title,start_date,venue,description\r\n${createRow(badRow)}\r\n`);

  await expectExitCode(cal(`events import ${source} --plan-out ${planFile} --format ndjson`), 8);
  const text = readFileSync(planFile, "utf8");
  const plan = JSON.parse(text) as { readonly changes: readonly JsonRecord[] };
  expect(text).toBe(`${JSON.stringify(plan, undefined, 2)}\n`);
  expect(plan.changes).toEqual(shown);
  const whole = await expectExitCode(cal(`apply ${planFile} --dry-run --format yaml`), 0);
  expect((parseYaml(whole.stdout) as typeof plan).changes).toEqual(shown);

  const first = await expectExitCode(cal(`events import ${source} --yes --format ndjson`), 8);
  const fates = first.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonRecord);
  expect(fates.slice(0, -1).map(({ status, record }) => [status, (record as JsonRecord)["title"]])).toEqual(
    titles.map((title) => ["done", title]),
  );
  expect(fates.at(-1)).toMatchObject({ ok: false, error: { code: "invalid-row" } });
  const second = await expectExitCode(cal(`events import ${source} --yes --format count`), 8);
  expect(second.stderr).toContain(`0 written, ${count - 1} unchanged, 1 failed`);
  expect(readdirSync(join(cal.folder, "state")).filter((name) => name.startsWith("values"))).toEqual([]);
}, 60_000);

test("an operation of many changes is undone, and so is that", async () => {
  const { cal } = await openSandboxSession("generic");
  const lines = Array.from({ length: count }, (_, at) => createRow(at)).filter((_, at) => at !== badRow);
  const source = join(cal.folder, "events.csv");
  writeFileSync(source, ["title,start_date,venue,description", ...lines, ""].join("\r\n"));
  const readOwn = async () => {
    const { stdout } = await expectExitCode(
      cal('events list --all --search "live" --fields title,start_date,description --format ndjson'),
      0,
    );
    return stdout
      .split("\n")
      .filter((line) => line.includes("Concert "))
      .toSorted();
  };
  await expectExitCode(cal(`events import ${source} --yes --format count`), 0);
  const imported = await readOwn();
  expect(imported).toHaveLength(lines.length);
  const undoNewest = async () => {
    const log = await expectExitCode(cal("log --json"), 0);
    const [{ operation = "" } = {}] = JSON.parse(log.stdout) as readonly { readonly operation?: string }[];
    await expectExitCode(cal(`undo ${operation} --yes --max-delete ${count + 1} --format count`), 0);
  };
  await undoNewest();
  expect(await readOwn()).toEqual([]);
  await undoNewest();
  expect(await readOwn()).toEqual(imported);
}, 60_000);
