// One ref or many: the shape of the answer that belongs to each, and its exit code.
import type { Context } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, exitCodes } from "../../errors.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport, toPlanEntry } from "../../output/render.ts";
import type { Outcome, PlanEntry, PlanReport, Report } from "../../output/report.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { Invocation } from "../command.ts";
import { fieldNames, type RefArgument, type Refs } from "./refs.ts";

/** The report of many outcomes. Its exit code: 0, the code that all refs failed with, or 8. */
function createOutcomesReport(resource: Resource, outcomes: AsyncIterable<readonly Outcome[]>): Report {
  const { watched, exitCode } = trackExitCode(outcomes);
  return { kind: "outcomes", columns: resource.columns, fieldNames: fieldNames(resource), outcomes: watched(), exitCode };
}

function trackExitCode<T>(outcomes: AsyncIterable<readonly Outcome<T>[]>) {
  const codes = new Set<number>();
  const watched = async function* () {
    for await (const group of outcomes) {
      for (const { ok, error } of group) codes.add(ok ? 0 : error === undefined ? exitCodes.internal : error.exitCode);
      yield group;
    }
  };
  const exitCode = () => {
    const [first = 0] = codes;
    return codes.size > 1 ? exitCodes.mixed : first;
  };
  return { watched, exitCode };
}

/** How several refs are worked through. */
interface ManyOptions {
  /** Refs under way at most. */
  readonly concurrency: number;
  readonly ignoreMissing: boolean;
  readonly dryRun: boolean;
  readonly progress: Progress;
}

/** What the flags and settings say about it. */
export async function resolveManyOptions({ flags }: Invocation, { settings, globals, progress }: Context): Promise<ManyOptions> {
  const { concurrency } = await settings();
  return { concurrency: concurrency.value, ignoreMissing: flags["ignore-missing"] === true, dryRun: globals["dry-run"] === true, progress };
}

/** Runs the work for one ref or many and reports in the shape that belongs to it. `--ignore-missing` passes over what is not there. */
export async function reportRefs(
  resource: Resource,
  { refs, many }: Refs,
  options: ManyOptions,
  work: (ref: RefArgument) => Promise<DataRecord | PlannedRequest>,
): Promise<Report> {
  const tolerant = async (ref: RefArgument) => {
    try {
      return await work(ref);
    } catch (error) {
      if (options.ignoreMissing && error instanceof CalError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
  if (many && options.dryRun) return planMany(refs, options.concurrency, tolerant);
  if (many) {
    const outcomes = runConcurrently(refs, options.concurrency, async (ref) => {
      const result = await tolerant(ref);
      return result instanceof PlannedRequest ? undefined : result;
    });
    return createOutcomesReport(
      resource,
      options.progress.trackItems(resource.name, outcomes, ({ length }) => [length, refs.length]),
    );
  }
  const [ref] = refs;
  const record = ref === undefined ? undefined : await tolerant(ref);
  if (record instanceof PlannedRequest) return createPlanReport([record]);
  return record === undefined
    ? { kind: "nothing" }
    : { kind: "record", columns: resource.columns, fieldNames: fieldNames(resource), record };
}

/** What --dry-run keeps from the wire for each ref, and which refs fail before that; a ref that needs no request has no row. */
async function planMany(
  refs: readonly RefArgument[],
  atOnce: number,
  work: (ref: RefArgument) => Promise<DataRecord | PlannedRequest | undefined>,
): Promise<PlanReport> {
  const plan = async (ref: RefArgument): Promise<PlanEntry | null | undefined> => {
    const result = await work(ref);
    return result === undefined ? undefined : result instanceof PlannedRequest ? toPlanEntry(result) : null;
  };
  const { watched, exitCode } = trackExitCode(runConcurrently(refs, atOnce, plan));
  const requests: PlanReport["requests"][number][] = [];
  for await (const group of watched())
    for (const { ref, ok, record, error } of group) if (record !== null) requests.push(record ?? { ref, ok, ...(error && { error }) });
  return { kind: "plan", requests, many: true, exitCode };
}

// Many refs worked through, so many at once; what became of each, in the order given.

/** Outcomes that may wait for an earlier one, for each ref that is under way. A reader who stops should not find much more done. */
const bufferFactor = 4;

/** Outcomes in one group at most. */
const maxGroupSize = 200;

/** A ref that was begun, until its outcome has been yielded. */
interface PendingOutcome<T> {
  readonly outcome: Promise<Outcome<T> | undefined>;
  isSettled: boolean;
}

/** Does the work for each ref, so many at once, and yields the outcomes in the order of the refs: those that are there, in groups. */
export async function* runConcurrently<T>(
  refs: readonly RefArgument[],
  atOnce: number,
  work: (ref: RefArgument) => Promise<T | undefined>,
): AsyncGenerator<readonly Outcome<T>[]> {
  const begun: PendingOutcome<T>[] = [];
  let next = 0;
  let active = 0;
  let stopped: CalError | undefined;
  const begin = (ref: RefArgument): PendingOutcome<T> => {
    active += 1;
    const one: PendingOutcome<T> = {
      isSettled: false,
      outcome: runForOutcome(ref, stopped, work)
        .then((outcome) => {
          stopped ??= findFatalError(outcome);
          return outcome;
        })
        .finally(() => {
          one.isSettled = true;
          active -= 1;
          fill();
        }),
    };
    // A defect in one of them ends the loop below; those still under way must not end the process after it.
    one.outcome.catch(() => undefined);
    return one;
  };
  const fill = () => {
    for (let ref = refs[next]; ref !== undefined && active < atOnce && begun.length < atOnce * bufferFactor; ref = refs[++next])
      begun.push(begin(ref));
  };
  try {
    for (fill(); begun.length > 0; fill()) {
      const group: Outcome<T>[] = [];
      do {
        const outcome = await begun[0]?.outcome;
        begun.shift();
        if (outcome !== undefined) group.push(outcome);
      } while (begun[0]?.isSettled === true && group.length < maxGroupSize);
      if (group.length > 0) yield group;
    }
  } finally {
    next = refs.length;
  }
}

/** Without access or with a broken set-up the rest would fail alike, thousands of times. */
function findFatalError(outcome: Outcome<unknown> | undefined): CalError | undefined {
  const { error } = outcome ?? {};
  return error?.kind === "unauthenticated" || error?.kind === "local" ? error : undefined;
}

async function runForOutcome<T>(
  { text, ref }: RefArgument,
  stopped: CalError | undefined,
  work: (ref: RefArgument) => Promise<T | undefined>,
): Promise<Outcome<T> | undefined> {
  if (stopped !== undefined) return { ref: text, ok: false, error: stopped };
  try {
    const record = await work({ text, ref });
    return record === undefined ? undefined : { ref: text, ok: true, record };
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { ref: text, ok: false, error };
  }
}
