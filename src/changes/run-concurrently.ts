// The work on many records, several at the same time: results in the order of the changes, and an end in good order after a signal.
import type { RecordSource } from "../api/refs.ts";
import { CalError } from "../errors.ts";
import { NetworkError } from "../http/transport.ts";
import type { Interruption } from "./interruption.ts";
import { createInterruptedResult, createInterruptionError, type InterruptionKind, type Result, type ResultStatus } from "./result.ts";

/** Results that may wait for an earlier one, for each change in progress. After a reader stops, not much more should be done. */
const bufferFactor = 4;

/** Results in one group at most. */
const maxGroupSize = 200;

/** Milliseconds in which the results of a group are gathered at most. To print a group costs hardly more than to print one result. */
const gatherMs = 5;

/** What is known about one change in progress. */
export interface Attempt {
  /** Set before its first write is sent. Without an answer its outcome is unknown from then on. */
  isSent: boolean;
}

/** The work on one change. Undefined: the change has no result, it is passed over. */
type Work<C, T> = (change: C, attempt: Attempt) => Promise<Pick<Result<T>, "status" | "record"> | undefined>;

/** Listens for signals; calls `giveUp` when the work in progress is not waited for any longer. */
type Listen = (giveUp: (kind: InterruptionKind) => void) => Interruption;

interface PendingResult<T> {
  readonly result: Promise<Result<T> | undefined>;
  giveUp(kind: InterruptionKind): void;
  isSettled: boolean;
}

/**
 * Does the work for each change, at most `concurrency` at the same time, and yields the results in the order of the changes, in groups.
 * After a signal nothing more is begun: first come the results that are known, then the unknown ones, then the changes that were not tried.
 */
export async function* runConcurrently<C extends { readonly key: string }, T>(
  changes: readonly C[],
  concurrency: number,
  work: Work<C, T>,
  listen?: Listen,
): AsyncGenerator<readonly Result<T>[], void> {
  const pending: PendingResult<T>[] = [];
  let next = 0;
  let active = 0;
  let fatal: CalError | undefined;
  const interruption = listen?.((kind) => {
    for (const one of pending) one.giveUp(kind);
  });
  const begin = (change: C): PendingResult<T> => {
    active += 1;
    const attempt: Attempt = { isSent: false };
    let giveUp: PendingResult<T>["giveUp"] = () => undefined;
    const result = new Promise<Result<T> | undefined>((resolve, reject) => {
      giveUp = (kind) => resolve(createInterruptedResult(change, attempt.isSent ? "unknown" : "not-reached", kind));
      runForResult(change, attempt, fatal, work).then(resolve, reject);
    });
    const one: PendingResult<T> = { result, giveUp, isSettled: false };
    const end = (settled: Result<T> | undefined) => {
      const { error } = settled ?? {};
      // Without access or with a broken set-up the others would fail with the same error.
      if (error?.kind === "unauthenticated" || error?.kind === "local") fatal ??= error;
      one.isSettled = true;
      active -= 1;
      fill();
    };
    // An internal error of one ends the loop below. The rejections of the others must not end the process.
    result.then(end, () => end(undefined));
    return one;
  };
  /** Called where nothing more can be begun before results are printed. */
  let endGathering: () => void = () => undefined;
  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const fill = () => {
    while (interruption?.kind === undefined && active < concurrency) {
      if (pending.length >= concurrency * bufferFactor) return endGathering();
      const change = changes[next];
      if (change === undefined) return;
      next += 1;
      pending.push(begin(change));
    }
  };
  try {
    for (fill(); pending.length > 0; fill()) {
      const group: (Result<T> | undefined)[] = [];
      do {
        group.push(await pending[0]?.result);
        pending.shift();
        // Where only one change is in progress, no other result comes soon.
        if (group.length === 1 && active > 1) await gather();
      } while (pending[0]?.isSettled === true && group.length < maxGroupSize);
      if (interruption?.kind !== undefined) {
        group.push(...(await Promise.all(pending.map(({ result }) => result))));
        pending.length = 0;
        group.sort((left, right) => rank(left) - rank(right));
      }
      const results = group.filter((result) => result !== undefined);
      if (results.length > 0) yield results;
    }
    const kind = interruption?.kind;
    const rest = kind === undefined ? [] : changes.slice(next).map((change) => createInterruptedResult<T>(change, "not-reached", kind));
    if (rest.length > 0) yield rest;
  } finally {
    next = changes.length;
    interruption?.release();
  }
}

/** The order of results after a signal. */
function rank(result: Result<unknown> | undefined): number {
  return ["unknown", "not-reached"].indexOf(result?.status ?? "done");
}

async function runForResult<C extends { readonly key: string }, T>(
  change: C,
  attempt: Attempt,
  fatal: CalError | undefined,
  work: Work<C, T>,
): Promise<Result<T> | undefined> {
  if (fatal !== undefined) return { change, status: "not-reached", error: fatal };
  try {
    const result = await work(change, attempt);
    return result && { change, ...result };
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    if (error.kind === "interrupted" || error.kind === "terminated") return { change, status: "not-reached", error };
    return { change, status: getFailedStatus(attempt, error), error };
  }
}

/** The same site. It notes in the attempt that a write is sent, and sends no first write after a signal. */
export function trackWrites(site: RecordSource, attempt: Attempt, interruptionKind: () => InterruptionKind | undefined): RecordSource {
  const write: RecordSource["client"]["write"] = async (request) => {
    const kind = attempt.isSent ? undefined : interruptionKind();
    if (kind !== undefined) throw createInterruptionError(kind, "not-reached");
    attempt.isSent = true;
    return site.client.write(request);
  };
  return { ...site, client: { ...site.client, write } };
}

function getFailedStatus({ isSent }: Attempt, error: CalError): ResultStatus {
  if (isSent && error instanceof NetworkError && error.sent) return "unknown";
  if (error.details.code === "stale") return "stale";
  return error.details.code === "not-tried" ? "not-reached" : "failed";
}
