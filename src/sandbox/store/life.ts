// Proof of life: who holds a lock, and whether that process still runs. The sandbox's only look at processes.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";
import { codeOf } from "../../errors.ts";

/** A process, told apart from a later one with the same number by the time it was started. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** As the system counts it; "" where it can't be asked. */
  readonly started: string;
}

/** This process. */
export function self(): Holder {
  return { host: hostname(), pid, started: startOf(pid) };
}

/** Whether the holder is surely gone. Nothing is known of another machine's processes: they count as alive. */
export function isGone(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  return !isRunning(holder.pid) || startOf(holder.pid) !== holder.started;
}

/** Whether a process of this machine has this number. */
export function isRunning(number: number): boolean {
  try {
    kill(number, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Linux only: the start in ticks since boot, and the boot. A zombie has ended, though its number is still taken. */
function startOf(number: number): string {
  try {
    const stat = readFileSync(`/proc/${number}/stat`, "utf8");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return state === "Z" ? "ended" : `${boot} ${fields[18]}`;
  } catch {
    return "";
  }
}
