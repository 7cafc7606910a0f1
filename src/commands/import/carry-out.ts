// What commands do that write the rows of another place: an import, a copy. Failures, the whole plan, and the results in the ledger.
import type { RecordSource } from "../../api/refs.ts";
import { findDifferences, toWritableRecord } from "../../api/update.ts";
import { type Change, isLinkToNew, type Plan } from "../../changes/change.ts";
import type { ImageFolder } from "../../changes/image-file.ts";
import type { OpenLedger } from "../../changes/ledger.ts";
import type { Result } from "../../changes/result.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError, exitCodes, formatProblem } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import type { OutcomesReport, Report } from "../../output/report.ts";
import type { Invocation } from "../command.ts";
import { finishPlan, runPlan } from "../plan.ts";
import { createEntry, type PlannedImport } from "./plan-import.ts";
import type { ImportRow } from "./rows.ts";

/** A row that can't be written. */
export interface Failure {
  readonly resource: Resource;
  readonly row: ImportRow;
  readonly error: CalError;
}

/** The rows of a resource that can't be written: first those with problems, then those in conflict. */
export function listFailures(
  resource: Resource,
  rows: readonly ImportRow[],
  { conflicts }: Pick<PlannedImport, "conflicts">,
): readonly Failure[] {
  const refused = rows.flatMap((row) => {
    const { problems, place } = row;
    if (problems.length === 0) return [];
    const messages = problems.map((problem) => formatProblem(problem));
    return [{ resource, row, error: new CalError("usage", `${place}: ${messages.join("; ")}`, { code: "invalid-row" }) }];
  });
  const inConflict = conflicts.map(({ row, message, isOverlap }) => ({
    resource,
    row,
    error: new CalError("rejected", `${row.place}: ${message}`, {
      ...(isOverlap === true ? { code: "overlap" } : { code: "conflict", hint: "--on-conflict source or site decides" }),
    }),
  }));
  return [...refused, ...inConflict];
}

/** Says of each row why it can't be written, and once how conflicts are decided. */
export async function warnOfFailures({ warn, notice }: Pick<Context, "warn" | "notice">, failures: readonly Failure[]): Promise<void> {
  for (const { error } of failures) await warn(error.message);
  if (failures.some(({ error }) => error.details.code === "conflict"))
    await notice("--on-conflict source writes the values of the source, --on-conflict site keeps those of the site");
}

/** What can be saved in a file. */
export function createPlan(
  site: string,
  rows: readonly ImportRow[],
  { changes, unchanged, conflicts }: Pick<PlannedImport, "changes" | "unchanged" | "conflicts">,
): Plan {
  const skipped = rows.flatMap(({ place, problems }) =>
    problems.length === 0 ? [] : [{ key: place, reason: problems.map((problem) => formatProblem(problem)).join("; ") }],
  );
  return {
    version: 1,
    site,
    changes,
    unchanged,
    skipped,
    conflicts: conflicts.map(({ row: _row, message: _message, isOverlap: _isOverlap, ...conflict }) => conflict),
  };
}

/** 0; 2 where no row is good, 6 where all are conflicts, else 8. */
function getPlanCode(failures: readonly Failure[], total: number): number {
  if (failures.length === 0) return 0;
  if (failures.length < total) return exitCodes.mixed;
  const kinds = new Set(failures.map(({ error }) => error.exitCode));
  return kinds.size === 1 ? (failures[0]?.error.exitCode ?? 0) : exitCodes.mixed;
}

function refusedError(failures: readonly Failure[], total: number): CalError {
  const isUsage = failures.some(({ error }) => error.kind === "usage");
  const count = `${failures.length} of ${total} rows can't be written; nothing was sent`;
  return new CalError(isUsage ? "usage" : "rejected", count, { code: "rows-refused" });
}

/** A plan of rows that is ready to be carried out, and what its results are noted in. */
export interface RowsRun {
  readonly context: Context;
  readonly settings: Settings;
  readonly site: RecordSource;
  readonly plan: Plan;
  readonly planned: Pick<PlannedImport, "rowChanges" | "unchanged" | "entries" | "obsolete">;
  readonly failures: readonly Failure[];
  /** How many rows there are. */
  readonly total: number;
  /** Absent with --dry-run, and for a source that has no ledger. */
  readonly open: OpenLedger | undefined;
  readonly flags: Invocation["flags"];
  /** Where the files are that the plan uploads. */
  readonly images?: ImageFolder | undefined;
  readonly saveRejects?: (failed: ReadonlySet<string>) => Promise<void>;
}

