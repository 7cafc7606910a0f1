// The journal: what each operation is about to send, the former values, and what came of it. One NDJSON file for each operation.
// A line is handed to the operating system before its request is sent, so it is there after the process is killed.
import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RawRecord } from "../api/raw-record.ts";
import type { RecordSource } from "../api/refs.ts";
import type { ApiRequest } from "../api/request.ts";
import type { CurrentRecord } from "../api/update.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import { createOwnerName } from "../lock.ts";
import type { Resource, ResourceName } from "../model/resource.ts";
import { shellQuote } from "../text.ts";
import type { Change, SiteId } from "./change.ts";
import { hashText } from "./compare.ts";

/** The first line of a journal. */
export interface JournalHeader {
  readonly version: 1;
  /** `20270115-120000-001`: when it began, in UTC, and a number within that second. */
  readonly operation: string;
  readonly site: SiteId;
  readonly profile: string;
  /** The command line, as it can be shown: addresses are masked. */
  readonly command: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  /** The process, as locks name it. */
  readonly owner: string;
  /** The operation that this one takes back. */
  readonly undoes?: string;
}

/** Links that a server removes together with a record: the whole list of a field of another record. */
export interface RemovedLink {
  readonly resource: ResourceName;
  readonly id: string;
  readonly field: string;
  readonly value: unknown;
}

/** What a change line says beside the change itself. */
export interface Former {
  /** The record as it was read; absent where it was not, and then the change can't be undone. */
  readonly former?: DataRecord | undefined;
  /** The same as it is stored, where the user may see that. */
  readonly raw?: RawRecord | undefined;
  readonly links?: readonly RemovedLink[] | undefined;
  /** A request that completes the change after the first one. It can be repeated. */
  readonly follow?: ApiRequest | undefined;
}

/** After the header the lines of changes, each with the number `n` of its change, and a last line with the counts. */
export type JournalLine =
  | (JournalHeader & { readonly n?: undefined })
  | ({ readonly n: number; readonly change: Change; readonly request: ApiRequest } & Former)
  | { readonly n: number; readonly request: ApiRequest }
  | { readonly n: number; readonly answer: number }
  | ({ readonly n: number; readonly done: true; readonly answer?: number } & Outcome)
  | { readonly n: number; readonly error: string; readonly code?: string; readonly status?: number }
  | { readonly n: number; readonly unknown: string }
  | ({ readonly n: number; readonly resolved: "done" | "failed" } & Outcome)
  | {
      readonly n?: undefined;
      readonly ended: string;
      readonly done: number;
      readonly failed: number;
      readonly unknown: number;
      /** It ended before all was done; the process may go on (`cal mcp`). */
      readonly interrupted?: true;
    };

/** What the site has after a change. */
export interface Outcome {
  readonly id?: string | undefined;
  /** The fields of the change as the record has them then. */
  readonly after?: DataRecord | undefined;
  /** A create has changed a record that was there already. */
  readonly existed?: true;
}

/** The lines of one change. */
export interface ChangeLog {
  /** Resolves when the request may be sent. Rejects with a CalError of kind `local`: then it must not be sent. */
  request(request: ApiRequest): Promise<void>;
  answer(status: number): void;
  /** The server refused it: nothing was changed. */
  error(error: CalError): void;
  /** A request has no answer. */
  unknown(message: string): void;
  /** All requests are answered. */
  done(outcome: Outcome): void;
}

export interface Journal {
  /** Whether former values are kept: where they are not, they need not be read. */
  readonly isOn: boolean;
  /** Of --plan-out: takes the change into the plan, instead of writing it down. */
  plan?(change: Change): void;
  /** Of --plan-out: puts the changes, which come as they are ready, into the order of these keys. */
  sortPlan?(keys: readonly string[]): void;
  /** Of --plan-out: the changes so far. */
  readonly planned?: readonly Change[];
  /**
   * Completes or settles earlier changes of this record whose outcome is unknown, with the record as it was just read. True where something
   * was sent: then the record must be read again.
   */
  settle(site: RecordSource, resource: Resource, current: CurrentRecord): Promise<boolean>;
  /** Said before the first change: the command writes several records. Without a journal that is refused. */
  expectMany(): void;
  begin(change: Change, former: Former): ChangeLog;
  /** Said where a signal ends the command before all is done. */
  interrupt(): void;
  /** Writes the last line and gives the file its final name; false where nothing was written. Later changes are not journaled. */
  close(): boolean;
}

