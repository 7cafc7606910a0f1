// What became of each record of a command, and the report of it: rows, exit code, and what an interruption left undone.
import type { DataRecord } from "../data-record.ts";
import { CalError, type ErrorKind, exitCodes, type Hint } from "../errors.ts";
import type { Outcome, OutcomesReport } from "../output/report.ts";
import { shellQuote } from "../text.ts";

/**
 * `unchanged`: nothing had to be sent. `stale`: the record was changed by somebody else. `unknown`: a write was sent and its answer did not
 * come. `not-reached`: no write was sent, because the command was interrupted or another record failed first.
 */
export type ResultStatus = "done" | "unchanged" | "failed" | "stale" | "unknown" | "not-reached";

/** The result of one change. All but `done` and `unchanged` have an error. */
export interface Result<T = DataRecord> {
  /** `key` names the record: a ref as it was typed. */
  readonly change: { readonly key: string };
  readonly status: ResultStatus;
  readonly record?: T;
  readonly error?: CalError;
}

/** How a signal ends a command. */
export type InterruptionKind = Extract<ErrorKind, "interrupted" | "terminated">;

/** The result of a change whose write has no answer, or was not sent, because of a signal. */
export function createInterruptedResult<T>(change: Result["change"], status: "unknown" | "not-reached", kind: InterruptionKind): Result<T> {
  return { change, status, error: createInterruptionError(kind, status) };
}

/** The error of such a result. */
export function createInterruptionError(kind: InterruptionKind, status: "unknown" | "not-reached"): CalError {
  return status === "unknown"
    ? new CalError(kind, "outcome unknown: interrupted before the answer came", { code: "outcome-unknown" })
    : new CalError(kind, "not tried: interrupted", { code: "not-tried" });
}

/** These results as a step of the progress. */
export function measureStep(results: readonly Result<unknown>[], total: number) {
  return [results.length, total, results.filter(({ error }) => error !== undefined).length] as const;
}

export interface ResultsReportOptions extends Pick<OutcomesReport, "columns" | "fieldNames"> {
  /** The changes that there are, those without a result included. */
  readonly total: number;
  /** What is done with a record: `updated`. Absent where records are only read. */
  readonly done?: string;
  /** What a change of a plan is about; then each row also has its status. */
  readonly describe?: (key: string) => Outcome["change"] | undefined;
  /** The command that shows these records. */
  readonly showCommand?: (keys: readonly string[]) => string;
  /** The same command again does what is left. */
  readonly isRepeatable?: true;
}

/** The report of the results, which may still be coming, in batches. */
export function createResultsReport<T extends DataRecord>(
  results: AsyncIterable<readonly Result<T>[]>,
  options: ResultsReportOptions,
): OutcomesReport {
  const { columns, fieldNames, total, done, describe } = options;
  const tracked = trackResults(results, total);
  return {
    kind: "outcomes",
    columns,
    fieldNames,
    outcomes: toOutcomes(tracked.results, describe),
    exitCode: tracked.exitCode,
    ...(done !== undefined && { isWrite: true, interruption: () => tracked.interruption(done, options) }),
  };
}

async function* toOutcomes<T>(
  results: AsyncIterable<readonly Result<T>[]>,
  describe: ResultsReportOptions["describe"],
): AsyncGenerator<readonly Outcome<T>[]> {
  for await (const group of results) yield group.map((result) => toOutcome(result, describe));
}

/** A result as a row of the output. */
function toOutcome<T>({ change, status, record, error }: Result<T>, describe: ResultsReportOptions["describe"]): Outcome<T> {
  const ok = status === "done" || status === "unchanged";
  const about = describe?.(change.key);
  return {
    ref: change.key,
    ok,
    ...(record !== undefined && { record }),
    ...(error && { error }),
    ...(about && { change: { name: about.name, details: { ...about.details, status } } }),
  };
}

/** The same results. What the functions return is about those read so far. */
export function trackResults<T>(results: AsyncIterable<readonly Result<T>[]>, total: number) {
  const codes = new Set<number>();
  const counts: Record<ResultStatus, number> = { done: 0, unchanged: 0, failed: 0, stale: 0, unknown: 0, "not-reached": 0 };
  const keys: Record<"unknown" | "not-reached", string[]> = { unknown: [], "not-reached": [] };
  let kind: InterruptionKind | undefined;
  const track = ({ change, status, error }: Result<T>) => {
    counts[status] += 1;
    codes.add(error?.exitCode ?? 0);
    if (status === "unknown" || status === "not-reached") keys[status].push(change.key);
    if (error?.kind === "interrupted" || error?.kind === "terminated") kind = error.kind;
  };
  return {
    results: (async function* () {
      for await (const group of results) {
        for (const result of group) track(result);
        yield group;
      }
    })(),
    /** 0, the code that all have failed with, or 8; that of the signal after an interruption. */
    exitCode: (): number => {
      if (kind !== undefined) return exitCodes[kind];
      const [first = 0] = codes;
      return codes.size > 1 ? exitCodes.mixed : first;
    },
    /** What an interruption left undone: the outcomes that are unknown, what was not tried, and the counts. Undefined where nothing is. */
    interruption: (
      done: string,
      { showCommand, isRepeatable }: Pick<ResultsReportOptions, "showCommand" | "isRepeatable">,
    ): CalError | undefined => {
      if (kind === undefined) return undefined;
      const lines = [
        ...formatKeys("outcome unknown", keys.unknown),
        ...(isRepeatable === true ? [] : formatKeys("not tried", keys["not-reached"])),
        `interrupted: ${formatCounts(counts, total, done)}`,
      ];
      const hasUnknown = showCommand !== undefined && keys.unknown.length > 0;
      const hint: readonly Hint[] = [
        ...(hasUnknown ? [{ text: "see what has an unknown outcome", command: showCommand(keys.unknown) }] : []),
        ...(isRepeatable === true ? [{ text: "to go on", flags: "" }] : []),
      ];
      return new CalError(kind, lines.join("\n"), hint.length === 0 ? {} : { hint });
    },
  };
}

function formatKeys(label: string, keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`${label}: ${keys.map(shellQuote).join(" ")}`];
}

/** `15 of 60 updated, 1 failed, 44 not tried`. */
function formatCounts(counts: Readonly<Record<ResultStatus, number>>, total: number, done: string): string {
  const missing = total - Object.values(counts).reduce((sum, count) => sum + count, 0);
  const others: readonly (readonly [count: number, text: string])[] = [
    [counts.unchanged, "unchanged"],
    [missing, "not found"],
    [counts.failed + counts.stale, "failed"],
    [counts.unknown, "with an unknown outcome"],
    [counts["not-reached"], "not tried"],
  ];
  const parts = others.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return [`${counts.done} of ${total} ${done}`, ...parts].join(", ");
}
