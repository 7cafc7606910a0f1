// Locks of other processes: ended ones, running ones, and those of other machines.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/** This machine as in the name of an owner. */
export const machineName = hostname()
  .replace(/[^\w-]/g, "_")
  .slice(0, 40);

export function formatOwnerName(pid: number, { started = "-", machine = machineName } = {}): string {
  return `${pid}.${started}.0123456789abcdef.${machine}`;
}

/** A lock that the owner has, or left. */
export function createHeldLock(path: string, owner: string): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, owner), "");
}

/** The pid of a process that has ended. */
export async function createEndedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "close");
  return child.pid ?? 0;
}

/** A folder that is removed when the test ends. */
export function createTempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "cal-lock-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Bundles a program that has `withLock`, `waiting`, and its own `args`. */
export async function buildLockProgram(path: string, source: string): Promise<string> {
  const outfile = join(path, "program.mjs");
  const head = `import { withLock } from "./src/lock.ts";
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    const waiting = { sleep, timeout: 60000 };
    const args = process.argv.slice(2);`;
  await build({
    stdin: { contents: `${head}\n${source}`, resolveDir: process.cwd(), loader: "js" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}
