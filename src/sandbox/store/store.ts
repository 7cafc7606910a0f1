// The sandbox's memory, and its data file behind it: each piece of work sees all that any process wrote before it, and is kept whole or not at all.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../errors.ts";
import { withLock } from "../../lock/lock.ts";
import { MemoryTables, type StoreReader, type StoreWriter } from "./memory.ts";
import { createStoreError } from "./trouble.ts";

/** Work is a plain function; it must not wait for anything. */
export interface Store {
  read<T>(work: (data: StoreReader) => T): Promise<T>;
  /** What was put and removed is kept when this resolves; it is taken back where the work throws. */
  write<T>(work: (draft: StoreWriter) => T): Promise<T>;
}

/** Fills an empty store. */
export type Seed = (draft: StoreWriter) => void;

/** A store that lives as long as the process. */
export function createMemoryStore(seed: Seed): Store {
  const rows = new MemoryTables();
  seed(rows);
  rows.commit();
  return {
    read: async (work) => work(rows),
    write: async (work) => runTransaction(rows, work, () => undefined),
  };
}

/** A store in a data file, seeded where there is none yet. Everything may reject with a CalError of kind `local`. */
export async function openFileStore(file: string, seed: Seed): Promise<Store> {
  const { readRows, writeChanges } = await import("./database.ts");
  await convertStoreErrors(file, async () => createParentFolder(file));
  const rows = new MemoryTables();
  let known = "";

  const refresh = (): void => {
    const current = getFileVersion(file);
    if (current === known && current !== "") return;
    rows.clear();
    if (current === "") runTransaction(rows, seed, () => writeChanges(file, rows.changes()));
    else for (const { table, id, json } of readRows(file)) rows.load(table, id, json);
    known = getFileVersion(file);
  };
  // Requests of this process stand in line here, so that only other processes have to be polled for.
  let last: Promise<unknown> = Promise.resolve();
  const guarded = <T>(work: () => T): Promise<T> => {
    const turn = last.then(() => convertStoreErrors(file, () => withFileLock(file, work)));
    last = turn.catch(() => undefined);
    return turn;
  };

  await guarded(refresh);
  return {
    read: async (work) => {
      if (getFileVersion(file) !== known) await guarded(refresh);
      return work(rows);
    },
    write: (work) =>
      guarded(() => {
        refresh();
        const result = runTransaction(rows, work, () => {
          if (rows.changes().length > 0) writeChanges(file, rows.changes());
        });
        known = getFileVersion(file);
        return result;
      }),
  };
}

/** Puts a freshly seeded data file in the place of whatever is there. */
export async function resetDataFile(file: string, seed: Seed): Promise<void> {
  const { writeChanges } = await import("./database.ts");
  const rows = new MemoryTables();
  seed(rows);
  await convertStoreErrors(file, async () => {
    createParentFolder(file);
    await withFileLock(file, () => writeChanges(file, rows.changes(), true));
  });
}

function createParentFolder(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
}

/** Not under the name that SQLite has for a lock of its own. */
function withFileLock<T>(file: string, work: () => T): Promise<T> {
  return withLock(`${file}.guard`, { sleep: (ms) => sleep(ms) }, work);
}

/** What the file system refuses is told with the file's name. */
async function convertStoreErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw codeOf(cause) === undefined ? cause : createStoreError(file, cause);
  }
}

function runTransaction<T>(rows: MemoryTables, work: (draft: StoreWriter) => T, keep: () => void): T {
  try {
    const result = work(rows);
    keep();
    rows.commit();
    return result;
  } catch (error) {
    rows.rollback();
    throw error;
  }
}

/** Every write puts a new file in place, so its number and time tell versions apart. "" where there is no file. */
function getFileVersion(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}