export interface JournalOptions {
  /** The state folder; it need not exist. */
  readonly folder: string;
  readonly site: SiteId;
  readonly profile: string;
  readonly argv: readonly string[];
  readonly undoes?: string | undefined;
  readonly now: () => number;
  readonly startInterval: (ms: number, tick: () => void) => () => void;
  readonly warn: (text: string) => Promise<void>;
  readonly settle: Journal["settle"];
}

const syncIntervalMs = 1000;

const noChangeLog: ChangeLog = {
  request: async () => undefined,
  answer: () => undefined,
  error: () => undefined,
  unknown: () => undefined,
  done: () => undefined,
};

/** Nothing is journaled: `CAL_JOURNAL=0`, or nothing is sent. */
export const noJournal: Journal = {
  isOn: false,
  settle: async () => false,
  expectMany: () => undefined,
  begin: () => noChangeLog,
  interrupt: () => undefined,
  close: () => false,
};

/** The folder of the journals. */
export function getJournalFolder(stateFolder: string): string {
  return join(stateFolder, "journal");
}

/** The journal of one operation. Its file is made with the first request. */
export function createJournal(options: JournalOptions): Journal {
  let file: JournalFile | undefined;
  let isMany = false;
  let isOff = false;
  let isInterrupted = false;
  const counts = { changes: 0, done: 0, failed: 0 };
  const open = (): JournalFile | undefined => {
    if (file !== undefined || isOff) return file;
    try {
      file = createJournalFile(options);
    } catch (error) {
      if (isMany) throw createJournalError(`the journal can't be written: ${messageOf(error)}; nothing was sent`, error);
      isOff = true;
      void options.warn(`not journaled, can't be undone: ${messageOf(error)}`);
    }
    return file;
  };
  const begin = (change: Change, former: Former): ChangeLog => {
    let n = 0;
    // An answer is written together with what follows it.
    let status: number | undefined;
    const takeAnswer = (): readonly JournalLine[] => {
      const lines = status === undefined ? [] : [{ n, answer: status }];
      status = undefined;
      return lines;
    };
    return {
      request: async (request) => {
        const target = open();
        if (target === undefined) return;
        const isFirst = n === 0;
        if (isFirst) n = ++counts.changes;
        target.write([...takeAnswer(), isFirst ? { n, change, ...former, request } : { n, request }]);
        await target.flushSoon();
      },
      answer: (answer) => {
        status = answer;
      },
      error: ({ message, details }) => {
        if (n === 0) return;
        counts.failed += 1;
        const { code, status: refused } = details;
        file?.write([...takeAnswer(), { n, error: message, ...(code && { code }), ...(refused && { status: refused }) }]);
      },
      unknown: (message) => {
        if (n > 0) file?.write([...takeAnswer(), { n, unknown: message }]);
      },
      done: ({ id, after, existed }) => {
        if (n === 0) return;
        counts.done += 1;
        file?.write([
          { n, done: true, ...(status && { answer: status }), ...(id && { id }), ...(after && { after }), ...(existed && { existed }) },
        ]);
      },
    };
  };
  return {
    isOn: true,
    settle: options.settle,
    expectMany: () => {
      isMany = true;
    },
    begin,
    interrupt: () => {
      isInterrupted = true;
      file?.flush();
    },
    close: () => {
      isOff = true;
      const target = file;
      file = undefined;
      if (target === undefined) return false;
      const { changes, done, failed } = counts;
      const unknown = changes - done - failed;
      const ended = new Date(options.now()).toISOString();
      target.write([{ ended, done, failed, unknown, ...(isInterrupted && { interrupted: true }) }]);
      target.close(isInterrupted || unknown > 0 ? "open" : changes > 1 ? "many" : "one");
      return true;
    },
  };
}

interface JournalFile {
  readonly header: JournalHeader;
  /** The lines are handed to the system with the next flush, or within a second. */
  write(lines: readonly JournalLine[]): void;
  flush(): void;
  /**
   * Resolves when all lines so far are handed to the system, those of requests of the same moment together. Rejects with a CalError of kind
   * `local` where they can't be.
   */
  flushSoon(): Promise<void>;
  close(state: JournalState): void;
}

/** The last part of a file's name: open is running, interrupted or with an unknown outcome; the others tell how many changes there are. */
export type JournalState = "open" | "one" | "many";

