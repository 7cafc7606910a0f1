// The program and the compiled code that Node 22.8 and later keep for it. Older versions of Node keep none and behave the same.

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "../api/replies/canned.ts";

const program = fileURLToPath(new URL("../../bin/cal.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cal-compile-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = await startTestServer(() => ({ body: JSON.stringify({ events: [{ id: 1, title: "Jazz Night" }], total: 1, total_pages: 1 }) }));
const commands = [
  ["--version"],
  ["events", "list", "--help"],
  ["events", "list", "--json"],
  ["events", "list", "--format", "table"],
  ["config", "list"],
];

/** Runs a command with a cache folder of this name. */
function cal(cache: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const dirs = { CAL_CONFIG_DIR: join(folder, "c"), CAL_STATE_DIR: join(folder, "s"), CAL_CACHE_DIR: join(folder, cache) };
  const all = { PATH: process.env["PATH"], CAL_BASE_URL: url, CAL_TOKEN: "t0k3n", ...dirs, ...env };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { env: all, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function runAll(cache: string) {
  const results = [];
  for (const args of commands) results.push(await cal(cache, args));
  return results;
}

/** The files with compiled code in a cache folder. */
function cacheFiles(cache: string): readonly string[] {
  const code = join(folder, cache, "code");
  if (!existsSync(code)) return [];
  return readdirSync(code, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Node 20 has no compile cache: there the same commands must leave no files. */
const hasCompileCache = "enableCompileCache" in nodeModule;

test(
  hasCompileCache ? "compiled code is kept in the cache folder, for this user only, and used again" : "this Node keeps no compiled code",
  async () => {
    const first = await runAll("used");
    const written = cacheFiles("used").map((file) => [file, statSync(file).mtimeMs]);
    expect(written.length > 4).toBe(hasCompileCache);
    if (hasCompileCache) expect(statSync(join(folder, "used", "code")).mode & 0o777).toBe(0o700);
    else expect(written).toEqual([]);
    expect(await runAll("used")).toEqual(first);
    expect(cacheFiles("used").map((file) => [file, statSync(file).mtimeMs])).toEqual(written);
  },
);

// Node 20 has no such cache.
if (hasCompileCache)
  test("files in it with one wrong bit, or cut off, change no command, and Node writes them again (needs Node 22.8)", async () => {
    const first = await runAll("damaged");
    expect(first.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(cacheFiles("damaged").length).toBeGreaterThan(4);
    for (const part of [0, 0.1, 0.5, 0.9]) {
      const damaged = cacheFiles("damaged").map((file) => {
        const bytes = readFileSync(file);
        const at = Math.floor(bytes.length * part);
        bytes[at] = (bytes[at] ?? 0) ^ 0x10;
        writeFileSync(file, bytes);
        return { file, bytes };
      });
      expect(await runAll("damaged")).toEqual(first);
      // A module that is loaded in the first run alone is not written again.
      expect(damaged.filter(({ file, bytes }) => !readFileSync(file).equals(bytes)).length).toBeGreaterThan(4);
    }
    for (const file of cacheFiles("damaged")) writeFileSync(file, readFileSync(file).subarray(0, 5000));
    expect(await runAll("damaged")).toEqual(first);
  });

test("NODE_DISABLE_COMPILE_CACHE turns it off", async () => {
  expect((await cal("off", ["--help"], { NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
  expect(existsSync(join(folder, "off"))).toBe(false);
});

test("a cache folder that can't be made is no obstacle", async () => {
  writeFileSync(join(folder, "file"), "");
  expect(await cal("file", ["--version"])).toMatchObject({ code: 0, stderr: "" });
});

test("a folder that other users can write to is not used", async () => {
  mkdirSync(join(folder, "shared", "code"), { recursive: true });
  chmodSync(join(folder, "shared", "code"), 0o777);
  expect((await cal("shared", ["--help"])).code).toBe(0);
  expect(cacheFiles("shared")).toEqual([]);
});

test("a relative CAL_CACHE_DIR is refused by the command, and nothing is written there", async () => {
  expect(await cal("", ["config", "list"], { CAL_CACHE_DIR: "relative" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("CAL_CACHE_DIR must be an absolute path"),
  });
  expect(existsSync(join(folder, "relative"))).toBe(false);
});
