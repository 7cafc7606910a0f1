// One ref or many: the shape of the answer that belongs to each, and its exit code.
import type { DataRecord } from "../../api/record.ts";
import type { Context } from "../../context.ts";
import { CalError, exitCodes } from "../../errors.ts";
import { PlannedRequest } from "../../http/guard.ts";
import { toPlanEntry } from "../../output/planned.ts";
import type { Outcome, PlanEntry, PlanReport, Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { Invocation } from "../command.ts";
import { fieldNames } from "./known.ts";
import { runConcurrently } from "./outcomes.ts";
import type { RefArgument, Refs } from "./refs.ts";

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
export interface ManyOptions {
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
  work: (ref: RefArgument) => Promise<DataRecord>,
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
    const outcomes = runConcurrently(refs, options.concurrency, tolerant);
    return createOutcomesReport(
      resource,
      options.progress.trackItems(resource.name, outcomes, ({ length }) => [length, refs.length]),
    );
  }
  const [ref] = refs;
  const record = ref === undefined ? undefined : await tolerant(ref);
  return record === undefined
    ? { kind: "nothing" }
    : { kind: "record", columns: resource.columns, fieldNames: fieldNames(resource), record };
}

/** What --dry-run keeps from the wire for each ref, and which refs fail before that; a ref that needs no request has no row. */
async function planMany(
  refs: readonly RefArgument[],
  atOnce: number,
  work: (ref: RefArgument) => Promise<DataRecord | undefined>,
): Promise<PlanReport> {
  const plan = async (ref: RefArgument): Promise<PlanEntry | null | undefined> => {
    try {
      return (await work(ref)) === undefined ? undefined : null;
    } catch (error) {
      if (error instanceof PlannedRequest) return toPlanEntry(error.request);
      throw error;
    }
  };
  const { watched, exitCode } = trackExitCode(runConcurrently(refs, atOnce, plan));
  const requests: PlanReport["requests"][number][] = [];
  for await (const group of watched())
    for (const { ref, ok, record, error } of group) if (record !== null) requests.push(record ?? { ref, ok, ...(error && { error }) });
  return { kind: "plan", requests, many: true, exitCode };
}
