// The sandbox's memory, and its data file behind it: each piece of work sees all that any process wrote before it, and is kept whole or not at all.

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { withLock } from "../lock.ts";
import type { ResourceName } from "../model/resource.ts";

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
  const { readRows, writeChanges } = await import("./store-database.ts");
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
  const { writeChanges } = await import("./store-database.ts");
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

// All rows in memory, and the list of what a piece of work changed.

/** Reading. */
export interface StoreReader {
  all<T extends TableName>(table: T): readonly Tables[T][];
  find<T extends TableName>(table: T, id: string | number): Tables[T] | undefined;
}

/** Reading and writing; what is written is seen at once. */
export interface StoreWriter extends StoreReader {
  put<T extends TableName>(table: T, row: Tables[T]): void;
  remove(table: TableName, id: string | number): void;
  /** The next unused id. Ids are never given twice. */
  nextId(counter: "posts" | "terms"): number;
}

/** A row that was put (`json`) or removed (null). */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly json: string | null;
}

type TableMaps = { [T in TableName]: Map<string, Tables[T]> };

function createEmptyTables(): TableMaps {
  return {
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
}

/** Rows in memory that remember what was changed since they were last asked. */
export class MemoryTables implements StoreWriter {
  #memory = createEmptyTables();
  #changes: Change[] = [];
  #undo: (() => void)[] = [];

  all<T extends TableName>(table: T): readonly Tables[T][] {
    return [...this.#memory[table].values()];
  }

  find<T extends TableName>(table: T, id: string | number): Tables[T] | undefined {
    return this.#memory[table].get(String(id));
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    const rows = this.#memory[table];
    this.#recordUndo(table, String(row.id));
    rows.set(String(row.id), row);
    this.#changes.push({ table, id: String(row.id), json: JSON.stringify(row) });
  }

  remove(table: TableName, id: string | number): void {
    this.#recordUndo(table, String(id));
    this.#memory[table].delete(String(id));
    this.#changes.push({ table, id: String(id), json: null });
  }

  nextId(counter: "posts" | "terms"): number {
    const last = (this.find("counters", counter)?.last ?? 0) + 1;
    this.put("counters", { id: counter, last });
    return last;
  }

  /** Puts a row in its place without noting a change. */
  load(table: string, id: string, json: string): void {
    if (isTableName(table)) this.#memory[table].set(id, JSON.parse(json));
  }

  clear(): void {
    this.#memory = createEmptyTables();
    this.commit();
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  /** The changes are kept: forget that they could be taken back. */
  commit(): void {
    this.#changes = [];
    this.#undo = [];
  }

  /** The changes failed: take them back. */
  rollback(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.commit();
  }

  #recordUndo<T extends TableName>(table: T, id: string): void {
    const rows = this.#memory[table];
    const held = rows.get(id);
    this.#undo.push(() => {
      if (held === undefined) rows.delete(id);
      else rows.set(id, held);
    });
  }
}

const emptyTables = createEmptyTables();

function isTableName(name: string): name is TableName {
  return Object.hasOwn(emptyTables, name);
}

// What the sandbox keeps: rows by table, each with an `id`.

/** A value of a record. */
export type FieldValue = string | number | boolean | readonly number[];

/** A record of any of the five resources, as it was written: nothing rendered, nothing nested. Times are UTC texts. */
export interface Entry {
  readonly id: number;
  /** In its canonical form (slug.ts). */
  readonly slug: string;
  /** Terms are always `publish`. */
  readonly status: string;
  /** The id of a user. */
  readonly author: number;
  readonly date_utc: string;
  readonly modified_utc: string;
  /** The fields of the resource's spec that are not above, and what is known beyond them. */
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** What a user may do: everything, write, write drafts, or read what is published. */
export type Role = "administrator" | "editor" | "author" | "contributor" | "subscriber";

/** A person who may log in. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  /** Hash of the password. */
  readonly password: string;
}

/** An application key (auth.md, section 2). `id` is the client_id. */
export interface Application {
  readonly id: string;
  /** Hash of the client_secret. */
  readonly secret: string;
  readonly redirectUrls: readonly string[];
  readonly revoked: boolean;
}

/** A token that was issued; `id` is its hash. */
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

/** An application password of a WordPress site; `id` is its hash. */
interface ApplicationPassword {
  readonly id: string;
  readonly user: number;
  readonly name: string;
}

/** A picture in the media library of a WordPress site. */
interface MediaImage {
  readonly id: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** The last number that was given to a new post or term. */
interface Counter {
  readonly id: "posts" | "terms";
  readonly last: number;
}

/** Every table and the type of its rows. */
type Tables = Record<ResourceName, Entry> & {
  users: User;
  applications: Application;
  tokens: Token;
  passwords: ApplicationPassword;
  pictures: MediaImage;
  counters: Counter;
};

/** The name of a table. */
type TableName = keyof Tables;

// What keeps the data file from being read or written is the user's to mend: kind `local`, with the file's name and a way out.

/** The way out where the file itself is fine. */
const dataFileHint = "look at the rights of its folder, or choose another one with CAL_STATE_DIR";

/** The error for what the system, or SQLite, says of a data file; its code tells a full disk apart. */
export function createStoreError(file: string, cause: unknown, hint = dataFileHint): CalError {
  if (!["ENOSPC", "EDQUOT"].includes(codeOf(cause) ?? ""))
    return new CalError("local", `the sandbox's data file ${file} can't be used: ${messageOf(cause)}`, { cause, hint });
  return new CalError("local", `the sandbox's data file ${file} can't be written: the disk is full`, {
    cause,
    code: "disk-full",
    hint: "make room on that disk, or choose a folder on another one with CAL_STATE_DIR",
  });
}
