// Who holds a lock, as the name of a file, and whether that process still runs. The only look at other processes.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";
import { codeOf } from "../errors.ts";

/** What the name of an owner tells: `<process>.<start>.<random>.<machine>`. */
export interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with its number; "-" where the system doesn't say. */
  readonly started: string;
  readonly machine: string;
}

/** The owners of this very process. One with its number that is not among them died, and its number was given to us (usual in containers). */
const ours = new Set<string>();

/** The name of a new owner, who lives until it is told to be over. */
export function newOwner(): string {
  const name = [pid, startOf(pid) ?? "-", randomBytes(8).toString("hex"), thisMachine()].join(".");
  ours.add(name);
  return name;
}

/** The owner's work is over. */
export function endOwner(name: string): void {
  ours.delete(name);
}

/** What a name tells; undefined where it is no owner's. */
export function ownerOf(name: string): Owner | undefined {
  const [, number, started, machine] = /^(\d+)\.([^.]+)\.[0-9a-f]{16}\.([^.]+)$/.exec(name) ?? [];
  if (number === undefined || started === undefined || machine === undefined) return undefined;
  return { pid: Number(number), started, machine };
}

/**
 * Whether the owner is surely gone. Nothing is known of another machine's processes: they count as alive, and so do names of another kind,
 * which may be somebody's files; but not those that desktops hide in any folder they show.
 */
export function isGone(name: string): boolean {
  const owner = ownerOf(name);
  if (owner === undefined) return name.startsWith(".");
  if (owner.machine !== thisMachine()) return false;
  if (owner.pid === pid) return !ours.has(name);
  if (!isRunning(owner.pid)) return true;
  const started = startOf(owner.pid);
  return started !== undefined && owner.started !== "-" && started !== owner.started;
}

function isRunning(number: number): boolean {
  try {
    kill(number, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Linux only: the boot, and the start in ticks since then: a clock that is set changes neither. A zombie has ended, though its number is still taken. */
function startOf(number: number): string | undefined {
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
function thisMachine(): string {
  return hostname()
    .replace(/[^\w-]/g, "_")
    .slice(0, 40);
}
