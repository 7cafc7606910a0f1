// One process at a time: a lock is a folder that holds one empty file, named after its owner.
// The folder is made whole elsewhere and renamed into place, which fails while another one is there and not empty; so there is no moment
// at which a lock has no owner, and a dead owner is put out by its own name, which can't hit the owner that came after it.

import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { kill, pid } from "node:process";
import { CalError, codeOf } from "./errors.ts";

/** How a lock is waited for. */
export interface LockOptions {
  sleep(ms: number): Promise<void>;
  /** Milliseconds that one owner is waited for, counted by the pauses themselves: a clock that is set changes nothing. 15 s unless told. */
  readonly timeout?: number;
  /** Has something done when a signal ends the process. */
  atSignal?(act: () => void): void;
}

const defaultTimeout = 15_000;
/** How many times as long a line is stood in that moves. */
const queueTimeoutFactor = 8;

/**
 * Does the work while no other process does its own under the same path, whose folder must be there. Rejects with kind `local` and code
 * `locked` where a living process keeps it for too long, and with the system's own error where the folder can't be written.
 */
export async function withLock<T>(path: string, waiting: LockOptions, work: () => T | Promise<T>): Promise<T> {
  const owner = createOwner();
  waiting.atSignal?.(() => releaseLock(path, owner));
  try {
    removeStaleDrafts(path);
    await acquireLock(path, owner, waiting);
    return await work();
  } finally {
    releaseLock(path, owner);
    removeOwner(owner);
  }
}

async function acquireLock(path: string, owner: string, { sleep, timeout = defaultTimeout }: LockOptions): Promise<void> {
  let inAll = 0;
  let last: string | undefined;
  let lasted = 0;
  while (!tryAcquire(path, owner)) {
    const holder = readHolder(path);
    // Where many stand in line, it is enough that it moves.
    if (holder !== last) lasted = 0;
    if (lasted > timeout || inAll > queueTimeoutFactor * timeout) throw createLockedError(path, holder, lasted);
    last = holder;
    const pause = 5 + Math.random() * 20;
    await sleep(pause);
    lasted += pause;
    inAll += pause;
  }
}

function tryAcquire(path: string, owner: string): boolean {
  const holder = readHolder(path);
  if (holder !== undefined) {
    if (!isStaleOwner(holder)) return false;
    releaseLock(path, holder);
  }
  return createLockFolder(path, owner);
}

/** In one go, so that a signal that ends the process leaves nothing beside the lock. */
function createLockFolder(path: string, owner: string): boolean {
  const draft = `${path}.${owner}`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(join(draft, owner), "", { mode: 0o600 });
    return tryRename(draft, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** False where another owner was faster. Windows says EPERM or EACCES for a folder that is there, or that is being removed right now. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!["EEXIST", "ENOTEMPTY", "EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
    removeEmptyFolder(to);
    return false;
  }
}

/** Removes an owner; the next one may be in the folder before it can be removed, which is as good. What can't be removed, the next one puts out. */
function releaseLock(path: string, owner: string): void {
  try {
    unlinkSync(join(path, owner));
  } catch {}
  removeEmptyFolder(path);
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {}
}

function readHolder(path: string): string | undefined {
  try {
    return readdirSync(path)[0];
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes what processes left that were killed between making their folder and renaming it: nobody else touches an owner's own one. */
function removeStaleDrafts(path: string): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const owner = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (parseOwner(owner) !== undefined && isStaleOwner(owner)) rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}

function createLockedError(path: string, name: string | undefined, lasted: number): CalError {
  const holder = parseOwner(name ?? "");
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.machine}`;
  return new CalError("local", `${who} holds ${path}, and has not given it back for ${Math.floor(lasted / 1000)} s`, {
    code: "locked",
    hint: `wait for that process, or end it; if it is no cal, or its machine is gone, remove the lock: rm -r ${path}`,
  });
}

// Who holds a lock, as the name of a file, and whether that process still runs. The only look at other processes.

/** What the name of an owner tells: `<process>.<start>.<random>.<machine>`. */
interface LockOwner {
  readonly pid: number;
  /** Tells a process from a later one with its number; "-" where the system doesn't say. */
  readonly startId: string;
  readonly machine: string;
}

/** The owners of this very process. One with its number that is not among them died, and its number was given to us (usual in containers). */
const currentOwners = new Set<string>();

/** The name of a new owner, who lives until it is told to be over. */
function createOwner(): string {
  const name = [pid, readProcessStartId(pid) ?? "-", randomBytes(8).toString("hex"), getMachineName()].join(".");
  currentOwners.add(name);
  return name;
}

/** The owner's work is over. */
function removeOwner(name: string): void {
  currentOwners.delete(name);
}

/** What a name tells; undefined where it is no owner's. */
function parseOwner(name: string): LockOwner | undefined {
  const [, number, startId, machine] = /^(\d+)\.([^.]+)\.[0-9a-f]{16}\.([^.]+)$/.exec(name) ?? [];
  if (number === undefined || startId === undefined || machine === undefined) return undefined;
  return { pid: Number(number), startId, machine };
}

/**
 * Whether the owner is surely gone. Nothing is known of another machine's processes: they count as alive, and so do names of another kind,
 * which may be somebody's files; but not those that desktops hide in any folder they show.
 */
function isStaleOwner(name: string): boolean {
  const owner = parseOwner(name);
  if (owner === undefined) return name.startsWith(".");
  if (owner.machine !== getMachineName()) return false;
  if (owner.pid === pid) return !currentOwners.has(name);
  if (!isProcessRunning(owner.pid)) return true;
  const started = readProcessStartId(owner.pid);
  return started !== undefined && owner.startId !== "-" && started !== owner.startId;
}

function isProcessRunning(number: number): boolean {
  try {
    kill(number, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Linux only: the boot, and the start in ticks since then: a clock that is set changes neither. A zombie has ended, though its number is still taken. */
function readProcessStartId(number: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${number}/stat`, "utf8");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return state === "Z" ? "ended" : `${boot.slice(0, 8)}-${fields[18]}`;
  } catch {
    return undefined;
  }
}

/** The host's name, as much of it as leaves the name of a file short enough. */
function getMachineName(): string {
  return hostname()
    .replace(/[^\w-]/g, "_")
    .slice(0, 40);
}
