// What commands with a plan share: the preview, the question, and the report of carrying it out.

import type { RecordSource } from "../api/refs.ts";
import { createPlanWork, type FormerPrice } from "../changes/apply.ts";
import { type Change, createSiteId, formatCounts, type Limits, type Plan, sortChanges } from "../changes/change.ts";
import type { ImageFolder } from "../changes/image-file.ts";
import { type Interruption, listenForInterruption } from "../changes/interruption.ts";
import { writePlanFile } from "../changes/plan-file.ts";
import { createResultsReport, type InterruptionKind, type Result } from "../changes/result.ts";
import { runConcurrently, trackWrites } from "../changes/run-concurrently.ts";
import { openUploads } from "../changes/uploads.ts";
import type { Settings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, exitCodes, messageOf, usageError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Column } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { Outcome, OutcomesReport, Report } from "../output/report.ts";
import type { Handler, Invocation } from "./command.ts";
import { findInteractiveUserForWrite } from "./prompt-user.ts";
import { assertNoMerge } from "./records/merges.ts";

// The preview.

const planColumns: readonly Column[] = [
  { header: "OP", path: "op", kind: "text", priority: 1 },
  { header: "RECORD", path: "record", kind: "name", priority: 1 },
  { header: "CHANGES", path: "changes", kind: "text", priority: 2 },
  { header: "NEEDS", path: "needed", kind: "text", priority: 3 },
];

/** The report of a plan that is not carried out: a row a change; JSON and YAML are the whole plan. */
export async function reportPlan({ notice }: Pick<Context, "notice">, plan: Plan): Promise<Report> {
  await notice(formatSummary(plan));
  const records = plan.changes.map((change) => {
    const shown = { record: formatRecord(change), changes: formatFields(change).join("; "), needed: change.needs.join(", ") };
    return { ...change, ...shown };
  });
  return {
    kind: "list",
    columns: planColumns,
    fieldNames: ["op", "resource", "key", "id", "title", "fields", "needs", "source", "record", "changes", "needed"],
    records,
    document: plan,
    toData: ({ record: _record, changes: _changes, needed: _needed, ...change }) => change,
  };
}

