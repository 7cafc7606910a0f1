// Writes of many records whose reader goes away, or that a signal ends. The built program, with a server that holds some answers back.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseCsv } from "csv-parse/sync";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { startTestServer } from "../api/replies/canned.ts";
import { createUserEnvironment, startProgram, until } from "../helpers/processes.ts";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-many-writes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Requests as `DELETE 7`. */
const seen: string[] = [];
const heldAnswers: (() => void)[] = [];
/** Whether a request gets no answer until the test gives one. */
let isHeld: (request: string) => boolean = () => false;

/** Tag 3 does not exist. */
const url = await startTestServer((line) => {
  const request = line.replace(/ .*\//, " ").replace(/\?.*/, "");
  const id = Number(request.split(" ")[1]);
  seen.push(request);
  if (id === 3) return { status: 404, body: JSON.stringify({ code: "rest_not_found", message: "no such tag" }) };
  const body = JSON.stringify({ id, name: `T${id}`, slug: `t${id}`, description: request.startsWith("GET") ? "" : "x" });
  return { body: isHeld(request) ? (response) => void heldAnswers.push(() => response.end(body)) : body };
});

beforeEach(() => {
  isHeld = () => false;
  seen.length = 0;
  heldAnswers.length = 0;
});

const env = createUserEnvironment(url, folder);

/** Starts a program; `ended` resolves with its exit code. */
function start(file: string, args: readonly string[]) {
  const { ended, ...running } = startProgram(file, args, { env });
  return { ...running, ended: ended.then(({ code }) => code) };
}

const refs = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
const writes = () => seen.filter((request) => !request.startsWith("GET"));

describe("a reader that goes away ends no write", () => {
  const run = async (line: string) => {
    const { text, ended } = start("bash", ["-c", `set -o pipefail\ncal() { "${process.execPath}" "${program}" "$@"; }\n${line}`]);
    return { code: await ended, ...text };
  };

  test.each(["tsv", "ndjson", "csv", "ids", "json", "table", "yaml", "count"])(
    "cal tags delete --format %s | head -n 1",
    async (format) => {
      const { code, stderr } = await run(`cal tags delete {11..50} --yes --quiet --format ${format} | head -n 1`);
      expect({ code, stderr, writes: writes().length }).toEqual({ code: 0, stderr: "", writes: 40 });
    },
  );

  test("the exit code is that of the outcomes, and each failure is named", async () => {
    for (const reader of ["| true", "> /dev/full"]) {
      seen.length = 0;
      const { code, stderr } = await run(`cal tags update {1..40} --description x --quiet --json ${reader}`);
      expect({ code, writes: writes().length }).toEqual({ code: 8, writes: 39 });
      expect(stderr).toContain("cal: 3: no such tag");
    }
  });

  test.each(["tsv", "json", "ids"])("cal tags delete --format %s > /dev/full", async (format) => {
    const { code, stderr } = await run(`cal tags delete {11..50} --yes --quiet --format ${format} > /dev/full`);
    expect({ code, writes: writes().length }).toEqual({ code: 0, writes: 40 });
    expect(stderr).toMatch(/^warning: the output can't be written: ENOSPC[^\n]*; the work goes on without printing\n$/);
  });

  test("reading many records stops there", async () => {
    expect((await run("cal tags get {11..400} --format ids | head -n 1")).code).toBe(0);
    expect(seen.length).toBeLessThan(390);
  });
});

/** How each format shows the rows; the others have no row for what has no record. */
const parsers: Readonly<Record<string, (text: string) => readonly unknown[]>> = {
  json: (text) => JSON.parse(text),
  ndjson: (text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  yaml: (text) => parseYaml(text),
};

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

describe.each(["SIGINT", "SIGTERM"] as const)("%s in the middle of many deletions", (signal) => {
  /** Ends a command when 5 to 8 of 10 are under way, and a second time when it waits for them. */
  const interrupt = async (format: string) => {
    isHeld = (request) => /^DELETE [5-8]$/.test(request);
    const { text, ended, kill } = start(process.execPath, [program, "tags", "delete", ...refs(10), "--yes", "--format", format]);
    await until(() => heldAnswers.length === 4);
    kill(signal);
    await until(() => text.stderr.includes("waiting for the requests under way"));
    kill(signal);
    expect(await ended).toBe(codes[signal]);
    // Each record is read first, for the journal, and 3 is not there.
    expect(writes().sort()).toEqual([1, 2, 4, 5, 6, 7, 8].map((id) => `DELETE ${id}`));
    return text;
  };
  const lines = [
    "outcome unknown: 5 6 7 8",
    "not tried: 9 10",
    "interrupted: 3 of 10 deleted, 1 failed, 4 with an unknown outcome, 2 not tried",
  ];
  const hint = "see what has an unknown outcome: cal tags get 5 6 7 8";

  test.each(Object.entries(parsers))("--format %s has a row for each", async (format, parse) => {
    const { stdout, stderr } = await interrupt(format);
    const deleted = (id: number) => ({ ref: String(id), ok: true, record: expect.objectContaining({ id }) });
    const failed = (id: number, code: string) => ({ ref: String(id), ok: false, error: expect.objectContaining({ code }) });
    expect(parse(stdout)).toEqual([
      ...[1, 2].map(deleted),
      failed(3, "rest_not_found"),
      deleted(4),
      ...[5, 6, 7, 8].map((id) => failed(id, "outcome-unknown")),
      ...[9, 10].map((id) => failed(id, "not-tried")),
    ]);
    const last = stderr
      .trimEnd()
      .split("\n")
      .slice(format === "yaml" ? -4 : -1);
    if (format === "yaml") expect(last).toEqual([...lines.map((line) => `cal: ${line}`), `hint: ${hint}`]);
    else
      expect(JSON.parse(last[0] ?? "")).toEqual({
        error: { code: codes[signal] === 130 ? "interrupted" : "terminated", message: lines.join("\n"), hint },
      });
  });

  test.each(["tsv", "csv"])("--format %s has a row for each", async (format) => {
    const { stdout, stderr } = await interrupt(format);
    const rows: string[][] = parseCsv(stdout, { delimiter: format === "tsv" ? "\t" : "," });
    expect(rows.map(([ref, ok]) => `${ref} ${ok}`)).toEqual([
      "ref ok",
      ...refs(10).map((ref) => `${ref} ${["1", "2", "4"].includes(ref)}`),
    ]);
    expect(rows.slice(5).map((row) => row.at(-1)?.split(":")[0])).toEqual([
      ...Array(4).fill("outcome unknown"),
      ...Array(2).fill("not tried"),
    ]);
    expect(stderr).toContain(lines.map((line) => `cal: ${line}\n`).join(""));
  });

  test("--format ids prints the deleted ones, and what failed on stderr", async () => {
    const { stdout, stderr } = await interrupt("ids");
    expect(stdout).toBe("1\n2\n4\n");
    expect(stderr).toContain("cal: 3: no such tag");
    expect(stderr).toContain(lines.map((line) => `cal: ${line}\n`).join(""));
  });

  test("under --quiet it waits a few seconds for what is under way, and reports the same", async () => {
    isHeld = (request) => /^DELETE [5-8]$/.test(request);
    const { text, ended, kill } = start(process.execPath, [program, "tags", "delete", ...refs(10), "--yes", "--quiet"]);
    await until(() => heldAnswers.length === 4);
    kill(signal);
    expect(await ended).toBe(codes[signal]);
    expect(text.stderr).toBe(`${lines.map((line) => `cal: ${line}\n`).join("")}hint: ${hint}\n`);
  }, 30_000);

  test("an answer that comes after the signal counts", async () => {
    isHeld = (request) => /^DELETE [5-8]$/.test(request);
    const { text, ended, kill } = start(process.execPath, [program, "tags", "delete", ...refs(10), "--yes"]);
    await until(() => heldAnswers.length === 4);
    kill(signal);
    await until(() => text.stderr.includes("waiting for the requests under way"));
    for (const answer of heldAnswers) answer();
    expect(await ended).toBe(codes[signal]);
    expect(text.stderr).toContain("cal: not tried: 9 10\ncal: interrupted: 7 of 10 deleted, 1 failed, 2 not tried\n");
    expect(text.stderr).not.toContain("unknown");
  });

  test("an apply says how to go on", async () => {
    const plan = join(folder, `plan-${signal}.json`);
    // Tag 3 is not there.
    const ids = refs(10).filter((id) => id !== "3");
    expect(await start(process.execPath, [program, "tags", "update", ...ids, "--description", "x", "--plan-out", plan]).ended).toBe(0);
    isHeld = (request) => /^PATCH [5-8]$/.test(request);
    const apply = ["apply", plan, "--yes"];
    const { text, ended, kill } = start(process.execPath, [program, ...apply]);
    await until(() => heldAnswers.length === 4);
    kill(signal);
    await until(() => text.stderr.includes("waiting for the requests under way"));
    for (const answer of heldAnswers) answer();
    expect(await ended).toBe(codes[signal]);
    expect(writes()).toHaveLength(7);
    expect(text.stderr).toContain(`cal: interrupted: 7 of 9 written, 2 not tried\nhint: to go on: cal ${apply.join(" ")}\n`);
  });

  test("an update that has only read its record is not tried", async () => {
    isHeld = (request) => /^GET [5-8]$/.test(request);
    const { text, ended, kill } = start(process.execPath, [program, "tags", "update", ...refs(10), "--description", "x"]);
    await until(() => heldAnswers.length === 4);
    kill(signal);
    await until(() => text.stderr.includes("waiting for the requests under way"));
    for (const answer of heldAnswers) answer();
    expect(await ended).toBe(codes[signal]);
    expect(text.stderr).toContain("cal: not tried: 5 6 7 8 9 10\ncal: interrupted: 3 of 10 updated, 1 failed, 6 not tried\n");
    expect(writes()).toEqual(["PATCH 1", "PATCH 2", "PATCH 4"]);
  });
});
