// A piece of work on the store is kept whole or not at all: what was done before it fails is taken back, in memory and in the file.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryStore, openFileStore, resetDataFile, type StoreWriter } from "../../src/sandbox/store.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, "data.sqlite");
const seed = (draft: StoreWriter) => {
  draft.put("passwords", { id: "changed", user: 1, name: "as it was" });
  draft.put("passwords", { id: "removed", user: 1, name: "as it was" });
};
const held = (store: Awaited<ReturnType<typeof openFileStore>>) =>
  store.read((data) =>
    data
      .all("passwords")
      .map(({ id, name }) => `${id}: ${name}`)
      .sort(),
  );

test.each([
  ["in memory", async () => createMemoryStore(seed), async () => undefined],
  ["in a file, for other processes too", () => openFileStore(file, seed), () => openFileStore(file, seed)],
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
  const before = ["changed: as it was", "removed: as it was"];
  expect(await held(store)).toEqual(before);
  // It is not kept by the next piece of work either.
  const next = await store.write((draft) => {
    draft.put("passwords", { id: "kept", user: 1, name: "whole" });
    return draft.nextId("posts");
  });
  expect(next).toBe(1);
  for (const one of [store, await openAgain()]) {
    if (one !== undefined) expect(await held(one)).toEqual(["changed: as it was", "kept: whole", "removed: as it was"]);
  }
});

test("a copy that a killed process left, and its lock, are no part of what is written next", async () => {
  const own = join(folder, "own.sqlite");
  const store = await openFileStore(own, seed);
  const leave = () => {
    copyFileSync(own, `${own}.next`);
    mkdirSync(`${own}.next.lock`);
  };
  leave();
  await store.write((draft) => draft.put("passwords", { id: "kept", user: 1, name: "whole" }));
  expect(await held(store)).toEqual(["changed: as it was", "kept: whole", "removed: as it was"]);
  leave();
  await resetDataFile(own, seed);
  expect(await held(await openFileStore(own, seed))).toEqual(["changed: as it was", "removed: as it was"]);
  expect(readdirSync(folder).filter((name) => name.startsWith("own"))).toEqual(["own.sqlite"]);
});

/** Where SQLite keeps what a program tells of its file: https://www.sqlite.org/fileformat.html, "The Database Header". */
test.each([
  ["of another program", 68, "is not a data file of the sandbox"],
  ["of another version", 60, "was made by another version of this program"],
])("a file %s is refused, and left as it is", async (what, offset, says) => {
  const other = join(folder, `${what}.sqlite`);
  await openFileStore(other, seed);
  const bytes = readFileSync(other);
  bytes.writeUInt32BE(7, offset);
  writeFileSync(other, bytes);
  await expect(openFileStore(other, seed)).rejects.toMatchObject({ kind: "local", message: `the sandbox's data file ${other} ${says}` });
  expect(readFileSync(other).equals(bytes)).toBe(true);
});