function formatSummary({ changes, unchanged, skipped, conflicts }: Plan): string {
  const others: readonly (readonly [number, string])[] = [
    [unchanged, "unchanged"],
    [skipped.length, "skipped"],
    [conflicts.length, "in conflict"],
  ];
  return [formatCounts(changes), ...others.flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`]))].join(", ");
}

/** `event 12 "Jazz Night"`. */
export function formatRecord({ resource, id, title, key }: Change): string {
  const singular = resource === "media" ? "file" : resources[resource].singular;
  return [singular, id, title === undefined || title === "" ? key : JSON.stringify(title)].filter((part) => part !== undefined).join(" ");
}

/** `title: "Jazz" -> "Jazz Night"`; of a new or restored record only the values. */
export function formatFields({ op, fields }: Change): readonly string[] {
  return fields.map(({ name, from, to }) => {
    const values = op === "update" ? [from ?? null, to] : [to];
    return `${name}: ${values.map((value) => stringifyExact(value)).join(" -> ")}`;
  });
}

/** `--plan-out` of a command that makes its plan while it writes: it sends nothing, and the plan is saved. */
export function withPlanOut(handler: Handler): Handler {
  return async (invocation, context) => {
    const report = await handler(invocation, context);
    const { planned = [] } = await context.journal();
    const failed =
      report.kind === "plan"
        ? report.requests.flatMap((one) => ("ref" in one ? [{ key: one.ref, reason: messageOf(one.error) }] : []))
        : [];
    const plan: Plan = {
      version: 1,
      site: createSiteId(await context.settings()),
      changes: sortChanges(planned),
      unchanged: 0,
      skipped: failed,
      conflicts: [],
    };
    writePlanFile(String(invocation.flags["plan-out"]), plan);
    const exitCode = report.kind === "plan" ? report.exitCode : undefined;
    return { ...(await reportPlan(context, plan)), ...(exitCode && { exitCode }) };
  };
}

// The question.

const maxLines = 10;

/**
 * Asks once for the whole plan. Without a terminal a plan that deletes or writes more than one record needs `--yes`. Rejects with kind
 * `usage` where it is missing, with kind `declined` where the user says no.
 */
export async function confirmPlan(context: Context, plan: Plan): Promise<void> {
  const { changes } = plan;
  if (context.globals["yes"] === true || changes.length === 0) return;
  const user = await findInteractiveUserForWrite(context);
  const counts = formatSummary(plan);
  if (user === undefined) {
    if (changes.length === 1 && changes[0]?.op !== "delete") return;
    throw usageError(`${counts}: that needs a confirmation, and there is no terminal; nothing was sent`, "--yes goes without a question");
  }
  // Deletions are shown first.
  const shown = [...changes].sort((left, right) => Number(right.op === "delete") - Number(left.op === "delete")).slice(0, maxLines);
  const lines = shown.map((change) => `  ${[`${change.op} ${formatRecord(change)}`, ...formatFields(change)].join("; ")}\n`);
  const rest = changes.length > shown.length ? `  and ${changes.length - shown.length} more: --dry-run shows all\n` : "";
  if (!(await user.confirm(`Carry this out?\n${lines.join("")}${rest}${counts}.`, false)))
    throw new CalError("declined", "nothing was sent", { code: "declined" });
}

// Carrying it out.

interface RunOptions {
  readonly site: RecordSource;
  readonly settings: Settings;
  /** The same plan may have been begun before. */
  readonly mayBeDone: boolean;
  readonly undoes?: string;
  /** The prices that updates restore, by the keys of their changes. */
  readonly prices?: ReadonlyMap<string, FormerPrice>;
  /** Where the files are that the plan uploads. */
  readonly images?: ImageFolder | undefined;
  /** Called before the first request of a change. */
  readonly beforeWrite?: (change: Change) => void;
  /** What is done with the results as they come. It may add those of records that the plan could not hold, `more` in all. */
  readonly follow?: {
    readonly more: number;
    readonly results: (results: Results) => Results;
    readonly describe: (key: string) => Outcome["change"] | undefined;
  };
}

type Results = AsyncIterable<readonly Result[]>;

/** Carries the plan out, and reports each change. Skipped records and conflicts make the exit code 8. */
export async function runPlan(context: Context, plan: Plan, options: RunOptions): Promise<OutcomesReport> {
  const { changes } = plan;
  const { site, settings, mayBeDone, undoes, prices, images, beforeWrite, follow } = options;
  const journal = await context.journal(undoes);
  if (changes.length > 1) journal.expectMany();
  let interruption: Interruption | undefined;
  const listen = (giveUp: (kind: InterruptionKind) => void) => {
    interruption = listenForInterruption(context, giveUp);
    return interruption;
  };
  const work = createPlanWork(changes, {
    prices,
    site,
    journal,
    mayBeDone,
    media: { uploads: openUploads(context.folders.state, plan.site), images, warn: context.warn },
    assertCreatable: async (where, resource, values) => void (await assertNoMerge(where, resource, values)),
  });
  const results = runConcurrently<Change, DataRecord>(
    changes,
    settings.concurrency.value,
    (change, attempt) => {
      const tracked = trackWrites(site, attempt, () => interruption?.kind);
      beforeWrite?.(change);
      return work(change, attempt, tracked);
    },
    listen,
  );
  const tracked = context.progress.trackItems("changes", results, ({ length }) => [length, changes.length]);
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const report = createResultsReport(follow === undefined ? tracked : follow.results(tracked), {
    columns: planColumns,
    fieldNames: [],
    total: changes.length + (follow?.more ?? 0),
    done: "written",
    describe: (key) => {
      const change = byKey.get(key);
      if (change === undefined) return follow?.describe(key);
      return {
        name: formatRecord(change),
        details: { op: change.op, resource: change.resource, key, ...(change.source && { source: change.source }) },
      };
    },
  });
  const isPartial = plan.skipped.length + plan.conflicts.length > 0;
  return {
    ...report,
    exitCode: () => {
      const code = report.exitCode();
      return code === 0 && isPartial ? exitCodes.mixed : code;
    },
  };
}

// The limits.

/** `--max-changes` and `--max-delete` of a command. */
export function parseLimits({ flags }: Invocation): Limits {
  const { "max-changes": maxChanges, "max-delete": maxDelete } = flags;
  return {
    ...(typeof maxChanges === "number" && { maxChanges }),
    ...(typeof maxDelete === "number" && { maxDelete }),
  };
}
