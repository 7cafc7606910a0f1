// Values that are kept until a command ends: in memory, and in a file of the state folder where they are many.
import { existsSync, fstatSync, lstatSync, mkdtempSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Change, sortChanges } from "../../src/changes/change.ts";
import { createValueStore, keepFields } from "../../src/changes/value-store.ts";

const createFolder = () => join(mkdtempSync(join(tmpdir(), "cal-values-")), "state");

const createChange = (at: number): Change => ({
  op: "create",
  resource: at % 3 === 0 ? "venues" : "events",
  key: `key ${at}`,
  title: `Café ${at} 🎷`,
  fields: [
    { name: "title", to: `Café ${at} 🎷`, origin: "input" },
    { name: "description", to: "x".repeat(at % 500), origin: "input" },
    { name: "venue", to: at % 3 === 1 ? { key: `key ${at - 1}` } : 7, origin: "input" },
  ],
  needs: at % 3 === 1 ? [`key ${at - 1}`] : [],
  source: { file: "events.csv", line: at + 2 },
});

test("values come back as they were, in any order, also those that JSON can't hold", () => {
  const { keep, close } = createValueStore(createFolder());
  const values = Array.from({ length: 3000 }, (_, at) => ({ at, text: `${"ö".repeat(at % 90)}\n`, id: at % 700 === 0 ? 2n ** 60n : at }));
  const half = values.slice(0, 1500).map(keep);
  expect(half.map((one) => one.read())).toEqual(values.slice(0, 1500));
  const long = keep("y".repeat(200_000));
  const all = [...half, ...values.slice(1500).map(keep)];
  expect(long.read()).toBe("y".repeat(200_000));
  expect(all.map((one) => one.read()).toReversed()).toEqual(values.toReversed());
  expect(all.toReversed().map((one) => one.read())).toEqual(values.toReversed());
  close();
});

test("a thousand need no file; the file of more has no name", () => {
  const folder = createFolder();
  const { keep, close } = createValueStore(folder);
  for (let at = 0; at < 1000; at++) keep(at);
  expect(existsSync(folder)).toBe(false);
  keep(1000);
  expect(readdirSync(folder)).toEqual([]);
  close();
});

if (existsSync("/proc/self/fd"))
  test("only this user can read the file", () => {
    const folder = createFolder();
    const { keep, close } = createValueStore(folder);
    for (let at = 0; at <= 1000; at++) keep(at);
    const descriptors = readdirSync("/proc/self/fd").map((name) => `/proc/self/fd/${name}`);
    const isOwn = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined && readlinkSync(path).startsWith(folder);
    expect(descriptors.filter(isOwn).map((path) => fstatSync(Number(path.split("/").at(-1))).mode & 0o777)).toEqual([0o600]);
    close();
  });

test("without a folder that can be written they stay in memory", () => {
  const folder = createFolder();
  writeFileSync(folder, "");
  const { keep, close } = createValueStore(folder);
  const values = Array.from({ length: 1200 }, (_, at) => ({ at }));
  expect(values.map((value) => keep(value).read())).toEqual(values);
  close();
});

test("changes with their fields in a file are the same changes, in the same order", () => {
  const { keep, close } = createValueStore(createFolder());
  const changes = Array.from({ length: 3000 }, (_, at) => createChange(at));
  const stored = changes.map((change) => keepFields(change, keep));
  const plan = sortChanges(changes);
  expect(JSON.stringify(sortChanges(stored))).toBe(JSON.stringify(plan));
  expect(sortChanges(stored).map((change) => ({ ...change }))).toEqual(plan);
  close();
});
