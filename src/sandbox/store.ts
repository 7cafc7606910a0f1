// The sandbox's data: rows of JSON in memory and, behind them, a log file. Each line of the log is one transaction.
// A write is answered after its line was flushed to the disk, so a process that is killed leaves at most one torn line, at the end.
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeFileAtomic } from "../atomic-file.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { withLock } from "../lock.ts";
import type { ResourceName } from "../model/resource.ts";

/** Both methods run a synchronous function, which sees everything that any process wrote before. */
export interface Store {
  read<T>(work: (data: StoreReader) => T): Promise<T>;
  /** A transaction: its changes are on the disk when this resolves, and none of them is made where the function throws. */
  write<T>(work: (draft: StoreWriter) => T): Promise<T>;
}

export interface StoreReader {
  all<T extends TableName>(table: T): readonly Rows[T][];
  find<T extends TableName>(table: T, id: string | number): Rows[T] | undefined;
}

/** What is written is seen at once by the same function. */
export interface StoreWriter extends StoreReader {
  put<T extends TableName>(table: T, row: Rows[T]): void;
  remove(table: TableName, id: string | number): void;
  /** The next unused id. No id is used twice. */
  nextId(counter: "posts" | "terms"): number;
}

export type Seed = (draft: StoreWriter) => void;

// The rows by table, each with an `id`.

export type FieldValue = string | number | boolean | readonly number[];

/** A record of any resource as it was written: nothing rendered, nothing nested. Times are UTC texts. */
export interface Entry {
  readonly id: number;
  /** As slugify makes it. */
  readonly slug: string;
  /** Terms are always `publish`. */
  readonly status: string;
  /** The id of a user. */
  readonly author: number;
  readonly date_utc: string;
  readonly modified_utc: string;
  /** The other fields of the resource, and some that servers add. */
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** What a user may do: everything, write, write drafts, or read what is published. */
export type Role = "administrator" | "editor" | "author" | "contributor" | "subscriber";

export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  /** A hash. */
  readonly password: string;
}

/** An application key (auth.md, section 2); `id` is the client_id. */
export interface Application {
  readonly id: string;
  /** A hash. */
  readonly secret: string;
  readonly redirectUrls: readonly string[];
  readonly revoked: boolean;
}

export interface Token {
  readonly id: string;
  readonly kind: "access" | "refresh";
  readonly application: string;
  readonly user: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Tokens of one login, and of its refreshes, share a family. */
  readonly family: string;
}

/** A file of the media library. What is absent was not uploaded. */
export interface Picture {
  readonly id: number;
  /** Of its file, unique. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly type?: string;
  readonly size?: number;
  readonly author?: number;
  readonly title?: string;
  readonly alt?: string;
  /** Its bytes in base64. */
  readonly content?: string;
}

type Rows = Record<ResourceName, Entry> & {
  users: User;
  applications: Application;
  tokens: Token;
  /** Application passwords of a WordPress site; `id` is the hash. */
  passwords: { readonly id: string; readonly user: number; readonly name: string };
  /** The media library of a WordPress site. */
  pictures: Picture;
  /** The last id of a post or term. */
  counters: { readonly id: "posts" | "terms"; readonly last: number };
};

type TableName = keyof Rows;

/** A store that lives as long as the process. */
export function createMemoryStore(seed: Seed): Store {
  const tables = createTables(seed);
  return {
    read: async (work) => work(createReader(tables)),
    write: async (work) => runTransaction(tables, work, () => undefined),
  };
}

/** A store in a log file, which is created and seeded where there is none. All methods may reject with a CalError of kind `local`. */
export async function openFileStore(file: string, seed: Seed): Promise<Store> {
  let tables = createTables();
  let log: LogSize = { size: 0, baseSize: 0 };
  /** The version of the file that is in memory. */
  let version = "";

  /** Reads the file again where another process has changed it. */
  const refresh = (): void => {
    const current = getFileVersion(file);
    if (current === version && current !== "") return;
    tables = current === "" ? createTables(seed) : createTables();
    log = current === "" ? writeLog(file, tables) : readLog(file, tables);
    version = getFileVersion(file);
  };
  // Requests of this process wait here for one another, so that only other processes have to be waited for by polling.
  let queue: Promise<unknown> = Promise.resolve();
  const runLocked = <T>(work: () => T): Promise<T> => {
    const turn = queue.then(() => withFileLock(file, work));
    queue = turn.catch(() => undefined);
    return turn;
  };

  await runLocked(refresh);
  return {
    read: async (work) => {
      if (getFileVersion(file) !== version) await runLocked(refresh);
      return work(createReader(tables));
    },
    write: (work) =>
      runLocked(() => {
        refresh();
        const result = runTransaction(tables, work, (changes) => {
          log = appendToLog(file, log, changes);
        });
        if (log.size > Math.max(minCompactionSize, 3 * log.baseSize)) log = compactLog(file, log, tables);
        version = getFileVersion(file);
        return result;
      }),
  };
}

/** Replaces whatever is at the path by a freshly seeded log. */
export async function resetDataFile(file: string, seed: Seed): Promise<void> {
  await withFileLock(file, () => writeLog(file, createTables(seed)));
}

