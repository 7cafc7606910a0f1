// One process at a time: a lock file that names its holder, so that a dead holder is seen at once and succeeded by exactly one.
import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, codeOf } from "../../errors.ts";
import { type Holder, isGone, isRunning, self } from "./life.ts";

interface Claim extends Holder {
  /** Unlike any other claim's: 24 hexadecimal digits, of which the first 8 are the process, for a claim that was never written out. */
  readonly token: string;
}

/** Milliseconds of waiting before giving up. */
const patience = 15_000;

/** Does the work while no other process holds the lock at `path`; it waits up to 15 s, then rejects with kind `local`. The work must not wait for anything. */
export async function locked<T>(path: string, work: () => T): Promise<T> {
  await acquire(path);
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string): Promise<void> {
  let waited = 0;
  while (!claim(path)) {
    const holder = holderOf(path);
    if (holder === undefined) continue;
    if (isGone(holder)) {
      await bury(path, holder);
      continue;
    }
    if (waited > patience) throw held(path, holder);
    const pause = 2 + Math.random() * 18;
    await sleep(pause);
    waited += pause;
  }
}

/** A link either appears with its whole content or not at all; a file that is created and then written would be seen empty. */
function claim(path: string): boolean {
  const holder = self();
  const mine: Claim = { ...holder, token: holder.pid.toString(16).padStart(8, "0") + randomBytes(8).toString("hex") };
  const draft = `${path}.${mine.token}`;
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function holderOf(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new CalError("local", `the sandbox's lock file ${path} can't be read`, { cause, hint: `remove ${path} when no sandbox runs` });
  }
}

/** The claim in a file that may be half written or gone by now. */
function claimIn(file: string): Claim | undefined {
  try {
    return holderOf(file);
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock of a dead holder. Several processes may have seen it dead, and the slowest must not remove the lock of
 * the quickest: only who holds the lock named after the dead claim may touch it, and looks again first.
 */
async function bury(path: string, dead: Claim): Promise<void> {
  const heir = `${path}.${dead.token}.heir`;
  await acquire(heir);
  try {
    if (holderOf(path)?.token !== dead.token) return;
    rmSync(`${path}.${dead.token}`, { force: true });
    unlinkSync(path);
  } finally {
    unlinkSync(heir);
  }
}

/** Removes what processes left that were killed between writing their claim and using it. A claim's own file is nobody else's. */
export function sweep(path: string): void {
  const prefix = `${basename(path)}.`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix) && /^[0-9a-f]{24}$/.test(name.slice(prefix.length)));
  for (const name of names) {
    const file = join(dirname(path), name);
    const claim = claimIn(file);
    const gone = claim === undefined ? !isRunning(Number.parseInt(name.slice(prefix.length, prefix.length + 8), 16)) : isGone(claim);
    if (gone) rmSync(file, { force: true });
  }
}

function held(path: string, holder: Claim): CalError {
  return new CalError("local", `the sandbox's data is in use: process ${holder.pid} on ${holder.host} holds ${path}`, {
    hint: `wait for that process or end it; if it is not this program, remove ${path}`,
  });
}
