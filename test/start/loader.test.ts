// The built program and the code that it keeps from one start to the next.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer } from "../api/replies/canned.ts";

const root = new URL("../../", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "cal-start-"));
const dist = join(folder, "dist");

beforeAll(() => {
  const build = `import(${JSON.stringify(new URL("scripts/build.js", root).href)}).then(({ buildProgram }) => buildProgram(...process.argv.slice(1)))`;
  execFileSync(process.execPath, ["--input-type=module", "-e", build, fileURLToPath(root), dist]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = await startTestServer(() => ({ body: JSON.stringify({ events: [{ id: 1, title: "Jazz Night" }], total: 1, total_pages: 1 }) }));
const text = "An evening with the quartet. ".repeat(20);
const longList = await startTestServer((asked) => {
  const page = Number(/[?&]page=(\d+)/.exec(asked)?.[1] ?? 1);
  const events = Array.from({ length: 50 }, (_none, index) => ({
    id: page * 50 + index,
    title: `Jazz ${index}`,
    excerpt: text + page + index,
  }));
  return { body: JSON.stringify({ events, total: 5000, total_pages: 100 }) };
});

/** One start of the program, with a cache folder of its own name. */
function cal(cache: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const own = { CAL_CONFIG_DIR: join(folder, "c"), CAL_STATE_DIR: join(folder, "s"), CAL_CACHE_DIR: join(folder, cache) };
  const all = { PATH: process.env["PATH"], CAL_BASE_URL: url, CAL_TOKEN: "t0k3n", ...own, ...env };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(dist, "main.js"), ...args], { env: all }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** The files of compiled code in a cache folder, and when they were written. */
function kept(cache: string): Readonly<Record<string, number>> {
  const code = join(folder, cache, "code");
  return Object.fromEntries(readdirSync(code).map((name) => [name.split("-")[0], statSync(join(code, name)).mtimeMs]));
}

test.each([
  ["help", ["venues", "list", "--help"], ["help.js", "program.js"]],
  ["list", ["events", "list", "--format", "table"], ["known.js", "parser.js", "program.js", "records.js", "table.js"]],
])("%s says the same from compiled code, and nothing is compiled again", async (name, args, files) => {
  const first = await cal(name, args);
  expect(first.code).toBe(0);
  const written = kept(name);
  expect(Object.keys(written).sort()).toEqual(files);
  expect(await cal(name, args)).toEqual(first);
  expect(kept(name)).toEqual(written);
});

test("after a long list, for which the heap is held small, nothing is compiled again", async () => {
  const list = () => cal("long", ["events", "list", "--all", "--per-page", "50", "--format", "csv"], { CAL_BASE_URL: longList });
  expect((await list()).stdout.split("\r\n").length).toBe(5002);
  const written = kept("long");
  expect((await list()).code).toBe(0);
  expect(kept("long")).toEqual(written);
});

test.each([
  ["cut off", (code: Buffer) => code.subarray(0, code.length / 2)],
  ["empty", () => Buffer.alloc(0)],
  ["blank at its end", (code: Buffer) => Buffer.concat([code.subarray(0, -4096), Buffer.alloc(4096)])],
])("compiled code that is %s is compiled anew and replaced", async (name, broken) => {
  const first = await cal(name, ["--help"]);
  const code = join(folder, name, "code");
  const [file = ""] = readdirSync(code).filter((one) => one.startsWith("program.js"));
  const whole = readFileSync(join(code, file));
  writeFileSync(join(code, file), broken(whole));
  expect(await cal(name, ["--help"])).toEqual(first);
  expect(readFileSync(join(code, file)).length).toBeGreaterThan(whole.length / 2);
});

test("NODE_DISABLE_COMPILE_CACHE keeps it from keeping any", async () => {
  expect((await cal("none", ["--help"], { NODE_DISABLE_COMPILE_CACHE: "1" })).code).toBe(0);
  expect(readdirSync(folder)).not.toContain("none");
});

test("a cache folder that is no path is the command's to complain of", async () => {
  expect(await cal("x", ["config", "list"], { CAL_CACHE_DIR: "relative" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("CAL_CACHE_DIR must be an absolute path"),
  });
});

test("all files of the program are in ASCII", () => {
  const names = readdirSync(dist).filter((name) => name.endsWith(".js") && name !== "main.js" && name !== "keychain-child.js");
  expect(names.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(dist, name), "utf8")))).toEqual([]);
});