function createJournalFile({ folder, site, profile, argv, undoes, now, startInterval }: JournalOptions): JournalFile {
  const journalFolder = getJournalFolder(folder);
  mkdirSync(journalFolder, { recursive: true, mode: 0o700 });
  const began = now();
  const started = new Date(began).toISOString();
  const { operation, path, descriptor } = openNewFile(journalFolder, formatSecond(began));
  const owner = createOwnerName();
  const command = formatCommandLine(argv);
  const header: JournalHeader = { version: 1, operation, site, profile, command, started, owner, ...(undoes && { undoes }) };
  let failure: unknown;
  let isSynced = true;
  let waiting: JournalLine[] = [];
  let nextFlush: Promise<void> | undefined;
  const append = (lines: readonly JournalLine[]) => {
    writeFileSync(descriptor, lines.map((line) => `${stringifyExact(line)}\n`).join(""));
    isSynced = false;
  };
  const flush = () => {
    const lines = waiting;
    waiting = [];
    try {
      if (failure === undefined && lines.length > 0) append(lines);
    } catch (error) {
      failure = error;
    }
  };
  const stop = startInterval(syncIntervalMs, () => {
    flush();
    if (isSynced) return;
    isSynced = true;
    fsync(descriptor, (error) => {
      failure ??= error ?? undefined;
    });
  });
  try {
    append([header]);
  } catch (error) {
    stop();
    closeSync(descriptor);
    rmSync(path);
    throw error;
  }
  return {
    header,
    flush,
    write: (lines) => {
      waiting.push(...lines);
    },
    flushSoon: async () => {
      nextFlush ??= new Promise((resolve) => {
        setImmediate(() => {
          nextFlush = undefined;
          flush();
          resolve();
        });
      });
      await nextFlush;
      if (failure !== undefined)
        throw createJournalError(`the journal can't be written any more: ${messageOf(failure)}; nothing more is sent`, failure);
    },
    close: (state) => {
      stop();
      flush();
      try {
        fsyncSync(descriptor);
        closeSync(descriptor);
        if (failure === undefined && state !== "open") renameSync(path, join(journalFolder, `${operation}.${state}.ndjson`));
      } catch {
        // The lines are written; the file counts as interrupted, and `log show` reads the records.
      }
    },
  };
}

/** The second in which an operation began, as names of journals begin: `20270115-120000`, in UTC. Their order is that of the times. */
export function formatSecond(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}

/** A file with the next free number of this second. Another process can take the same number at the same time: then the next one is tried. */
function openNewFile(folder: string, second: string) {
  const findNumbers = () =>
    readdirSync(folder).flatMap((name) => (name.startsWith(`${second}-`) ? Number.parseInt(name.slice(second.length + 1), 10) : []));
  for (let number = findNumbers().reduce((last, one) => Math.max(last, one), 0) + 1; ; number++) {
    const operation = `${second}-${String(number).padStart(3, "0")}`;
    const path = join(folder, `${operation}.open.ndjson`);
    try {
      const descriptor = openSync(path, "ax", 0o600);
      // A process that took this number has given its file the final name since the folder was read.
      if (findNumbers().filter((one) => one === number).length === 1) return { operation, path, descriptor };
      closeSync(descriptor);
      rmSync(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** A journal can't be written: nothing is sent without it. */
function createJournalError(message: string, cause: unknown): CalError {
  return new CalError("local", message, {
    code: "journal",
    cause,
    hint: [
      { text: "use another folder", command: "CAL_STATE_DIR=<folder> cal ..." },
      { text: "or write without a journal, so that nothing can be undone", command: "CAL_JOURNAL=0 cal ..." },
    ],
  });
}

/** Longer words are cut: the values are in the changes. */
const maxWordLength = 200;

/** The command line for people. Addresses are masked. */
function formatCommandLine(argv: readonly string[]): string {
  return ["cal", ...argv].map((word) => shellQuote(shorten(maskAddresses(word)))).join(" ");
}

function shorten(word: string): string {
  return word.length > maxWordLength ? `${word.slice(0, maxWordLength)}...` : word;
}

/** The text with each address as its origin and 8 hex digits of the hash of the rest: addresses of feeds are often secret. */
export function maskAddresses(text: string): string {
  return text.replace(
    /\b([a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]+)([^\s]*)/gi,
    (_all, scheme: string, host: string, rest: string) =>
      rest.length > 1 ? `${scheme}${host}/...${hashText(rest).slice(0, 8)}` : `${scheme}${host}${rest}`,
  );
}
