// Locks by name in a folder of the state: for the list of logins, for the file of secrets, and for each profile's login.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CalError, messageOf } from "../../errors.ts";
import type { LockOptions } from "../../lock/lock.ts";

/** Does some work while no other process does work of the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Milliseconds: who holds a login may be waiting for the service's answer. */
const lockTimeout = 60_000;

/** Locks in a folder, which need not exist yet. */
export function createLock(folder: string, waiting: LockOptions): Lock {
  return async (name, work) => {
    // What the work itself rejects with is its own affair.
    let begun = false;
    try {
      const { withLock } = await import("../../lock/lock.ts");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withLock(join(folder, encodeURIComponent(name)), { timeout: lockTimeout, ...waiting }, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      if (begun || error instanceof CalError) throw error;
      throw new CalError("local", `cannot lock in ${folder}: ${messageOf(error)}`, {
        cause: error,
        hint: "set CAL_STATE_DIR to a folder that can be written",
      });
    }
  };
}
