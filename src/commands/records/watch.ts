// `cal <resource> watch`: reads a list again and again, and tells what has changed, on stdout or to a program.
import { fetchRecord, type RecordSource } from "../../api/refs.ts";
import { createSiteId } from "../../changes/change.ts";
import type { Context, Flags } from "../../context.ts";
import { type DataRecord, idOf } from "../../data-record.ts";
import { formatDuration, parseFixedDuration } from "../../dates/duration.ts";
import { CalError } from "../../errors.ts";
import { stringifyExact } from "../../http/json.ts";
import { withRunLock } from "../../lock.ts";
import type { Resource } from "../../model/resource.ts";
import { sanitizeLine } from "../../text.ts";
import type { Handler } from "../command.ts";
import { createRecordCommand, openSite, type Problems, type RecordCommand, tryParseFlag } from "./command.ts";
import { list, openList } from "./list.ts";
import { compareWithSnapshot, getSnapshotPath, type Missing, readSnapshot, type SiteChange, writeSnapshot } from "./snapshot.ts";

const defaultIntervalMs = 300_000;
const minIntervalMs = 30_000;
/** The longest pause between two rounds that fail. */
const maxPauseMs = 3_600_000;
/** Changes that nobody has taken, at most. */
const maxPending = 1000;
/** A program has so long for one change. */
const programTimeoutMs = 60_000;

/** The handler that watches a resource. Its flags are those of the list, and its own. */
export function watch(resource: Resource): Handler {
  return async (invocation, context) => {
    const { interval, once, exec, name, ...filters } = invocation.flags;
    const problems: Problems = [...invocation.problems, ...validateOutput(context)];
    const pause =
      interval === undefined ? defaultIntervalMs : tryParseFlag("interval", problems, () => parseFixedDuration(String(interval)));
    if (pause !== undefined && pause < minIntervalMs) problems.push("--interval: the shortest is 30s");
    const listing = { args: [], flags: { ...filters, all: true }, problems };
    await openList(resource, "watch", listing, context);
    const command = await createRecordCommand(resource, "watch", listing, context, problems);
    const site = await openSite(command);
    const path = getSnapshotPath(context.folders.state, resource, describeScope(command, filters, name));
    const stopped = new AbortController();
    const { signal } = stopped;
    const release = context.machine.onSignal(() => {
      release();
      stopped.abort();
    });
    const round: Round = { command, site, path, signal, deliver: createDelivery(context, exec, stopped) };
    const { clock, machine } = context;
    const lock = { sleep: (ms: number) => clock.sleep(ms), atSignal: machine.atSignal };
    try {
      await withRunLock(`${path}.lock`, "another watch with these filters (--name gives this one its own snapshot)", lock, async () => {
        if (once !== true) return runRounds(context, pause ?? defaultIntervalMs, signal, () => runRound(round));
        const pending = await runRound(round);
        if (pending > 0 && exec !== undefined)
          throw new CalError(
            "mixed",
            `${pending} ${pending === 1 ? "change was" : "changes were"} not taken; the next call tells them again`,
            {
              code: "pending",
            },
          );
      });
    } finally {
      release();
    }
    return { kind: "nothing" };
  };
}

/** A change is a line: JSON, or for people. */
function validateOutput({ globals }: Context): readonly string[] {
  const { format } = globals;
  const isKnown = format === undefined || ["ndjson", "json", "table"].includes(String(format));
  return [
    ...(isKnown ? [] : [`--format: changes are printed as ndjson, or as table: a line a change; not as ${format}`]),
    ...["fields", "field"].filter((name) => globals[name] !== undefined).map((name) => `--${name}: a change is printed as a whole`),
  ];
}

/** What a snapshot belongs to: the site, the login and the filters; `--name` for several with the same. */
function describeScope({ context, settings }: RecordCommand, filters: Flags, name: unknown): readonly unknown[] {
  const { profile, username, auth_method } = settings;
  const hasToken = ["CAL_TOKEN", "CAL_TOKEN_FILE"].some((variable) => context.env[variable] !== undefined);
  const sorted = Object.entries(filters).sort(([left], [right]) => (left < right ? -1 : 1));
  return [createSiteId(settings), profile.value, username?.value ?? "", auth_method?.value ?? "", hasToken, sorted, name ?? ""];
}

