// Many real processes write one config file: nothing is lost, also where some are killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHeldLock, formatOwnerName } from "../lock/owners.ts";

const program = `
import { openConfigFile } from "./src/config/config-file.ts";
const [, , folder, name, forever] = process.argv;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const file = openConfigFile(folder, { sleep });
let count = 0;
do {
  count++;
  await file.update((data) => ({ ...data, profiles: { ...data.profiles, [name]: { count, filler: "x".repeat(20000) } } }));
  if (count === 1) console.log("begun");
} while (forever);
`;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cal-processes-"));
  await build({
    stdin: { contents: program, resolveDir: process.cwd(), loader: "js" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile: join(root, "child.mjs"),
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
});
afterAll(() => rm(root, { recursive: true }));

function child(folder: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(root, "child.mjs"), folder, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

async function profiles(folder: string): Promise<string[]> {
  const data: unknown = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
  if (typeof data !== "object" || data === null || !("profiles" in data) || typeof data.profiles !== "object")
    throw new Error("no profiles");
  return Object.keys(data.profiles ?? {}).sort();
}

it("50 processes that write at once keep 50 of 50", async () => {
  const folder = join(root, "fifty");
  const names = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const codes = await Promise.all(names.map(async (name) => (await once(child(folder, name), "exit"))[0]));
  expect({ codes: [...new Set(codes)], kept: await profiles(folder), left: await readdir(folder) }).toEqual({
    codes: [0],
    kept: names,
    left: ["config.json"],
  });
}, 60_000);

it("processes that are killed while they write leave a whole file, and a lock that the next one takes over", async () => {
  const folder = join(root, "killed");
  for (const name of ["a", "b", "c", "d", "e"]) {
    const writer = child(folder, name, "forever");
    if (writer.stdout === null) throw new Error("no stdout");
    await once(writer.stdout, "data");
    writer.kill("SIGKILL");
    await once(writer, "exit");
    expect(await profiles(folder)).toContain(name);
  }
  // A lock as a killed process leaves it: its owner was a process that has ended.
  const gone = child(folder, "f");
  await once(gone, "exit");
  await rm(join(folder, "config.json.lock"), { recursive: true, force: true });
  createHeldLock(join(folder, "config.json.lock"), formatOwnerName(gone.pid ?? 0));
  expect((await once(child(folder, "g"), "exit"))[0]).toBe(0);
  expect(await profiles(folder)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
}, 60_000);
