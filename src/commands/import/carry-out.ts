// What commands share that plan rows against a site: which rows can't be written, the plan, and carrying it out with the ledger.
import type { RecordSource } from "../../api/refs.ts";
import { findDifferences, toWritableRecord } from "../../api/update.ts";
import type { Change, Plan } from "../../changes/change.ts";
import type { OpenLedger } from "../../changes/ledger.ts";
import type { Result } from "../../changes/result.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError, exitCodes, formatProblem } from "../../errors.ts";
import type { OutcomesReport } from "../../output/report.ts";
import { runPlan } from "../plan.ts";
import { createEntry, type PlannedImport } from "./plan-import.ts";
import type { ImportRow } from "./rows.ts";

/** A row that can't be written. */
export interface Failure {
  readonly row: ImportRow;
  readonly error: CalError;
}

export function listFailures(rows: readonly ImportRow[], { conflicts }: PlannedImport): readonly Failure[] {
  const refused = rows.flatMap((row) => {
    const { problems, place } = row;
    if (problems.length === 0) return [];
    const messages = problems.map((problem) => formatProblem(problem));
    return [{ row, error: new CalError("usage", `${place}: ${messages.join("; ")}`, { code: "invalid-row" }) }];
  });
  const inConflict = conflicts.map(({ row, message }) => ({
    row,
    error: new CalError("rejected", `${row.place}: ${message}`, { code: "conflict", hint: "--on-conflict source or site decides" }),
  }));
  return [...refused, ...inConflict];
}

export function createPlan(site: string, rows: readonly ImportRow[], { changes, unchanged, conflicts }: PlannedImport): Plan {
  const skipped = rows.flatMap(({ place, problems }) =>
    problems.length === 0 ? [] : [{ key: place, reason: problems.map((problem) => formatProblem(problem)).join("; ") }],
  );
  return {
    version: 1,
    site,
    changes,
    unchanged,
    skipped,
    conflicts: conflicts.map(({ row: _row, message: _message, ...conflict }) => conflict),
  };
}

/** 0; 2 where no row is good, 6 where all are conflicts, else 8. */
export function getPlanCode(failures: readonly Failure[], total: number): number {
  if (failures.length === 0) return 0;
  if (failures.length < total) return exitCodes.mixed;
  const kinds = new Set(failures.map(({ error }) => error.exitCode));
  return kinds.size === 1 ? (failures[0]?.error.exitCode ?? 0) : exitCodes.mixed;
}

export function refusedError(failures: readonly Failure[], total: number): CalError {
  const isUsage = failures.some(({ error }) => error.kind === "usage");
  const count = `${failures.length} of ${total} rows can't be written; nothing was sent`;
  return new CalError(isUsage ? "usage" : "rejected", count, { code: "rows-refused" });
}

// Carrying it out.

interface Run {
  readonly context: Context;
  readonly settings: Settings;
  readonly site: RecordSource;
  readonly planned: PlannedImport;
  readonly failures: readonly Failure[];
  /** It is closed when everything is carried out. */
  readonly open: OpenLedger | undefined;
  /** Called with the places of the rows that failed, before the counts are said. */
  readonly saveRejects?: (failed: ReadonlySet<string>) => Promise<void>;
}

/** Carries out the plan of the rows, and notes in the ledger what was written. */
export async function carryOut(plan: Plan, run: Run): Promise<OutcomesReport> {
  const { context, settings, site } = run;
  const { planned, failures, open } = run;
  const pending = new Set<string>();
  const report = await runPlan(context, plan, {
    site,
    settings,
    mayBeDone: false,
    beforeWrite: ({ op, key }: Change) => {
      if (op !== "create" || !planned.rowChanges.has(key)) return;
      open?.ledger.put({ key, pending: true });
      pending.add(key);
    },
    follow: {
      more: failures.length,
      results: (results) => followResults(results, { ...run, pending }),
      describe: (place) => {
        const row = failures.find((one) => one.row.place === place)?.row;
        return row && { name: formatRow(row), details: { resource: row.resource.name, key: row.key } };
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
  } satisfies OutcomesReport;
}

/** Notes each result in the ledger, and adds the rows that were not tried. The ledger is closed after the last one. */
async function* followResults(
  results: AsyncIterable<readonly Result[]>,
  { context, site, planned, failures, open, saveRejects, pending }: Run & { readonly pending: ReadonlySet<string> },
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
    const { row, entry, desired } = rowChange;
    if (error !== undefined) {
      failed.add(row.place);
      if (status !== "unknown" && pending.has(key)) {
        if (entry === undefined) open?.ledger.remove(key);
      }
      return;
    }
    if (record === undefined) return;
    const { resource } = row;
    open?.ledger.put(createEntry(rowChange, record, toWritableRecord(resource, { record }, site.serverProfile)));
    const obsolete = planned.obsolete.get(key);
    if (obsolete !== undefined && obsolete !== key) open?.ledger.remove(obsolete);
    const sent = Object.fromEntries(Object.entries(desired).filter(([name]) => rowChange.agreed.includes(name)));
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

const formatRow = ({ resource: { singular, titleField }, fields }: ImportRow): string =>
  `${singular} ${JSON.stringify(fields[titleField] ?? "")}`;

const isLinkToNew = (value: unknown): boolean => [value].flat().some((one) => typeof one === "object");
