// Reads the journals: which operations there are, what each one did, and which are old enough to be removed.
import { accessSync, appendFileSync, constants, createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ApiRequest } from "../api/request.ts";
import { writeFileAtomic } from "../atomic-file.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { parseExactJson, stringifyExact } from "../http/json.ts";
import { hasOwnerEnded } from "../lock.ts";
import type { Change } from "./change.ts";
import { type Former, formatSecond, getJournalFolder, type JournalHeader, type JournalLine, type JournalState } from "./journal.ts";
import { type Keep, keepFields, keepProperties } from "./value-store.ts";

/** A file of the journal folder. */
export interface JournalEntry {
  readonly operation: string;
  readonly state: JournalState;
  readonly path: string;
}

/** A change of an operation, and what is known of its outcome. */
export interface JournaledChange extends Former {
  /** Its number in the operation, from 1. */
  readonly n: number;
  readonly change: Change;
  readonly requests: readonly ApiRequest[];
  readonly status: "done" | "failed" | "unknown";
  /** The id of the record, once it is known. */
  readonly id?: string;
  /** A create has changed a record that was there already. */
  readonly existed?: true;
  /** The fields of the change as the record has them after it. */
  readonly after?: DataRecord;
  /** Why it failed, or why its outcome is not known. */
  readonly message?: string;
  /** Whether the first of its requests was answered: then only `follow` is missing. */
  readonly isAnswered: boolean;
}

export interface Operation {
  readonly entry: JournalEntry;
  readonly header: JournalHeader;
  readonly changes: readonly JournaledChange[];
  /** `interrupted`: the process or the call ended before the operation did. */
  readonly state: "done" | "failed" | "unknown" | "interrupted" | "running";
}

/** The operations of all sites, the newest first. None where there is no journal. Throws a CalError of kind `local`. */
export function listJournals(stateFolder: string): readonly JournalEntry[] {
  const folder = getJournalFolder(stateFolder);
  try {
    return readdirSync(folder)
      .flatMap((name): readonly JournalEntry[] => {
        const [, operation, state] = /^(\d{8}-\d{6}-\d{3,})\.(open|one|many)\.ndjson$/.exec(name) ?? [];
        return operation === undefined || !isState(state) ? [] : [{ operation, state, path: join(folder, name) }];
      })
      .sort((left, right) => (left.operation < right.operation ? 1 : -1));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw unreadableError(folder, error);
  }
}

function isState(text: string | undefined): text is JournalState {
  return text === "open" || text === "one" || text === "many";
}

function unreadableError(path: string, cause: unknown): CalError {
  return new CalError("local", `the journal ${path} can't be read: ${messageOf(cause)}`, { code: "journal", cause });
}

/** The record of a change, as the changes of an undo are named. */
export function nameRecord(resource: string, id: string): string {
  return `${resource}/${id}`;
}

/** The header of an operation; undefined where the file has none, because the process was killed before it was written. */
export async function readHeader({ path }: JournalEntry): Promise<JournalHeader | undefined> {
  for await (const line of readLines(path)) return "version" in line ? line : undefined;
  return undefined;
}

/** Reads an operation as a whole; undefined where the file has no header. `keep` takes what is large of its changes. */
export async function readOperation(entry: JournalEntry, keep?: Keep): Promise<Operation | undefined> {
  let header: JournalHeader | undefined;
  let end: "ended" | "interrupted" | undefined;
  const changes = new Map<number, JournaledChange>();
  for await (const line of readLines(entry.path)) {
    if ("version" in line) header = line;
    else if (line.n === undefined) end = line.interrupted === true ? "interrupted" : "ended";
    else {
      const known = changes.get(line.n);
      if ("change" in line) changes.set(line.n, toChange(line));
      else if (known !== undefined) {
        const changed = addLine(known, line);
        changes.set(line.n, keep === undefined ? changed : keepLarge(changed, keep));
      }
    }
  }
  if (header === undefined) return undefined;
  const all = [...changes.values()];
  const has = (status: JournaledChange["status"]) => all.some((one) => one.status === status);
  end ??= hasOwnerEnded(header.owner) ? "interrupted" : undefined;
  const state =
    end === undefined ? "running" : end === "interrupted" ? end : has("unknown") ? "unknown" : has("failed") ? "failed" : "done";
  return { entry, header, changes: all, state };
}

const largeProperties = ["former", "raw", "links", "requests", "after"] as const;

function keepLarge(one: JournaledChange, keep: Keep): JournaledChange {
  return keepProperties({ ...one, change: keepFields(one.change, keep) }, largeProperties, keep);
}

function toChange(line: Extract<JournalLine, { readonly change: Change }>): JournaledChange {
  const { request, ...rest } = line;
  const { id } = line.change;
  return { ...rest, requests: [request], status: "unknown", isAnswered: false, ...(id === undefined ? {} : { id }) };
}

