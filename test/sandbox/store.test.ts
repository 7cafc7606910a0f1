// A transaction of the store is written whole or not at all, in memory and in its log file, which survives torn lines and stays small.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryStore, openFileStore, resetDataFile, type StoreWriter } from "../../src/sandbox/store.ts";
import { createSession, expectExitCode } from "../helpers/session.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

const seed = (draft: StoreWriter) => {
  draft.put("passwords", { id: "changed", user: 1, name: "as it was" });
  draft.put("passwords", { id: "removed", user: 1, name: "as it was" });
};
const seededRows = ["changed: as it was", "removed: as it was"];
const rowsOf = (store: Awaited<ReturnType<typeof openFileStore>>) =>
  store.read((data) =>
    data
      .all("passwords")
      .map(({ id, name }) => `${id}: ${name}`)
      .sort(),
  );
const put = (id: string, name: string) => (draft: StoreWriter) => draft.put("passwords", { id, user: 1, name });

/** A new log file with one transaction after its seed. */
async function createLog(name: string) {
  const file = join(folder, `${name}.ndjson`);
  const store = await openFileStore(file, seed);
  await store.write(put("first", "é"));
  return { file, store, text: readFileSync(file, "utf8"), rows: ["changed: as it was", "first: é", "removed: as it was"] };
}

test.each([
  ["in memory", async () => createMemoryStore(seed), async () => undefined],
  [
    "in a file, for other processes too",
    () => openFileStore(join(folder, "data.ndjson"), seed),
    () => openFileStore(join(folder, "data.ndjson"), seed),
  ],
])("work that fails in its middle, %s", async (_where, open, openAgain) => {
  const store = await open();
  const failing = store.write((draft) => {
    draft.put("passwords", { id: "new", user: 1, name: "half" });
    draft.put("passwords", { id: "changed", user: 1, name: "half" });
    draft.put("passwords", { id: "changed", user: 1, name: "half again" });
    draft.remove("passwords", "removed");
    draft.nextId("posts");
    throw new Error("in the middle");
  });
  await expect(failing).rejects.toThrow("in the middle");
  expect(await rowsOf(store)).toEqual(seededRows);
  // It is not committed by the next transaction either.
  const next = await store.write((draft) => {
    draft.put("passwords", { id: "kept", user: 1, name: "whole" });
    draft.remove("passwords", "removed");
    return draft.nextId("posts");
  });
  expect(next).toBe(1);
  for (const one of [store, await openAgain()]) {
    if (one !== undefined) expect(await rowsOf(one)).toEqual(["changed: as it was", "kept: whole"]);
  }
});

test("a last line that is torn, at any byte, is removed, and the lines before it are read", async () => {
  const { file, rows, text } = await createLog("torn");
  const whole = Buffer.from(text);
  const last = Buffer.from(`${JSON.stringify([["passwords", "torn", { id: "torn", user: 1, name: "é" }]])}\n`);
  for (let length = 1; length < last.length; length += 1) {
    writeFileSync(file, Buffer.concat([whole, last.subarray(0, length)]));
    expect(await rowsOf(await openFileStore(file, seed))).toEqual(rows);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("a line that another process leaves torn while this one runs is removed by the next write", async () => {
  const { file, store, rows, text } = await createLog("torn-later");
  writeFileSync(file, `${text}[["passwords","torn",{"id"`);
  await store.write(put("second", "whole"));
  expect(await rowsOf(store)).toEqual([...rows, "second: whole"].sort());
  expect(await rowsOf(await openFileStore(file, seed))).toEqual([...rows, "second: whole"].sort());
});

test.each([
  ["of another program", () => "notes\nmore notes\n", "is not a data file of the sandbox"],
  ["that is empty", () => "", "is not a data file of the sandbox"],
  ["of another version", (text: string) => text.replace('"calSandbox":1', '"calSandbox":2'), "was made by another version of this program"],
  ["of SQLite, as earlier versions made it", () => "SQLite format 3\0\u0010\0\u0001", "was made by another version of this program"],
  ["with a damaged line", (text: string) => text.replace('[["passwords","first"', '[["passwords"'), "can't be used: its line 3 is damaged"],
  [
    "with an unknown table",
    (text: string) => text.replace('[["passwords","first"', '[["x","first"'),
    "can't be used: its line 3 is damaged",
  ],
])("a file %s is refused and left as it is; a reset replaces it", async (name, damage, says) => {
  const { file, text } = await createLog(name);
  const damaged = damage(text);
  writeFileSync(file, damaged);
  await expect(openFileStore(file, seed)).rejects.toMatchObject({
    kind: "local",
    message: `the sandbox's data file ${file} ${says}`,
    details: { hint: expect.stringContaining("cal sandbox reset") },
  });
  expect(readFileSync(file, "utf8")).toBe(damaged);
  await resetDataFile(file, seed);
  expect(await rowsOf(await openFileStore(file, seed))).toEqual(seededRows);
});

test("the log is compacted when it has grown, and other processes read on", async () => {
  const own = join(folder, "compacted");
  const file = join(own, "data.ndjson");
  const [store, other] = [await openFileStore(file, seed), await openFileStore(file, seed)];
  const sizes: number[] = [];
  for (let number = 1; number <= 1000; number += 1) {
    await store.write(put(`row ${number % 10}`, `${number} ${"x".repeat(1000)}`));
    sizes.push(statSync(file).size);
    if (number % 100 === 0) expect(await other.read((data) => data.find("passwords", "row 0")?.name.split(" ")[0])).toBe(String(number));
  }
  expect(Math.max(...sizes)).toBeLessThan(270_000);
  expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true);
  expect(await rowsOf(await openFileStore(file, seed))).toEqual(await rowsOf(store));
  expect(await rowsOf(store)).toHaveLength(12);
  expect(readdirSync(own)).toEqual(["data.ndjson"]);
});

test("the data file of earlier versions is named once, and a reset removes it", async () => {
  const state = mkdtempSync(join(folder, "state-"));
  const old = join(state, "sandbox.sqlite");
  writeFileSync(old, "SQLite format 3\0");
  const cal = createSession({ env: { CAL_STATE_DIR: state } });
  const notice = `the sandbox starts again with new data: its old file ${old} is not read any more; \`cal sandbox reset\` removes it\n`;
  expect((await expectExitCode(cal("tags get free --json"), 0)).stderr).toBe(notice);
  expect((await expectExitCode(cal("tags get free --json"), 0)).stderr).toBe("");
  await expectExitCode(cal(`sandbox reset --yes --data-file ${join(state, "other.ndjson")}`), 0);
  expect(existsSync(old)).toBe(true);
  await expectExitCode(cal("sandbox reset --yes"), 0);
  expect(readdirSync(state).sort()).toEqual(["other.ndjson", "sandbox.ndjson"]);
});
