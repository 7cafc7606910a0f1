// Compiled code from a folder: taken only where it is of the same text and nobody else could have put it there.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openCodeCache } from "../../src/start/code-cache.ts";

const place = mkdtempSync(join(tmpdir(), "cal-code-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const uid = process.getuid?.();
const machine = { node: "v0-test", uid };
const source = (id: string, answer: number) => `//${id.padEnd(16, "0")}\n(function(){function answer(){return ${answer}}return answer()})`;

let folder = "";
let count = 0;
beforeEach(() => {
  folder = join(place, String(++count), "code");
});

/** Compiles and runs a text with a cache of its own, as a new process would; tells what it answered and whether compiled code was taken. */
function run(text: string, from = machine) {
  const cache = openCodeCache(folder, from);
  const script = cache.compile("pack.js", text, "/pack.js");
  const answer: unknown = script.runInThisContext()();
  cache.keep();
  return { answer, taken: script.cachedDataRejected === false };
}

test("the second start takes what the first one compiled", () => {
  expect(run(source("a", 1))).toEqual({ answer: 1, taken: false });
  expect(run(source("a", 1))).toEqual({ answer: 1, taken: true });
  expect(readdirSync(folder)).toEqual(["pack.js-v0-test"]);
});

test("another text of the same length is compiled, and takes the place of the first", () => {
  run(source("a", 1));
  expect(run(source("b", 2))).toEqual({ answer: 2, taken: false });
  expect(run(source("b", 2))).toEqual({ answer: 2, taken: true });
  expect(readdirSync(folder)).toEqual(["pack.js-v0-test"]);
});

test("a draft that is over a day old goes with the next write; a younger one may be another process's", () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = Date.now() / 1000;
  const left = {
    "pack.js-v0-test.a1b2": 90_000,
    "pack.js-v20.20.2-x64.c3": 90_000,
    "pack.js-v0-test.d4": 3600,
    "pack.js-v20.20.2-x64": 90_000,
  };
  for (const [name, age] of Object.entries(left)) {
    writeFileSync(join(folder, name), "left");
    utimesSync(join(folder, name), now - age, now - age);
  }
  run(source("a", 1));
  expect(readdirSync(folder).sort()).toEqual(["pack.js-v0-test", "pack.js-v0-test.d4", "pack.js-v20.20.2-x64"]);
});

test("another Node has its own", () => {
  run(source("a", 1));
  expect(run(source("a", 1), { ...machine, node: "v1-test" }).taken).toBe(false);
  expect(readdirSync(folder)).toEqual(["pack.js-v0-test", "pack.js-v1-test"]);
});

test("folder and file are for this user alone", () => {
  run(source("a", 1));
  expect([statSync(folder).mode & 0o777, statSync(join(folder, "pack.js-v0-test")).mode & 0o777]).toEqual([0o700, 0o600]);
});

test.each([0o777, 0o770, 0o755, 0o701])("a folder with mode %o is neither read nor written", (mode) => {
  run(source("a", 1));
  const kept = readFileSync(join(folder, "pack.js-v0-test"));
  chmodSync(folder, mode);
  expect(run(source("a", 1)).taken).toBe(false);
  expect(run(source("b", 2))).toEqual({ answer: 2, taken: false });
  expect(readFileSync(join(folder, "pack.js-v0-test"))).toEqual(kept);
});

test("a folder of another user is neither read nor written", () => {
  run(source("a", 1));
  const other = { ...machine, uid: (uid ?? 0) + 1 };
  expect(run(source("a", 1), other).taken).toBe(false);
  expect(run(source("b", 2), other)).toEqual({ answer: 2, taken: false });
  expect(run(source("a", 1)).taken).toBe(true);
});

test("a file that others can write is not read", () => {
  run(source("a", 1));
  chmodSync(join(folder, "pack.js-v0-test"), 0o666);
  expect(run(source("a", 1)).taken).toBe(false);
  expect(run(source("a", 1)).taken).toBe(true);
});

test("root makes no folder in another user's", () => {
  mkdirSync(join(folder, ".."), { recursive: true });
  if (uid === 0) chownSync(join(folder, ".."), 1234, 1234);
  expect(run(source("a", 1), { ...machine, uid: 0 })).toEqual({ answer: 1, taken: false });
  expect(existsSync(folder)).toBe(false);
});

test("a link to a folder is none", () => {
  mkdirSync(join(place, "elsewhere"), { mode: 0o700 });
  mkdirSync(join(folder, ".."), { recursive: true });
  symlinkSync(join(place, "elsewhere"), folder);
  expect(run(source("a", 1))).toEqual({ answer: 1, taken: false });
  expect(readdirSync(join(place, "elsewhere"))).toEqual([]);
});

test("a place where nothing can be kept is no failure", () => {
  mkdirSync(join(folder, ".."), { recursive: true });
  writeFileSync(folder, "a file");
  expect(run(source("a", 1))).toEqual({ answer: 1, taken: false });
  expect(readFileSync(folder, "utf8")).toBe("a file");
  expect(existsSync(join(folder, "pack.js-v0-test"))).toBe(false);
});
