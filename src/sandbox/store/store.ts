// The sandbox's memory, and its data file behind it: each piece of work sees all that any process wrote before it, and is kept whole or not at all.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../errors.ts";
import { withLock } from "../../lock/lock.ts";
import { type Data, type Draft, Rows } from "./memory.ts";
import { troubleWith } from "./trouble.ts";

/** Work is a plain function; it must not wait for anything. */
export interface Store {
  read<T>(work: (data: Data) => T): Promise<T>;
  /** What was put and removed is kept when this resolves; it is taken back where the work throws. */
  write<T>(work: (draft: Draft) => T): Promise<T>;
}

/** Fills an empty store. */
export type Seed = (draft: Draft) => void;

/** A store that lives as long as the process. */
export function memoryStore(seed: Seed): Store {
  const rows = new Rows();
  seed(rows);
  rows.settle();
  return {
    read: async (work) => work(rows),
    write: async (work) => attempt(rows, work, () => undefined),
  };
}

/** A store in a data file, seeded where there is none yet. Everything may reject with a CalError of kind `local`. */
export async function fileStore(file: string, seed: Seed): Promise<Store> {
  const { readRows, writeChanges } = await import("./database.ts");
  await usable(file, async () => prepare(file));
  const rows = new Rows();
  let known = "";

  const refresh = (): void => {
    const current = versionOf(file);
    if (current === known && current !== "") return;
    rows.clear();
    if (current === "") attempt(rows, seed, () => writeChanges(file, rows.changes()));
    else for (const { table, id, json } of readRows(file)) rows.load(table, id, json);
    known = versionOf(file);
  };
  // Requests of this process stand in line here, so that only other processes have to be polled for.
  let last: Promise<unknown> = Promise.resolve();
  const guarded = <T>(work: () => T): Promise<T> => {
    const turn = last.then(() => usable(file, () => locked(file, work)));
    last = turn.catch(() => undefined);
    return turn;
  };

  await guarded(refresh);
  return {
    read: async (work) => {
      if (versionOf(file) !== known) await guarded(refresh);
      return work(rows);
    },
    write: (work) =>
      guarded(() => {
        refresh();
        const result = attempt(rows, work, () => {
          if (rows.changes().length > 0) writeChanges(file, rows.changes());
        });
        known = versionOf(file);
        return result;
      }),
  };
}

/** Puts a freshly seeded data file in the place of whatever is there. */
export async function resetFile(file: string, seed: Seed): Promise<void> {
  const { writeChanges } = await import("./database.ts");
  const rows = new Rows();
  seed(rows);
  await usable(file, async () => {
    prepare(file);
    await locked(file, () => writeChanges(file, rows.changes(), true));
  });
}

function prepare(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}

/** Not under the name that SQLite has for a lock of its own. */
function locked<T>(file: string, work: () => T): Promise<T> {
  return withLock(`${file}.guard`, { sleep: (ms) => sleep(ms) }, work);
}

/** What the file system refuses is told with the file's name. */
async function usable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw codeOf(cause) === undefined ? cause : troubleWith(file, cause);
  }
}

function attempt<T>(rows: Rows, work: (draft: Draft) => T, keep: () => void): T {
  try {
    const result = work(rows);
    keep();
    rows.settle();
    return result;
  } catch (error) {
    rows.revert();
    throw error;
  }
}

/** Every write puts a new file in place, so its number and time tell versions apart. "" where there is no file. */
function versionOf(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}