/** Until a signal. A round that fails because the site is away is tried again, after a pause that grows. */
async function runRounds(context: Context, interval: number, signal: AbortSignal, run: () => Promise<number>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await run();
      if (failures > 0 && !signal.aborted) await context.notice("the site answers again");
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CalError) || !isAway(error)) throw error;
      failures += 1;
      if (failures === 1) await context.warn(`${error.message}; trying again in ${formatDuration(getPause(interval, failures))}`);
    }
    await context.clock.sleep(getPause(interval, failures), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

const getPause = (interval: number, failures: number) => Math.max(interval, Math.min(interval * 2 ** failures, maxPauseMs));

/** A server or a proxy that is down answers all kinds of things, or nothing. */
function isAway({ kind, details }: CalError): boolean {
  return kind === "unavailable" || (kind === "local" && details.status !== undefined);
}

interface Round {
  /** Its flags are those of the list. */
  readonly command: RecordCommand;
  readonly site: RecordSource;
  readonly path: string;
  readonly signal: AbortSignal;
  readonly deliver: Delivery;
}

/**
 * Reads the list, tells what has changed since the snapshot, and replaces the snapshot. Resolves with the number of changes that were not
 * taken. After a signal while it reads nothing is told, and the snapshot stays as it is.
 */
async function runRound({ command, site, path, signal, deliver }: Round): Promise<number> {
  const { context, resource, serverProfile: profile } = command;
  const now = context.clock.now();
  const before = await readSnapshot(path);
  const read = await stopAt(signal, readRecords(command, site, [...(before?.records.keys() ?? [])]));
  if (read === undefined) return 0;
  const { changes, ...known } = compareWithSnapshot(before, read.listed, read.missing, { resource, profile, now });
  const pending = await deliver([...(before?.pending ?? []), ...changes]);
  if (pending.length > maxPending)
    throw new CalError("mixed", `more than ${maxPending} changes were not taken; the snapshot stays as it was`, {
      code: "too-many-pending",
      hint: "when the program works again, all changes since that snapshot are told",
    });
  writeSnapshot(path, { taken: now, ...known, pending });
  if (before === undefined)
    await context.notice(`${known.records.size} ${resource.name} are known now; the next round tells what has changed`);
  return pending.length;
}

/** The whole list, and what became of the records that it does not have any more. */
async function readRecords(command: RecordCommand, site: RecordSource, ids: readonly string[]) {
  const listed = await readList(command);
  const listedIds = new Set(listed.map(idOf));
  const missing = new Map<string, Missing>();
  for (const id of ids) if (!listedIds.has(id)) missing.set(id, await readMissing(site, command.resource, id));
  // What is still there may have moved from one page to another while they were read, and who may not read it any more may have lost the login.
  const isStillThere = [...missing.values()].some((found) => found !== "gone");
  const again = isStillThere ? await readList(command) : [];
  return { listed: [...listed, ...again.filter((record) => missing.has(idOf(record) ?? ""))], missing };
}

async function readMissing(site: RecordSource, resource: Resource, id: string): Promise<Missing> {
  try {
    return await fetchRecord(site, resource, { by: "id", id });
  } catch (error) {
    const { kind, details } = error instanceof CalError ? error : { kind: undefined, details: { status: undefined } };
    if (kind === "not-found" && (details.status === 404 || details.status === 410)) return "gone";
    if (kind === "forbidden" || kind === "unauthenticated") return "hidden";
    throw error;
  }
}

/** The result of the work; undefined after the signal, also where the work has not ended. */
async function stopAt<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The whole list, without its notes, which each round would repeat. */
async function readList({ context, resource, invocation }: RecordCommand): Promise<readonly DataRecord[]> {
  const report = await list(resource, "watch")(invocation, { ...context, notice: async () => undefined });
  if (report.kind !== "list") throw new Error("a list was expected");
  const records: DataRecord[] = [];
  for await (const batch of Symbol.asyncIterator in report.records ? report.records : [report.records]) records.push(...batch);
  return records;
}

// Telling the changes.

/** Tells the changes in their order; resolves with those that were not taken. After one of a record fails, its later ones wait too. */
type Delivery = (changes: readonly SiteChange[]) => Promise<readonly SiteChange[]>;

function createDelivery(context: Context, program: unknown, stopped: AbortController): Delivery {
  const take = program === undefined ? createPrinter(context, stopped) : createRunner(context, String(program));
  return async (changes) => {
    const failed: SiteChange[] = [];
    const waiting = new Set<string>();
    for (const change of changes) {
      if (!stopped.signal.aborted && !waiting.has(change.id) && (await take(change))) continue;
      failed.push(change);
      waiting.add(change.id);
      if (failed.length > maxPending) break;
    }
    return failed;
  };
}

/** A line a change: JSON, or on a terminal for people. Where nobody reads any more, the command ends. */
function createPrinter({ io: { stdout }, globals }: Context, stopped: AbortController) {
  const isForPeople = globals["format"] === "table" || (stdout.isTTY && globals["json"] !== true && globals["format"] === undefined);
  return async (change: SiteChange): Promise<boolean> => {
    await stdout.write(`${isForPeople ? sanitizeLine(formatChange(change)) : stringifyExact(change)}\n`);
    if (stdout.closed) stopped.abort();
    return !stdout.closed;
  };
}

/** `updated events 12 "Jazz Night": title: "Jazz" -> "Jazz Night"`. */
function formatChange({ change, resource, id, title, fields = [] }: SiteChange): string {
  const values = fields.map(({ name, from, to }) => `${name}: ${stringifyExact(from)} -> ${stringifyExact(to)}`).join("; ");
  return `${change} ${resource} ${id} ${JSON.stringify(title)}${values === "" ? "" : `: ${values}`}`;
}

/** Starts the program for a change. A program that can't be started ends the command. */
function createRunner(context: Context, program: string) {
  return async (change: SiteChange): Promise<boolean> => {
    const timeout = new AbortController();
    const ended = new AbortController();
    context.clock.sleep(programTimeoutMs, ended.signal).then(
      () => timeout.abort(),
      () => undefined,
    );
    try {
      const end = await context.machine.runProgram(program, `${stringifyExact(change)}\n`, timeout.signal);
      if (end.kind === "exit" && end.code === 0) return true;
      const why = end.kind === "killed" ? `took longer than ${programTimeoutMs / 1000} s` : `ended with ${end.code}`;
      await context.warn(`${program} ${why}: ${formatChange({ ...change, fields: [] })}`);
      return false;
    } finally {
      ended.abort();
    }
  };
}
