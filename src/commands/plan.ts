// What commands with a plan share: the preview, the question, and the report of carrying it out.

import type { RecordSource } from "../api/refs.ts";
import type { Input } from "../api/request.ts";
import { type ApplyOptions, createPlanWork } from "../changes/apply.ts";
import { type Change, createSiteId, formatCounts, type Plan, sortChanges } from "../changes/change.ts";
import type { ImageFolder } from "../changes/image-file.ts";
import { type Interruption, listenForInterruption } from "../changes/interruption.ts";
import { assertWithinLimits, countWrites, findLimitProblem, type Limits } from "../changes/limits.ts";
import { writePlanFile } from "../changes/plan-file.ts";
import { createPlanCollector, createPlanningSite } from "../changes/planning.ts";
import { createResultsReport, type InterruptionKind, measureStep, type Result } from "../changes/result.ts";
import { runConcurrently, trackWrites } from "../changes/run-concurrently.ts";
import { openUploads, toReadOnly } from "../changes/uploads.ts";
import type { Settings } from "../config/settings.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, exitCodes, messageOf, usageError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Column, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { ListReport, Outcome, OutcomesReport, Report } from "../output/report.ts";
import type { Handler, Invocation } from "./command.ts";
import { findInteractiveUserForWrite } from "./prompt-user.ts";
import { assertNoMerge } from "./records/server-merges.ts";

type WithFlags = Pick<Invocation, "flags">;

// The preview.

const planColumns: readonly Column[] = [
  { header: "OP", path: "op", kind: "text", priority: 1 },
  { header: "RECORD", path: "record", kind: "name", priority: 1 },
  { header: "CHANGES", path: "changes", kind: "text", priority: 2 },
  { header: "NEEDS", path: "needed", kind: "text", priority: 3 },
];

/** The report of a plan that is not carried out: a row a change; JSON and YAML are the whole plan. With `--plan-out` it is saved. */
async function previewPlan({ flags }: WithFlags, { notice }: Context, plan: Plan): Promise<ListReport> {
  // The value `true` means that the plan is only reported: no command line has it.
  if (typeof flags["plan-out"] === "string") writePlanFile(flags["plan-out"], plan);
  await notice(formatSummary(plan));
  return {
    kind: "list",
    columns: planColumns,
    fieldNames: ["op", "resource", "key", "id", "title", "fields", "needs", "source", "record", "changes", "needed"],
    records: listPlanRecords(plan),
    document: plan,
    toData: ({ record: _record, changes: _changes, needed: _needed, ...change }) => change,
  };
}

/** Changes that are shown at once. */
const batchSize = 200;

async function* listPlanRecords({ changes }: Plan): AsyncGenerator<readonly DataRecord[]> {
  for (let at = 0; at < changes.length; at += batchSize)
    yield changes.slice(at, at + batchSize).map((stored) => {
      // The fields of a large plan are read here, once.
      const change = { ...stored };
      return { ...change, record: formatRecord(change), changes: formatFields(change).join("; "), needed: change.needs.join(", ") };
    });
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

/** `title: "Jazz" -> "Jazz Night"`; of a new or restored record only the values; of a deletion nothing. */
export function formatFields({ op, fields }: Change): readonly string[] {
  if (op === "delete") return [];
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
    const exitCode = report.kind === "plan" ? report.exitCode : undefined;
    for (const { key, reason } of failed) await context.warn(`skipped: ${key}: ${reason}`);
    return { ...(await previewPlan(invocation, context, plan)), ...(exitCode && { exitCode }) };
  };
}

/**
 * The end of a command with a plan: with `--dry-run` and `--plan-out` its report; else one question, and then `carryOut`. `describe` names a
 * change in the question.
 */
export async function finishPlan(
  invocation: WithFlags,
  context: Context,
  plan: Plan,
  carryOut: () => Promise<Report>,
  describe = describeChange,
): Promise<Report> {
  if (context.globals["dry-run"] === true) return previewPlan(invocation, context, plan);
  await confirmPlan(context, plan, describe);
  return carryOut();
}

// The question.

const maxLines = 10;

/**
 * Asks once for the whole plan, in which `describe` names each change. Without a terminal a plan that deletes or writes more than one record
 * needs `--yes`. Rejects with kind `usage` where it is missing, with kind `declined` where the user says no.
 */
