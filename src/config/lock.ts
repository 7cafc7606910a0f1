// A lock between processes: a folder that holds one file, named after its owner.
// The folder is made whole elsewhere and renamed into place, which fails while another one is there and not empty; so there is no moment
// at which a lock has no owner, and a dead owner is put out by its own name, which can't hit the owner that came after it.
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { CalError, codeOf } from "../errors.ts";

/** Who lives on this machine, and how to wait; handed in by the program's edge. */
export interface Neighbours {
  readonly pid: number;
  alive(pid: number): boolean;
  sleep(ms: number): Promise<void>;
  /** Has something done when a signal ends the process. */
  atSignal?(act: () => void): void;
}

const attempts = 400;
const pause = 25;

/** The locks of this very process: an owner with its id that is not among them died, and its id was given to us (usual in containers). */
const ours = new Set<string>();

/** Does the work while no other process does its own under the same path. Rejects with a `local` CalError after about 10 seconds of waiting. */
export async function withLock<T>(path: string, neighbours: Neighbours, work: () => Promise<T>): Promise<T> {
  const owner = `${neighbours.pid}.${randomUUID()}`;
  ours.add(owner);
  neighbours.atSignal?.(() => leaveAtOnce(path, owner));
  try {
    for (let attempt = 1; !(await taken(path, owner, neighbours)); attempt++) {
      if (attempt === attempts) throw await busy(path);
      await neighbours.sleep(pause * (0.5 + Math.random()));
    }
    return await work();
  } finally {
    await leave(path, owner);
    ours.delete(owner);
  }
}

async function taken(path: string, owner: string, neighbours: Neighbours): Promise<boolean> {
  const [holder] = await holders(path);
  if (holder !== undefined) {
    if (lives(holder, neighbours)) return false;
    await leave(path, holder);
  }
  return placed(path, owner);
}

/** In one go, so that a signal that ends the process leaves nothing beside the lock. */
function placed(path: string, owner: string): boolean {
  const own = `${path}.${owner}`;
  try {
    mkdirSync(own, { mode: 0o700 });
    writeFileSync(join(own, owner), "");
    return renamed(own, path);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** False where another owner was faster. Windows says EPERM for a folder that is there, or that is being removed right now. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY", "EPERM", "EBUSY"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

function lives(holder: string, neighbours: Neighbours): boolean {
  const pid = pidOf(holder);
  return pid === neighbours.pid ? ours.has(holder) : pid > 0 && neighbours.alive(pid);
}

/** Removes an owner; the next one may be in the folder before it can be removed, which is as good. */
async function leave(path: string, owner: string): Promise<void> {
  await unlink(join(path, owner)).catch(() => undefined);
  await rmdir(path).catch(() => undefined);
}

/** The same where the process ends: whatever can't be removed, the next one puts out. */
function leaveAtOnce(path: string, owner: string): void {
  try {
    unlinkSync(join(path, owner));
    rmdirSync(path);
  } catch {}
}

async function holders(path: string): Promise<string[]> {
  return readdir(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
}

function pidOf(owner: string): number {
  return Number.parseInt(owner, 10);
}

async function busy(path: string): Promise<CalError> {
  const [holder] = await holders(path).catch(() => []);
  const who = holder === undefined ? "" : ` (process ${pidOf(holder)})`;
  return new CalError("local", `another process${who} holds ${path} for longer than 10 seconds`, {
    hint: `try again; if no cal is running, remove it: rm -r ${path}`,
  });
}
