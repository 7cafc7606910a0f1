// Who holds a lock, as the name of a file, and whether that process still runs. The only look at other processes.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";
import { codeOf } from "../errors.ts";

/** What the name of an owner tells: `<process>.<start>.<random>.<machine>`. */
export interface LockOwner {
  readonly pid: number;
  /** Tells a process from a later one with its number; "-" where the system doesn't say. */
  readonly startId: string;
  readonly machine: string;
}

/** The owners of this very process. One with its number that is not among them died, and its number was given to us (usual in containers). */
const currentOwners = new Set<string>();

/** The name of a new owner, who lives until it is told to be over. */
export function createOwner(): string {
  const name = [pid, readProcessStartId(pid) ?? "-", randomBytes(8).toString("hex"), getMachineName()].join(".");
  currentOwners.add(name);
  return name;
}

/** The owner's work is over. */
export function removeOwner(name: string): void {
  currentOwners.delete(name);
}

/** What a name tells; undefined where it is no owner's. */
export function parseOwner(name: string): LockOwner | undefined {
  const [, number, startId, machine] = /^(\d+)\.([^.]+)\.[0-9a-f]{16}\.([^.]+)$/.exec(name) ?? [];
  if (number === undefined || startId === undefined || machine === undefined) return undefined;
  return { pid: Number(number), startId, machine };
}

/**
 * Whether the owner is surely gone. Nothing is known of another machine's processes: they count as alive, and so do names of another kind,
 * which may be somebody's files; but not those that desktops hide in any folder they show.
 */
export function isStaleOwner(name: string): boolean {
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