/** Shows or saves the plan, or asks and carries it out. The ledger is closed after the last result. */
export async function carryOutRows(run: RowsRun): Promise<Report> {
  const { context, plan, planned, failures, total, open, flags, saveRejects } = run;
  const planCode = getPlanCode(failures, total);
  const isPreview = context.globals["dry-run"] === true;
  const isRefused = planCode === exitCodes.usage || (failures.length > 0 && flags["all-or-nothing"] === true);
  if (isRefused || isPreview) await saveRejects?.(new Set(failures.map(({ row }) => row.place)));
  if (isRefused) throw refusedError(failures, total);
  const report = await finishPlan({ flags }, context, plan, async () => {
    for (const entry of planned.entries) {
      open?.ledger.put(entry);
      const obsolete = planned.obsolete.get(entry.key);
      if (obsolete !== undefined && obsolete !== entry.key) open?.ledger.remove(obsolete);
    }
    return writeRows(run);
  });
  return isPreview ? ({ ...report, exitCode: () => planCode } as Report) : report;
}

async function writeRows(run: RowsRun): Promise<OutcomesReport> {
  const { context, settings, site, plan, planned, failures, open, images } = run;
  const pending = new Set<string>();
  const failedAt = new Map(failures.map((failure) => [failure.row.place, failure]));
  const report = await runPlan(context, plan, {
    site,
    settings,
    mayBeDone: false,
    images,
    // Without a ledger, a new record is found again by its name.
    isRepeatable: true,
    beforeWrite: ({ op, key }: Change) => {
      if (op !== "create" || !planned.rowChanges.has(key)) return;
      open?.ledger.put({ key, pending: true });
      pending.add(key);
    },
    follow: {
      more: failures.length,
      results: (results) => followResults(results, run, pending),
      describe: (place) => {
        const failure = failedAt.get(place);
        return (
          failure && {
            name: formatRow(failure.resource, failure.row),
            details: { resource: failure.resource.name, key: failure.row.key },
          }
        );
      },
    },
  });
  return {
    ...report,
    exitCode: () => {
      const code = report.exitCode();
      const isSignal = code === exitCodes.interrupted || code === exitCodes.terminated;
      return code !== 0 && !isSignal && plan.unchanged > 0 ? exitCodes.mixed : code;
    },
  };
}

/** Notes each result in the ledger, and adds the rows that were not tried. The ledger is closed after the last one. */
async function* followResults(
  results: AsyncIterable<readonly Result[]>,
  { context, site, planned, failures, open, saveRejects }: RowsRun,
  pending: ReadonlySet<string>,
): AsyncGenerator<readonly Result[]> {
  const failed = new Set(failures.map(({ row }) => row.place));
  let written = 0;
  const note = async ({ change: { key }, status, record, error }: Result) => {
    const rowChange = planned.rowChanges.get(key);
    if (status === "done") written += 1;
    if (rowChange === undefined) {
      const isDone = status === "done" || status === "unchanged";
      if (isDone && planned.obsolete.get(key) === key) open?.ledger.remove(key);
      return;
    }
    const { resource, row, entry } = rowChange;
    if (error !== undefined) {
      failed.add(row.place);
      if (status !== "unknown" && pending.has(key)) {
        if (entry === undefined) open?.ledger.remove(key);
      }
      return;
    }
    if (record === undefined) return;
    const { desired, agreed } = rowChange.values.read();
    open?.ledger.put(
      createEntry(resource, { ...rowChange, desired, agreed }, record, toWritableRecord(resource, { record }, site.serverProfile)),
    );
    const obsolete = planned.obsolete.get(key);
    if (obsolete !== undefined && obsolete !== key) open?.ledger.remove(obsolete);
    const sent = Object.fromEntries(Object.entries(desired).filter(([name]) => agreed.includes(name)));
    const differences = status === "done" ? findDifferences(resource, sent, record, site.serverProfile) : [];
    const names = differences.map(({ field }) => field).filter((name) => !isLinkToNew(sent[name]));
    if (names.length > 0) await context.warn(`${row.place}: the server stored another value: ${names.join(", ")}`);
  };
  try {
    for await (const group of results) {
      for (const result of group) await note(result);
      yield group;
    }
    if (failures.length > 0) yield failures.map(({ row, error }) => ({ change: { key: row.place }, status: "failed" as const, error }));
    await saveRejects?.(failed);
    const counts = [`${written} written`, `${planned.unchanged} unchanged`, ...(failed.size === 0 ? [] : [`${failed.size} failed`])];
    await context.notice(counts.join(", "));
  } finally {
    await open?.close();
  }
}

const formatRow = ({ singular, titleField }: Resource, row: ImportRow): string =>
  `${singular} ${JSON.stringify(row.read().fields[titleField] ?? "")}`;
