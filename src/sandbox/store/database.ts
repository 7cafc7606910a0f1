// The data file: one SQLite table of rows. The only importer of node-sqlite3-wasm.
// That library takes a journal that a killed process left behind for another one's and never rolls it back, so no file that
// counts is changed in place: a copy is changed and renamed over it. Whatever bears the file's name is whole.
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import sqlite, { type Database } from "node-sqlite3-wasm";
import { CalError } from "../../errors.ts";
import type { Change } from "./memory.ts";

/** Written into the file's header: "cal!", and the version of the layout of its rows. */
const applicationId = 0x63616c21;
const layout = 1;

/** A row as the file holds it. */
export interface StoredRow {
  readonly table: string;
  readonly id: string;
  readonly json: string;
}

/** All rows of a data file, in the order of their ids. Rejects a file that is not ours with kind `local`. Call it under the lock. */
export function readRows(file: string): readonly StoredRow[] {
  dropLeftovers(file);
  return withDatabase(file, (database) => {
    if (pragma(database, "application_id") !== applicationId) throw unusable(file, "is not a data file of the sandbox");
    if (pragma(database, "user_version") !== layout) throw unusable(file, "was made by another version of this program");
    return database.all("SELECT name, id, json FROM rows ORDER BY name, length(id), id").map((row) => ({
      table: String(row["name"]),
      id: String(row["id"]),
      json: String(row["json"]),
    }));
  });
}

/** Writes changes; they are on the disk when it returns. Call it under the lock. `anew` starts from an empty file. */
export function writeChanges(file: string, changes: readonly Change[], anew = false): void {
  dropLeftovers(file);
  const next = `${file}.next`;
  if (!anew && existsSync(file)) copyFileSync(file, next);
  withDatabase(next, (database) => {
    // Nobody else knows the copy, so a journal would guard nothing.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL");
    database.exec(`BEGIN; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layout}`);
    database.exec("CREATE TABLE IF NOT EXISTS rows (name TEXT, id TEXT, json TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID");
    const put = database.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)");
    const remove = database.prepare("DELETE FROM rows WHERE name = ? AND id = ?");
    for (const { table, id, json } of changes) {
      if (json === null) remove.run([table, id]);
      else put.run([table, id, json]);
    }
    put.finalize();
    remove.finalize();
    database.exec("COMMIT");
  });
  renameSync(next, file);
}

/** What a killed process may have left: an unfinished copy, and the folders by which SQLite locks. Only the holder of our lock comes here. */
function dropLeftovers(file: string): void {
  for (const name of [`${file}.next`, `${file}.next.lock`, `${file}.lock`]) rmSync(name, { force: true, recursive: true });
}

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  let database: Database | undefined;
  try {
    database = new sqlite.Database(file);
    return work(database);
  } catch (error) {
    if (error instanceof sqlite.SQLite3Error) throw unusable(file, "can't be read or written", error);
    throw error;
  } finally {
    database?.close();
  }
}

function pragma(database: Database, name: string): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}

function unusable(file: string, what: string, cause?: Error): CalError {
  const reason = cause === undefined ? "" : ` (${cause.message})`;
  const hint = "`cal sandbox reset` makes a new one; the data in it is lost";
  return new CalError("local", `the sandbox's data file ${file} ${what}${reason}`, cause === undefined ? { hint } : { hint, cause });
}
