// The data file: one SQLite table of rows. The only importer of node-sqlite3-wasm.
// That library takes a journal that a killed process left behind for another one's and never rolls it back, so no file that
// counts is changed in place: a copy is changed and renamed over it. Whatever bears the file's name is whole.

import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import sqlite, { type Database } from "node-sqlite3-wasm";
import { CalError } from "../errors.ts";
import { type Change, createStoreError } from "./store.ts";

/** Written into the file's header: "cal!", and the version of the layout of its rows. */
const applicationId = 0x63616c21;
const schemaVersion = 1;

/** The way out where the file is no good. */
const resetHint = "`cal sandbox reset` makes a new one; the data in it is lost";

/** A row as the file holds it. */
export interface StoredRow {
  readonly table: string;
  readonly id: string;
  readonly json: string;
}

/** All rows of a data file, in the order of their ids. Rejects a file that is not ours with kind `local`. Call it under the lock. */
export function readRows(file: string): readonly StoredRow[] {
  removeStaleFiles(file);
  try {
    return withDatabase(file, (database) => {
      if (readPragma(database, "application_id") !== applicationId)
        throw createUnusableFileError(file, "is not a data file of the sandbox");
      if (readPragma(database, "user_version") !== schemaVersion)
        throw createUnusableFileError(file, "was made by another version of this program");
      return database.all("SELECT name, id, json FROM rows ORDER BY name, length(id), id").map((row) => ({
        table: String(row["name"]),
        id: String(row["id"]),
        json: String(row["json"]),
      }));
    });
  } catch (error) {
    throw error instanceof sqlite.SQLite3Error ? createStoreError(file, error, resetHint) : error;
  }
}

/** Writes changes; they are on the disk when it returns. Call it under the lock. `anew` starts from an empty file. */
export function writeChanges(file: string, changes: readonly Change[], anew = false): void {
  removeStaleFiles(file);
  const next = `${file}.next`;
  try {
    if (!anew && existsSync(file)) copyFileSync(file, next);
    withDatabase(next, (database) => applyChanges(database, changes));
    renameSync(next, file);
  } catch (error) {
    throw error instanceof sqlite.SQLite3Error ? createStoreError(file, findDiskError(error, next, changes)) : error;
  } finally {
    removeStaleFiles(file);
  }
}

function applyChanges(database: Database, changes: readonly Change[]): void {
  // Nobody else knows the copy, so a journal would guard nothing.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL");
  database.exec(`BEGIN; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  database.exec("CREATE TABLE IF NOT EXISTS rows (name TEXT, id TEXT, json TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID");
  const insert = database.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM rows WHERE name = ? AND id = ?");
  for (const { table, id, json } of changes) {
    if (json === null) remove.run([table, id]);
    else insert.run([table, id, json]);
  }
  insert.finalize();
  remove.finalize();
  database.exec("COMMIT");
}

/** SQLite keeps the system's reason to itself ("disk I/O error"); asking for as much room again tells it. */
function findDiskError(error: Error, next: string, changes: readonly Change[]): unknown {
  const wanted = changes.reduce((sum, { json }) => sum + Buffer.byteLength(json ?? ""), 65_536);
  try {
    writeFileSync(next, Buffer.alloc(wanted), { flag: "a" });
    return error;
  } catch (reason) {
    return reason;
  }
}

/** What a killed process may have left: an unfinished copy, and the folders by which SQLite locks. Only the holder of our lock comes here. */
function removeStaleFiles(file: string): void {
  for (const name of [`${file}.next`, `${file}.next.lock`, `${file}.lock`]) rmSync(name, { force: true, recursive: true });
}

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  let database: Database | undefined;
  try {
    database = new sqlite.Database(file);
    return work(database);
  } finally {
    database?.close();
  }
}

function readPragma(database: Database, name: string): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}

function createUnusableFileError(file: string, what: string): CalError {
  return new CalError("local", `the sandbox's data file ${file} ${what}`, { hint: resetHint });
}
