// One ref or many: the shape of the answer that belongs to each, and its exit code.
import type { DataRecord } from "../../api/record.ts";
import type { Context } from "../../context.ts";
import { CalError, exitCodes } from "../../errors.ts";
import { PlannedRequest } from "../../http/guard.ts";
import { planned } from "../../output/planned.ts";
import type { Outcome, Planned, PlanReport, Report } from "../../output/report.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Progress } from "../../terminal/progress.ts";
import type { Invocation } from "../command.ts";
import { knownNames } from "./known.ts";
import { outcomesOf } from "./outcomes.ts";
import type { Refs, TypedRef } from "./refs.ts";

/** The report of many outcomes. Its exit code: 0, the code that all refs failed with, or 8. */
function outcomesReport(resource: Resource, outcomes: AsyncIterable<readonly Outcome[]>): Report {
  const { watched, exitCode } = watching(outcomes);
  return { kind: "outcomes", columns: resource.columns, known: knownNames(resource), outcomes: watched(), exitCode };
}

function watching<T>(outcomes: AsyncIterable<readonly Outcome<T>[]>) {
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
  readonly atOnce: number;
  readonly ignoreMissing: boolean;
  readonly dryRun: boolean;
  readonly progress: Progress;
}

/** What the flags and settings say about it. */
export async function manyOptions({ flags }: Invocation, { settings, globals, progress }: Context): Promise<ManyOptions> {
  const { concurrency } = await settings();
  return { atOnce: concurrency.value, ignoreMissing: flags["ignore-missing"] === true, dryRun: globals["dry-run"] === true, progress };
}

/** Runs the work for one ref or many and reports in the shape that belongs to it. `--ignore-missing` passes over what is not there. */
export async function reportRefs(
  resource: Resource,
  { refs, many }: Refs,
  options: ManyOptions,
  work: (ref: TypedRef) => Promise<DataRecord>,
): Promise<Report> {
  const tolerant = async (ref: TypedRef) => {
    try {
      return await work(ref);
    } catch (error) {
      if (options.ignoreMissing && error instanceof CalError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
  if (many && options.dryRun) return planMany(refs, options.atOnce, tolerant);
  if (many) {
    const outcomes = outcomesOf(refs, options.atOnce, tolerant);
    return outcomesReport(
      resource,
      options.progress.counted(resource.name, outcomes, ({ length }) => [length, refs.length]),
    );
  }
  const [ref] = refs;
  const record = ref === undefined ? undefined : await tolerant(ref);
  return record === undefined ? { kind: "nothing" } : { kind: "record", columns: resource.columns, known: knownNames(resource), record };
}

/** What --dry-run keeps from the wire for each ref, and which refs fail before that; a ref that needs no request has no row. */
async function planMany(
  refs: readonly TypedRef[],
  atOnce: number,
  work: (ref: TypedRef) => Promise<DataRecord | undefined>,
): Promise<PlanReport> {
  const plan = async (ref: TypedRef): Promise<Planned | null | undefined> => {
    try {
      return (await work(ref)) === undefined ? undefined : null;
    } catch (error) {
      if (error instanceof PlannedRequest) return planned(error.request);
      throw error;
    }
  };
  const { watched, exitCode } = watching(outcomesOf(refs, atOnce, plan));
  const requests: PlanReport["requests"][number][] = [];
  for await (const group of watched())
    for (const { ref, ok, record, error } of group) if (record !== null) requests.push(record ?? { ref, ok, ...(error && { error }) });
  return { kind: "plan", requests, many: true, exitCode };
}
