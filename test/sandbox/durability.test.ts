// The data file under several processes and under `kill -9`, with real processes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resetSandbox } from "../../src/sandbox/server.ts";
import { createEndedProcess, createHeldLock, formatOwnerName } from "../lock/owners.ts";
import { day, fetchApiJson, getValueAt, startTestSandbox } from "./client.ts";

const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
const program = join(folder, "writer.mjs");
/** How often a writer is killed; `npm run soak` does it in full. */
const rounds = process.env["CAL_SOAK"] === "1" ? 200 : 10;

beforeAll(async () => {
  const here = new URL(".", import.meta.url).pathname;
  await build({
    entryPoints: [join(here, "writer.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Writer {
  readonly process: ChildProcess;
  /** Titles whose creation was answered. */
  readonly answered: string[];
  readonly errors: string[];
  readonly ended: Promise<unknown>;
}

function writer(
  file: string,
  name: string,
  count: number,
  onAnswer: (answered: number, process: ChildProcess) => void = () => undefined,
): Writer {
  const process = spawn(globalThis.process.execPath, [program, file, name, String(count)]);
  const answered: string[] = [];
  const errors: string[] = [];
  let rest = "";
  process.stderr.on("data", (data) => errors.push(String(data)));
  process.stdout.on("data", (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one !== "ready")) {
      if (line.startsWith("201 ")) answered.push(line.slice(4));
      else errors.push(line);
    }
    onAnswer(answered.length, process);
  });
  return { process, answered, errors, ended: once(process, "close") };
}

async function titles(file: string, search: string): Promise<readonly unknown[]> {
  const sandbox = await startTestSandbox({ file });
  const all: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await fetchApiJson(sandbox, `events?per_page=100&page=${page}&search=${search}`);
    expect(status).toBe(200);
    const events = getValueAt(body, "events");
    if (!Array.isArray(events) || events.length === 0) return all;
    all.push(...events.map((event) => getValueAt(event, "title")));
  }
}

test("20 processes at once: every event is there, and no lock is left", async () => {
  const file = join(folder, "many", "data.ndjson");
  const writers = Array.from({ length: 20 }, (_, index) => writer(file, `crowd ${index}`, 2));
  await Promise.all(writers.map(({ ended }) => ended));
  expect(writers.flatMap(({ errors }) => errors)).toEqual([]);
  const expected = writers.flatMap((_, index) => [`crowd ${index} 1`, `crowd ${index} 2`]);
  expect([...(await titles(file, "crowd"))].sort()).toEqual(expected.sort());
  expect(readdirSync(join(folder, "many"))).toEqual(["data.ndjson"]);
}, 120_000);

test("kill -9 in the middle of writes: no answered write is lost, and the next process is not blocked", async () => {
  const file = join(folder, "killed", "data.ndjson");
  const answered: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = writer(file, `doomed ${round}`, 1000, (count, process) => {
      if (count >= 1 + (round % 3)) setTimeout(() => process.kill("SIGKILL"), (round % 10) * 3);
    });
    await one.ended;
    expect(one.errors).toEqual([]);
    expect(one.answered.length).toBeGreaterThan(0);
    answered.push(...one.answered);
  }
  expect(await titles(file, "doomed")).toEqual(expect.arrayContaining(answered));
  // A process that is killed while it compacts the file leaves a temporary one, which the next whole write removes.
  expect(readdirSync(join(folder, "killed")).filter((name) => !name.startsWith(".data.ndjson."))).toEqual(["data.ndjson"]);
  await resetSandbox(file, day);
  expect(readdirSync(join(folder, "killed"))).toEqual(["data.ndjson"]);
}, 900_000);

test("a lock and a temporary file that a killed process left are no obstacle", async () => {
  const file = join(folder, "left", "data.ndjson");
  await (await startTestSandbox({ file })).close();
  writeFileSync(join(folder, "left", ".data.ndjson.0123456789ab"), "half");
  createHeldLock(`${file}.lock`, formatOwnerName(await createEndedProcess()));
  expect((await titles(file, "jazz")).length).toBeGreaterThan(5);
  await resetSandbox(file, day);
  expect(readdirSync(join(folder, "left"))).toEqual(["data.ndjson"]);
});

test("what was killed before it had its lock leaves nothing behind", async () => {
  const file = join(folder, "unwritten", "data.ndjson");
  await (await startTestSandbox({ file })).close();
  const draftOf = (pid: number) => `${file}.lock.${formatOwnerName(pid)}`;
  mkdirSync(draftOf(await createEndedProcess()));
  mkdirSync(draftOf(process.ppid));
  await (await startTestSandbox({ file })).close();
  expect(readdirSync(join(folder, "unwritten"))).toEqual(["data.ndjson", basename(draftOf(process.ppid))]);
});

test("two live sandboxes on one file see each other's writes, also after a reset", async () => {
  const file = join(folder, "shared", "data.ndjson");
  const [one, other] = [await startTestSandbox({ file }), await startTestSandbox({ file })];
  const made = await fetchApiJson(one, "tags", { json: { name: "shared" } });
  const id = getValueAt(made.body, "id");
  expect((await fetchApiJson(other, `tags/${id}`)).body).toMatchObject({ name: "shared" });
  expect((await fetchApiJson(other, `tags/${id}`, { method: "PATCH", json: { name: "changed" } })).status).toBe(200);
  expect((await fetchApiJson(one, `tags/${id}`)).body).toMatchObject({ name: "changed" });
  await resetSandbox(file, day);
  expect((await fetchApiJson(one, `tags/${id}`)).status).toBe(404);
  expect((await fetchApiJson(other, `tags/${id}`)).status).toBe(404);
});

test("a file that is not ours is refused and left alone; a reset makes a new one", async () => {
  const file = join(folder, "foreign.ndjson");
  writeFileSync(file, "these are notes, and no log\n".repeat(100));
  await expect(startTestSandbox({ file })).rejects.toMatchObject({
    kind: "local",
    details: { hint: expect.stringContaining("cal sandbox reset") },
  });
  expect(readFileSync(file, "utf8")).toContain("these are notes");
  await resetSandbox(file, day);
  expect((await titles(file, "jazz")).length).toBeGreaterThan(5);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("the error for a folder that can't be used names the file", async () => {
  writeFileSync(join(folder, "plain"), "");
  const file = join(folder, "plain", "data.ndjson");
  await expect(startTestSandbox({ file })).rejects.toMatchObject({ kind: "local", message: expect.stringContaining(file) });
  await expect(resetSandbox(file, day)).rejects.toMatchObject({ kind: "local" });
});