/** Creates the folder of the file too. What the file system refuses becomes a CalError with the file's name. */
async function withFileLock<T>(file: string, work: () => T): Promise<T> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return await withLock(`${file}.lock`, { sleep: (ms) => sleep(ms) }, work);
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause;
    if (!["ENOSPC", "EDQUOT"].includes(codeOf(cause) ?? ""))
      throw new CalError("local", `the sandbox's data file ${file} can't be used: ${messageOf(cause)}`, {
        cause,
        hint: "look at the rights of its folder, or choose another one with CAL_STATE_DIR",
      });
    throw new CalError("local", `the sandbox's data file ${file} can't be written: the disk is full`, {
      cause,
      code: "disk-full",
      hint: "make room on that disk, or choose a folder on another one with CAL_STATE_DIR",
    });
  }
}

/** Changes with each write to the file. "" where there is no file. */
function getFileVersion(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}

// The tables in memory.

type Tables = { [T in TableName]: Map<string, Rows[T]> };

/** A row that was put, or removed (null). */
type Change = readonly [table: TableName, id: string, row: Rows[TableName] | null];

function createTables(seed: Seed = () => undefined): Tables {
  const tables: Tables = {
    events: new Map(),
    venues: new Map(),
    organizers: new Map(),
    categories: new Map(),
    tags: new Map(),
    users: new Map(),
    applications: new Map(),
    tokens: new Map(),
    passwords: new Map(),
    pictures: new Map(),
    counters: new Map(),
  };
  runTransaction(tables, seed, () => undefined);
  return tables;
}

function createReader(tables: Tables): StoreReader {
  return { all: (table) => [...tables[table].values()], find: (table, id) => tables[table].get(String(id)) };
}

/** Runs the function and saves what it changed. Where either throws, the tables are as before. */
function runTransaction<T>(tables: Tables, work: (draft: StoreWriter) => T, save: (changes: readonly Change[]) => void): T {
  const changes: Change[] = [];
  const undo: (() => void)[] = [];
  const change = <N extends TableName>(table: N, id: string, row: Rows[N] | null): void => {
    const before = tables[table].get(id) ?? null;
    undo.push(() => setRow(tables, table, id, before));
    setRow(tables, table, id, row);
    changes.push([table, id, row]);
  };
  const reader = createReader(tables);
  const draft: StoreWriter = {
    ...reader,
    put: (table, row) => change(table, String(row.id), row),
    remove: (table, id) => change(table, String(id), null),
    nextId: (counter) => {
      const last = (reader.find("counters", counter)?.last ?? 0) + 1;
      change("counters", counter, { id: counter, last });
      return last;
    },
  };
  try {
    const result = work(draft);
    if (changes.length > 0) save(changes);
    return result;
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function setRow<T extends TableName>(tables: Tables, table: T, id: string, row: Rows[T] | null): void {
  if (row === null) tables[table].delete(id);
  else tables[table].set(id, row);
}

// The log file: a line that says what it is, a line with the whole data, and a line for each transaction since. Call these under the lock.

/** In bytes. */
interface LogSize {
  readonly size: number;
  /** Of the first two lines: the size after the next compaction would be about this. */
  readonly baseSize: number;
}

const logHeader = { calSandbox: 1 };

/** Smaller logs are not worth the work of compacting them. */
const minCompactionSize = 262_144;

const resetHint = "`cal sandbox reset` makes a new one; the data in it is lost";

/** Writes the whole data as a new file. */
function writeLog(file: string, tables: Tables): LogSize {
  const changes = Object.entries(tables).flatMap(([table, rows]) => [...rows].map(([id, row]) => [table, id, row]));
  const content = Buffer.from(`${JSON.stringify(logHeader)}\n${JSON.stringify(changes)}\n`);
  writeFileAtomic(file, content);
  return { size: content.length, baseSize: content.length };
}

/** Flushes one line to the disk. A line that was written in part is cut off again. */
function appendToLog(file: string, { size, baseSize }: LogSize, changes: readonly Change[]): LogSize {
  const line = Buffer.from(`${JSON.stringify(changes)}\n`);
  const log = openSync(file, "a");
  try {
    writeFileSync(log, line);
    fsyncSync(log);
  } catch (error) {
    ftruncateSync(log, size);
    throw error;
  } finally {
    closeSync(log);
  }
  return { size: size + line.length, baseSize };
}

/** The write before it has succeeded already, so a failure (a full disk) only means that the log stays long. */
function compactLog(file: string, log: LogSize, tables: Tables): LogSize {
  try {
    return writeLog(file, tables);
  } catch {
    return log;
  }
}

/** Reads the log into empty tables. Cuts off a torn last line. Throws kind `local` where the file is not a log of this version, or damaged. */
function readLog(file: string, tables: Tables): LogSize {
  const content = readFileSync(file);
  const size = content.lastIndexOf("\n") + 1;
  const [header = "", ...lines] = content.toString("utf8", 0, size).split("\n").slice(0, -1);
  const fail = (problem: string, cause?: unknown): CalError =>
    new CalError("local", `the sandbox's data file ${file} ${problem}`, { cause, hint: resetHint });
  if (header !== JSON.stringify(logHeader)) {
    const isOther = /^\{"calSandbox":\d+\}$/.test(header) || content.toString("latin1", 0, 15) === "SQLite format 3";
    throw fail(isOther ? "was made by another version of this program" : "is not a data file of the sandbox");
  }
  lines.forEach((line, index) => {
    try {
      const changes: readonly Change[] = JSON.parse(line);
      for (const [table, id, row] of changes) {
        if (typeof id !== "string" || typeof row !== "object") throw new TypeError("not a change");
        setRow(tables, table, id, row);
      }
    } catch (cause) {
      throw fail(`can't be used: its line ${index + 2} is damaged`, cause);
    }
  });
  if (size < content.length) truncateSync(file, size);
  return { size, baseSize: Buffer.byteLength(`${header}\n${lines[0] ?? ""}\n`) };
}
