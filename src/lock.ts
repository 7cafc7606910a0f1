// One process at a time: a lock is a folder that holds one empty file, named after its owner.
// The folder is made elsewhere and renamed to its path, which fails while another owner has the lock. So a lock always has an owner, and a
// stale owner is removed by its own name, which can't hit the owner that came after it.
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { kill, pid } from "node:process";
import { CalError, codeOf, messageOf } from "./errors.ts";

export interface LockOptions {
  sleep(ms: number): Promise<void>;
  /** How long to wait for one owner, in milliseconds; 15 s by default. Counted by the sleeps, so that a change of the clock has no effect. */
  readonly timeout?: number;
  /** Registers what to do when a signal ends the process. */
  atSignal?(act: () => void): void;
}

/** How many timeouts to wait in all, where one owner follows another. */
const queueTimeoutFactor = 8;

/** The owners of this process. One with its pid that is not among them died, and its pid was reused (common in containers). */
const currentOwners = new Set<string>();

/**
 * Does the work while no other process works under the same path, whose folder must exist. Rejects with kind `local` and code
 * `locked` where a running process has the lock for too long, and with the system's own error where the folder can't be written.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => T | Promise<T>): Promise<T> {
  const owner = createOwnerName();
  currentOwners.add(owner);
  options.atSignal?.(() => releaseLock(path, owner));
  try {
    removeStaleDrafts(path);
    await acquireLock(path, owner, options);
    return await work();
  } finally {
    releaseLock(path, owner);
    currentOwners.delete(owner);
  }
}

/**
 * Does the work of a whole run, in a folder that is made where it is missing. Where another process runs, it rejects at once with kind
 * `unavailable` and the name of what is running; with kind `local` where the lock can't be made.
 */
export async function withRunLock<T>(path: string, running: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  let isRunning = false;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return await withLock(path, { ...options, timeout: 0 }, () => {
      isRunning = true;
      return work();
    });
  } catch (error) {
    if (isRunning) throw error;
    if (!(error instanceof CalError)) throw new CalError("local", `${path} can't be made: ${messageOf(error)}`, { cause: error });
    throw new CalError("unavailable", `${running} is running${formatHolder(path)}`, { code: "locked", cause: error });
  }
}

function formatHolder(path: string): string {
  const holder = readLockHolder(path);
  return holder === undefined ? "" : ` (pid ${holder.pid}, since ${new Date(holder.since).toTimeString().slice(0, 5)})`;
}

/** A name of this process that tells later whether it has ended: `isStaleOwner`. */
export function createOwnerName(): string {
  return [pid, readProcessStartId(pid) ?? "-", randomBytes(8).toString("hex"), getMachineName()].join(".");
}

async function acquireLock(path: string, owner: string, { sleep, timeout = 15_000 }: LockOptions): Promise<void> {
  let total = 0;
  let previous: string | undefined;
  let waited = 0;
  while (!tryAcquire(path, owner)) {
    const holder = readHolder(path);
    // The timeout starts again with each new owner: the queue moves.
    if (holder !== previous) waited = 0;
    if (waited > timeout || total > queueTimeoutFactor * timeout) throw createLockedError(path, holder, waited);
    previous = holder;
    const pause = 5 + Math.random() * 20;
    await sleep(pause);
    waited += pause;
    total += pause;
  }
}

/** Synchronous, so that a signal leaves no draft beside the lock. False where another owner has the lock, or was faster. */
function tryAcquire(path: string, owner: string): boolean {
  const holder = readHolder(path);
  if (holder !== undefined) {
    if (!isStaleOwner(holder)) return false;
    releaseLock(path, holder);
  }
  const draft = `${path}.${owner}`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(join(draft, owner), "", { mode: 0o600 });
    try {
      renameSync(draft, path);
      return true;
    } catch (error) {
      // Windows says EPERM or EACCES for a folder that exists, or is being removed.
      if (!["EEXIST", "ENOTEMPTY", "EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      removeEmptyFolder(path);
      return false;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What can't be removed, the next owner removes as stale. */
function releaseLock(path: string, owner: string): void {
  try {
    unlinkSync(join(path, owner));
  } catch {}
  removeEmptyFolder(path);
}

/** It is not empty where the next owner has the lock already. */
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

/** The process that holds a lock, and since when (milliseconds since 1970); undefined where nobody does. */
export function readLockHolder(path: string): { readonly pid: number; readonly since: number } | undefined {
  const owner = parseOwner(readHolder(path) ?? "");
  return owner === undefined ? undefined : { pid: owner.pid, since: statSync(path).mtimeMs };
}

/** Removes the drafts of processes that were killed before they could rename them. */
function removeStaleDrafts(path: string): void {
  const prefix = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const owner = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (parseOwner(owner) !== undefined && isStaleOwner(owner)) rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}

function createLockedError(path: string, holder: string | undefined, waited: number): CalError {
  const owner = parseOwner(holder ?? "");
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.machine}`;
  return new CalError("local", `${who} holds ${path}, and has not released it for ${Math.floor(waited / 1000)} s`, {
    code: "locked",
    hint: {
      text: "wait for that process, or end it; if it is another program, or its machine is gone, remove the lock",
      command: `rm -r ${path}`,
    },
  });
}

/** The parts of an owner's name: `<pid>.<start>.<random>.<machine>`. */
interface LockOwner {
  readonly pid: number;
  /** Distinguishes a process from a later one with its pid; "-" where the system doesn't say. */
  readonly startId: string;
  readonly machine: string;
}

function parseOwner(name: string): LockOwner | undefined {
  const [, number, startId, machine] = /^(\d+)\.([^.]+)\.[0-9a-f]{16}\.([^.]+)$/.exec(name) ?? [];
  if (number === undefined || startId === undefined || machine === undefined) return undefined;
  return { pid: Number(number), startId, machine };
}

/**
 * Whether the owner has certainly ended. Processes of other machines can't be checked: they count as running. So do files with other names,
 * which may be a user's, except the hidden ones that desktops create in any folder they show.
 */
function isStaleOwner(name: string): boolean {
  const owner = parseOwner(name);
  if (owner === undefined) return name.startsWith(".");
  if (owner.machine === getMachineName() && owner.pid === pid) return !currentOwners.has(name);
  return hasEnded(owner);
}

/** Whether the process of a name of `createOwnerName` has certainly ended. This process counts as running. */
export function hasOwnerEnded(name: string): boolean {
  const owner = parseOwner(name);
  return owner === undefined || hasEnded(owner);
}

function hasEnded(owner: LockOwner): boolean {
  if (owner.machine !== getMachineName()) return false;
  try {
    kill(owner.pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return true;
  }
  const startId = readProcessStartId(owner.pid);
  return startId !== undefined && owner.startId !== "-" && startId !== owner.startId;
}

/** Linux only: the boot, and the start in ticks since then, which do not depend on the clock. A zombie has ended although its pid is still taken. */
function readProcessStartId(id: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return state === "Z" ? "ended" : `${boot.slice(0, 8)}-${fields[18]}`;
  } catch {
    return undefined;
  }
}

/** The hostname, cut so that the name of the file is not too long. */
function getMachineName(): string {
  return hostname()
    .replace(/[^\w-]/g, "_")
    .slice(0, 40);
}
