// The ledger of one source and site: which record belongs to which key, and what both sides were at the last write.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../atomic-file.ts";
import { isRecord } from "../data-record.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import { type LockOptions, withRunLock } from "../lock.ts";
import type { SiteId } from "./change.ts";
import { type Base, hashText } from "./compare.ts";

/** What the ledger knows of one key. `pending`: a create was begun, and its outcome is not known. */
export type LedgerEntry = { readonly key: string; readonly pending: true } | RecordEntry;

export interface RecordEntry extends Base {
  readonly key: string;
  readonly id: string;
  /** `modified_utc` of the record then. Absent where a text was edited on the site, so that it must be compared. */
  readonly modified?: string;
  /** Of a series: `answered` before its last write, by field. An undo of that write brings it back. */
  readonly former?: Base["answered"];
  /** Of a series: the record was deleted. An undo can bring it back. */
  readonly gone?: true;
}

export interface Ledger {
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Handed to the operating system at once. Throws a CalError of kind `local`. */
  put(entry: LedgerEntry): void;
  /** The record of this key is gone. */
  remove(key: string): void;
}

export interface LedgerOptions {
  readonly path: string;
  readonly site: SiteId;
  /** The name of the source, for messages. */
  readonly source: string;
  /** What is running where another process has the ledger; absent is an import of the source. */
  readonly work?: string;
  readonly lock: LockOptions;
}

/** The file of a source in the state folder. The address of a site does not fit into a file name, so it is a hash. */
export function getLedgerPath(stateFolder: string, site: SiteId, source: string): string {
  const name = source
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .slice(0, 60);
  return join(stateFolder, "ledgers", `${name}-${hashText(`${site}\n${source}`)}.ndjson`);
}

/**
 * Does the work with the ledger while no other process uses it. Each entry is appended at once; at the end the file is replaced by one that
 * is sorted by key. Rejects with kind `local` for a file that is no ledger or belongs to another site, with kind `unavailable` where another
 * process works with it.
 */
export async function withLedger<T>(options: LedgerOptions, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { path, source, work: running = `an import of ${source}`, lock } = options;
  return withRunLock(`${path}.lock`, running, lock, () => workLocked(options, work));
}

export interface OpenLedger {
  readonly ledger: Ledger;
  /** Replaces the file and gives up the lock. Rejects as `withLedger` does. */
  close(): Promise<void>;
}

/** The same for work that goes on after the caller has returned: the ledger stays open until `close`. */
export async function openLedger(options: LedgerOptions): Promise<OpenLedger> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return new Promise((resolve, reject) => {
    const closed = withLedger(options, (ledger) => {
      resolve({
        ledger,
        close: () => {
          release();
          return closed;
        },
      });
      return released;
    });
    closed.catch(reject);
  });
}

/** The ids of the records of this site that other ledgers of the state folder manage; keys begin with `prefix`. */
export function listManagedIds(
  stateFolder: string,
  site: SiteId,
  { prefix, except }: { readonly prefix: string; readonly except: string },
) {
  const ids = new Set<string>();
  for (const path of listLedgers(stateFolder)) {
    if (path === except || readLedgerSite(path) !== site) continue;
    for (const entry of readLedger(path, site).values()) if (entry.key.startsWith(prefix) && "id" in entry) ids.add(entry.id);
  }
  return ids;
}

/** Removes the ledgers of a site whose records are all gone. */
export function removeLedgers(stateFolder: string, site: SiteId): void {
  for (const path of listLedgers(stateFolder)) if (readLedgerSite(path) === site) rmSync(path);
}

function listLedgers(stateFolder: string): readonly string[] {
  const folder = join(stateFolder, "ledgers");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(".ndjson")).map((name) => join(folder, name));
}

function readLedgerSite(path: string): unknown {
  const [first = ""] = readFileSync(path, "utf8").split("\n", 1);
  return first === "" ? undefined : parseLine(path, first, 1)["site"];
}

