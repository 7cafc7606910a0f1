// `cal <resource> watch`: reads a list again and again, and tells what has changed, on stdout or to a program.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fetchRecord } from "../../api/refs.ts";
import { createSiteId } from "../../changes/change.ts";
import type { Context, Flags } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { formatDuration, parseFixedDuration } from "../../dates/duration.ts";
import { CalError } from "../../errors.ts";
import { stringifyExact } from "../../http/json.ts";
import { withLock } from "../../lock.ts";
import type { Resource } from "../../model/resource.ts";
import { sanitizeLine } from "../../text.ts";
import type { Handler } from "../command.ts";
import { createRecordCommand, openSite, type RecordCommand, tryParseFlag } from "./command.ts";
import { list } from "./list.ts";
import { compareWithSnapshot, type Fate, getSnapshotPath, readSnapshot, type SiteChange, writeSnapshot } from "./snapshot.ts";

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
    const problems = [...invocation.problems];
    const pause = interval === undefined ? defaultIntervalMs : tryParseFlag("interval", problems, () => parseFixedDuration(String(interval)));
    if (pause !== undefined && pause < minIntervalMs) problems.push("--interval takes 30s or more");
    const command = await createRecordCommand(resource, "watch", { ...invocation, flags: filters }, context, problems);
    // Problems of the filters are reported together with these.
    const site = problems.length === 0 ? await openSite(command) : undefined;
    const path = getSnapshotPath(context.folders.state, resource, await describeScope(command, filters, name));
    const stopped = new AbortController();
    const release = context.machine.onSignal(() => {
      release();
      stopped.abort();
    });
    const round = { command, filters, path, deliver: createDelivery(context, exec, stopped), signal: stopped.signal, site };
    try {
      await withSnapshotLock(context, path, async () => {
        if (once === true) return assertTaken(await runRound(round, true));
        return runRounds(context, pause ?? defaultIntervalMs, stopped.signal, (isFirst) => runRound(round, isFirst));
      });
    } finally {
      release();
    }
    return { kind: "nothing" };
  };
}

/** What a snapshot belongs to: the site, the login and the filters; `--name` for several with the same. */
async function describeScope({ context, settings }: RecordCommand, filters: Flags, name: unknown): Promise<readonly unknown[]> {
  const { profile, username, auth_method } = settings;
  const hasToken = ["CAL_TOKEN", "CAL_TOKEN_FILE"].some((variable) => context.env[variable] !== undefined);
  const sorted = Object.entries(filters).sort(([left], [right]) => (left < right ? -1 : 1));
  const site = settings.base_url === undefined && !settings.sandbox.value ? "" : createSiteId(settings);
  return [site, profile.value, username?.value ?? "", auth_method?.value ?? "", hasToken, sorted, name ?? ""];
}

async function withSnapshotLock(context: Context, path: string, work: () => Promise<void>): Promise<void> {
  const { clock, machine } = context;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await withLock(`${path}.lock`, { sleep: (ms) => clock.sleep(ms), atSignal: machine.atSignal, timeout: 0 }, work);
  } catch (error) {
    if (!(error instanceof CalError) || error.details.code !== "locked") throw error;
    throw new CalError("unavailable", `another watch with these filters is running: ${error.message}`, {
      code: "locked",
      hint: "--name <name> keeps a snapshot of its own",
      cause: error,
    });
  }
}

/** Until a signal. A round that fails because the site is away is tried again, after a pause that grows. */
async function runRounds(context: Context, interval: number, signal: AbortSignal, run: (isFirst: boolean) => Promise<number>): Promise<void> {
  let failures = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      await run(isFirst);
      if (failures > 0) await context.notice("the site answers again");
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CalError) || !isAway(error)) throw error;
      failures += 1;
      const next = getPause(interval, failures);
      if (failures === 1) await context.warn(`${error.message}; trying again in ${formatDuration(next)}`);
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
  readonly command: RecordCommand;
  readonly filters: Flags;
  readonly path: string;
  readonly deliver: Delivery;
  readonly signal: AbortSignal;
  readonly site: Awaited<ReturnType<typeof openSite>> | undefined;
}

/**
 * Reads the list, tells what has changed since the snapshot, and replaces the snapshot. Resolves with the number of changes that were not
 * taken. After a signal while it reads nothing is told.
 */
async function runRound({ command, filters, path, deliver, signal, site }: Round, isFirst: boolean): Promise<number> {
  const { context, resource, serverProfile } = command;
  const now = context.clock.now();
  const before = await readSnapshot(path);
  const listed = await stopAt(signal, readList(command, filters, isFirst));
  if (listed === undefined || site === undefined) return 0;
  const findFate = async (id: string): Promise<Fate> => {
    try {
      return { kind: "there", record: await fetchRecord(site, resource, { by: "id", id }) };
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      if (error.kind === "not-found" && (error.details.status === 404 || error.details.status === 410)) return { kind: "gone" };
      if (error.kind !== "forbidden") throw error;
      await context.warn(`${resource.singular} ${id} is not in the list any more, and can't be read: ${error.message}`);
      return { kind: "unknown" };
    }
  };
  const compared = await stopAt(signal, compareWithSnapshot(before, listed, { resource, profile: serverProfile, now, findFate }));
  if (compared === undefined) return 0;
  const { changes, ...known } = compared;
  const pending = await deliver([...(before?.pending ?? []), ...changes]);
  if (pending.length > maxPending)
    throw new CalError("mixed", `more than ${maxPending} changes were not taken; the snapshot stays as it was`, {
      code: "too-many-pending",
      hint: "when the program works again, all of them are told again",
    });
  writeSnapshot(path, { taken: now, ...known, pending });
  if (before === undefined)
    await context.notice(`${known.records.size} ${resource.name} are known now; the next round tells what has changed`);
  return pending.length;
}

/** Of a single round: it has failed where a program has not taken each change. */
function assertTaken(pending: number): void {
  if (pending > 0) throw new CalError("mixed", `${pending} changes were not taken; the next call tells them again`, { code: "pending" });
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

/** The whole list. What it has to say is said once. */
async function readList({ context, resource, problems }: RecordCommand, filters: Flags, isFirst: boolean): Promise<readonly DataRecord[]> {
  const silent = { ...context, notice: async () => undefined, ...(!isFirst && { warn: async () => undefined }) };
  const report = await list(resource, "watch")({ args: [], flags: { ...filters, all: true }, problems }, silent);
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
      if (failed.length > maxPending) break;
      if (!stopped.signal.aborted && !waiting.has(change.id) && (await take(change))) continue;
      failed.push(change);
      waiting.add(change.id);
    }
    return failed;
  };
}

/** A line a change: JSON, or on a terminal for people. Where nobody reads any more, the command ends. */
function createPrinter({ io: { stdout }, globals }: Context, stopped: AbortController) {
  const isForPeople = stdout.isTTY && globals["json"] !== true && globals["format"] === undefined;
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
    const waited = new AbortController();
    context.clock.sleep(programTimeoutMs, waited.signal).then(
      () => timeout.abort(),
      () => undefined,
    );
    try {
      const end = await context.machine.runProgram(program, `${stringifyExact(change)}\n`, timeout.signal);
      if (end.kind === "exit" && end.code === 0) return true;
      const why = end.kind === "killed" ? `took longer than ${programTimeoutMs / 1000} s` : `ended with ${end.code}`;
      await context.warn(`${program} ${why}: ${formatChange(change)}`);
      return false;
    } finally {
      waited.abort();
    }
  };
}