function addLine(known: JournaledChange, line: Extract<JournalLine, { readonly n: number }>): JournaledChange {
  if ("request" in line) return { ...known, requests: [...known.requests, line.request] };
  if ("unknown" in line) return { ...known, message: line.unknown };
  if ("error" in line) return { ...known, status: "failed", message: line.error };
  if (!("done" in line || "resolved" in line)) return { ...known, isAnswered: true };
  const { id = known.id, after = known.after, existed } = line;
  const status = "resolved" in line ? line.resolved : "done";
  return {
    ...known,
    status,
    isAnswered: true,
    ...(id === undefined ? {} : { id }),
    ...(after === undefined ? {} : { after }),
    ...(existed && { existed }),
  };
}

/** The lines of a file. A line that is cut off, because the process was killed or the disk was full, is passed over. */
async function* readLines(path: string): AsyncGenerator<JournalLine> {
  try {
    for await (const text of createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY })) {
      const line: unknown = await parseExactJson(text).catch(() => undefined);
      if (isJournalLine(line)) yield line;
    }
  } catch (error) {
    // An operation that ends gives its file another name.
    if (codeOf(error) !== "ENOENT") throw unreadableError(path, error);
  }
}

/** This program wrote the lines; a user who can change them can also write to the site. */
function isJournalLine(line: unknown): line is JournalLine {
  return isRecord(line);
}

/** Adds what a later look at the site told of a change. */
export function appendResolution({ path }: JournalEntry, line: Extract<JournalLine, { readonly resolved: unknown }>): void {
  try {
    appendFileSync(path, `${stringifyExact(line)}\n`);
  } catch (error) {
    throw new CalError("local", `the journal ${path} can't be written: ${messageOf(error)}`, { code: "journal", cause: error });
  }
}

/** What `cal doctor` reports of the folder. */
interface JournalFolder {
  readonly folder: string;
  readonly operations: number;
  readonly bytes: number;
  /** Interrupted, or with an unknown outcome. Running ones count too. */
  readonly unsettled: number;
  /** Why nothing can be written there, or who else can read it. */
  readonly problem?: string;
}

/** Looks at the folder without changing anything. One that is not there yet is made by the first write. */
export function inspectJournals(stateFolder: string): JournalFolder {
  const folder = getJournalFolder(stateFolder);
  const none = { folder, operations: 0, bytes: 0, unsettled: 0 };
  try {
    const existing = [folder, stateFolder].find((path) => existsSync(path));
    if (existing !== undefined) accessSync(existing, constants.W_OK | constants.X_OK);
    const entries = listJournals(stateFolder);
    const bytes = entries.reduce((sum, { path }) => sum + statSync(path).size, 0);
    const isOpenToOthers = existing === folder && (statSync(folder).mode & 0o077) !== 0;
    const unsettled = entries.filter(({ state }) => state === "open").length;
    return { folder, operations: entries.length, bytes, unsettled, ...(isOpenToOthers && { problem: "can be read by other users" }) };
  } catch (error) {
    return { ...none, problem: `can't be used (${messageOf(error)})` };
  }
}

// Retention.

const millisecondsPerDay = 86_400_000;
const retentionDays = { one: 30, many: 90 } as const;
const maxSingleOperations = 1000;
const maxBytes = 1_000_000_000;

/** What was removed so far. */
export interface Pruned {
  readonly operations: number;
  /** The newest of them. */
  readonly until: string;
}

/** Removes what is too old or too much, the oldest first, and never an operation that is running, interrupted or has an unknown outcome. */
export function pruneJournals(stateFolder: string, now: number): void {
  const removed: string[] = [];
  const getOldest = (days: number) => formatSecond(now - days * millisecondsPerDay);
  const oldest = { one: getOldest(retentionDays.one), many: getOldest(retentionDays.many) };
  let bytes = 0;
  let singles = 0;
  for (const { state, operation, path } of listJournals(stateFolder)) {
    try {
      bytes += statSync(path).size;
      if (state === "open") continue;
      if (state === "one") singles += 1;
      const isOld = operation < oldest[state];
      if (!isOld && bytes <= maxBytes && (state === "many" || singles <= maxSingleOperations)) continue;
      rmSync(path);
      removed.push(operation);
    } catch {
      // Another process removed it, or the folder is read-only; the next operation tries again.
    }
  }
  const [until] = removed;
  if (until === undefined) return;
  const before = readPruned(stateFolder);
  const total = {
    operations: (before?.operations ?? 0) + removed.length,
    until: before !== undefined && before.until > until ? before.until : until,
  };
  writeFileAtomic(getPrunedPath(stateFolder), stringifyExact(total), { hasLock: false });
}

const getPrunedPath = (stateFolder: string) => join(getJournalFolder(stateFolder), "pruned.json");

/** Undefined where nothing was removed yet. */
export function readPruned(stateFolder: string): Pruned | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(getPrunedPath(stateFolder), "utf8"));
    if (!isRecord(value)) return undefined;
    const { operations, until } = value;
    return typeof operations === "number" && typeof until === "string" ? { operations, until } : undefined;
  } catch {
    return undefined;
  }
}