async function confirmPlan(context: Context, plan: Plan, describe: (change: Change) => string): Promise<void> {
  const { changes } = plan;
  if (context.globals["yes"] === true || changes.length === 0) return;
  const user = await findInteractiveUserForWrite(context);
  const counts = formatSummary(plan);
  if (user === undefined) {
    if (changes.length === 1 && changes[0]?.op !== "delete") return;
    throw usageError(`${counts}: that needs a confirmation, and there is no terminal; nothing was sent`, {
      text: "without a question",
      flags: "--yes",
    });
  }
  // Deletions are shown first.
  const shown = [...changes].sort((left, right) => Number(right.op === "delete") - Number(left.op === "delete")).slice(0, maxLines);
  const lines = shown.map((change) => `  ${describe(change)}\n`);
  const rest = changes.length > shown.length ? `  and ${changes.length - shown.length} more: --dry-run shows all\n` : "";
  if (!(await user.confirm(`Carry this out?\n${lines.join("")}${rest}${counts}.`, false)))
    throw new CalError("declined", "nothing was sent", { code: "declined" });
}

const describeChange = (change: Change) => [`${change.op} ${formatRecord(change)}`, ...formatFields(change)].join("; ");

// Carrying it out.

interface RunOptions {
  readonly site: RecordSource;
  readonly settings: Settings;
  /** The same plan may have been begun before. */
  readonly mayBeDone: boolean;
  /** The same command again goes on after an interruption. */
  readonly isRepeatable?: true;
  readonly undoes?: string;
  /** The price that a create or an update restores. */
  readonly getPrice?: ApplyOptions["getPrice"];
  /** Where the files are that the plan uploads. */
  readonly images?: ImageFolder | undefined;
  /** Called before the first request of a change. */
  readonly beforeWrite?: (change: Change) => void;
  readonly follow?: PlanFollower | undefined;
}

/** What is done with the results of a plan as they come. It may add those of records that the plan could not hold, `more` in all. */
export interface PlanFollower {
  readonly more: number;
  readonly results: (results: Results) => Results;
  readonly describe: (key: string) => Outcome["change"] | undefined;
}

type Results = AsyncIterable<readonly Result[]>;

const assertCreatable = async (site: RecordSource, resource: Resource, values: Input) => void (await assertNoMerge(site, resource, values));

/** Carries the plan out, and reports each change. Skipped records and conflicts make the exit code 8. */
export async function runPlan(context: Context, plan: Plan, options: RunOptions): Promise<OutcomesReport> {
  const { changes } = plan;
  const { site, settings, mayBeDone, undoes, getPrice, images, beforeWrite, follow } = options;
  const journal = await context.journal(undoes);
  if (changes.length > 1) journal.expectMany();
  let interruption: Interruption | undefined;
  const listen = (giveUp: (kind: InterruptionKind) => void) => {
    interruption = listenForInterruption(context, giveUp);
    return interruption;
  };
  const work = createPlanWork(changes, {
    getPrice,
    site,
    journal,
    mayBeDone,
    media: { uploads: openUploads(context.folders.state, plan.site), images, warn: context.warn },
    assertCreatable,
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
  const tracked = context.progress.trackItems("changes", results, (group) => measureStep(group, changes.length));
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const report = createResultsReport(follow === undefined ? tracked : follow.results(tracked), {
    columns: planColumns,
    fieldNames: [],
    total: changes.length + (follow?.more ?? 0),
    done: "written",
    ...(options.isRepeatable && { isRepeatable: true }),
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

/**
 * Rejects with kind `usage` where the plan would write more than the limits allow. Changes that are done already do not count: where it
 * matters, each record is read.
 */
export async function assertPlanWithinLimits(
  { folders, openStore }: Pick<Context, "folders" | "openStore">,
  plan: Plan,
  limits: Limits,
  { site, settings, mayBeDone, images }: RunOptions,
): Promise<void> {
  const { changes } = plan;
  if (findLimitProblem(countWrites(changes), limits) === undefined) return;
  const journal = createPlanCollector(await openStore());
  const planningSite = createPlanningSite(site);
  const media = { uploads: toReadOnly(openUploads(folders.state, plan.site)), images, warn: async () => undefined };
  const work = createPlanWork(changes, { site: planningSite, journal, mayBeDone, media, assertCreatable });
  const results = runConcurrently<Change, DataRecord>(changes, settings.concurrency.value, (change, attempt) =>
    work(change, attempt, planningSite),
  );
  for await (const _group of results);
  assertWithinLimits(journal.planned, limits);
}