async function workLocked<T>({ path, site }: LedgerOptions, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const entries = readLedger(path, site);
  let file: number | undefined;
  let isWritten = false;
  const append = (line: object) => {
    try {
      if (file === undefined && !existsSync(path)) writeFileAtomic(path, formatHeader(site));
      file ??= openSync(path, "a");
      writeFileSync(file, `${stringifyExact(line)}\n`);
      isWritten = true;
    } catch (error) {
      throw ledgerError(path, `can't be written: ${messageOf(error)}; nothing more is sent`);
    }
  };
  const ledger: Ledger = {
    entries,
    put: (entry) => {
      append(entry);
      entries.set(entry.key, entry);
    },
    remove: (key) => {
      append({ key, removed: true });
      entries.delete(key);
    },
  };
  try {
    return await work(ledger);
  } finally {
    if (file !== undefined) closeSync(file);
    if (isWritten) writeFileAtomic(path, formatLedger(site, entries));
  }
}

const formatHeader = (site: SiteId) => `${stringifyExact({ ledger: 1, site })}\n`;

function* formatLedger(site: SiteId, entries: ReadonlyMap<string, LedgerEntry>): Generator<string> {
  yield formatHeader(site);
  const sorted = [...entries.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
  for (const entry of sorted) yield `${stringifyExact(entry)}\n`;
}

/** The entries of a ledger; none where there is no file. A last line that was cut off is passed over. */
export function readLedger(path: string, site: SiteId): Map<string, LedgerEntry> {
  const entries = new Map<string, LedgerEntry>();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return entries;
    throw ledgerError(path, `can't be read: ${messageOf(error)}`);
  }
  const lines = text.split("\n");
  const isCutOff = lines.pop() !== "";
  const [header, ...rest] = lines.map((line, at) => parseLine(path, line, at + 1));
  if (header === undefined && !isCutOff) return entries;
  if (header?.["ledger"] !== 1) throw ledgerError(path, "is not a ledger of this program");
  if (header["site"] !== site) throw ledgerError(path, `belongs to another site: ${String(header["site"])}`);
  for (const [at, line] of rest.entries()) {
    const { key } = line;
    if (typeof key !== "string") throw ledgerError(path, `line ${at + 2} has no key`);
    if (line["removed"] === true) entries.delete(key);
    else entries.set(key, parseEntry(path, at + 2, key, line));
  }
  return entries;
}

/** The entries of a ledger, whichever site it belongs to. */
export function readLedgerAnySite(path: string): Map<string, LedgerEntry> {
  const site = existsSync(path) ? readLedgerSite(path) : undefined;
  return typeof site === "string" ? readLedger(path, site) : new Map();
}

function parseLine(path: string, line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {}
  const isMerge = /^(?:<<<<<<<|=======|>>>>>>>)/.test(line);
  throw ledgerError(path, isMerge ? `line ${number} is a merge conflict of git: resolve it first` : `line ${number} is not a JSON object`);
}

function parseEntry(
  path: string,
  number: number,
  key: string,
  { id, pending, sent, answered, modified, former, gone }: Readonly<Record<string, unknown>>,
): LedgerEntry {
  if (pending === true) return { key, pending };
  if (typeof id !== "string" || !/^\d+$/.test(id) || !isHashes(sent) || !isHashes(answered))
    throw ledgerError(path, `line ${number} has no id or no hashes`);
  return {
    key,
    id,
    sent,
    answered,
    ...(typeof modified === "string" && { modified }),
    ...(isHashes(former) && { former }),
    ...(gone === true && { gone }),
  };
}

function isHashes(value: unknown): value is Base["sent"] {
  return isRecord(value) && Object.values(value).every((hash) => typeof hash === "string");
}

function ledgerError(path: string, problem: string): CalError {
  return new CalError("local", `the ledger ${path} ${problem}`, { code: "ledger" });
}
