// The refs of `get`, `update` and `delete`: read from the command line and from stdin, resolved to records, and worked through one by one.
import { readRawRecord } from "../../api/raw-record.ts";
import { fetchRecord, findByName, type RecordSource, resolveRef, withRecordSuggestions } from "../../api/refs.ts";
import { normalizeSlug, type PathRef, parseRef, type Ref } from "../../api/request.ts";
import type { CurrentRecord } from "../../api/update.ts";
import { type Interruption, listenForInterruption } from "../../changes/interruption.ts";
import { createResultsReport, type InterruptionKind, measureStep, type Result, trackResults } from "../../changes/result.ts";
import { runConcurrently, trackWrites } from "../../changes/run-concurrently.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError, toProblem, usageError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import type { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport, toPlanEntry } from "../../output/render.ts";
import type { Outcome, PlanEntry, PlanReport, Report } from "../../output/report.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { shellQuote } from "../../text.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { createRecordReport, fieldNames, type Problems, type RecordCommand } from "./command.ts";
import { describeRecord } from "./messages.ts";

/** A ref and its text in the command line. */
export interface RefArgument {
  readonly text: string;
  readonly ref: Ref;
}

/** The refs of a command. `many` decides the shape of the answer: several arguments or `-`, even with one line on stdin. */
export interface Refs {
  readonly refs: readonly RefArgument[];
  readonly many: boolean;
}

/** Reads the refs of a command line; each line of stdin is a ref. */
export async function readRefs(
  { singular }: Resource,
  { args, where }: Invocation,
  { io }: Pick<Context, "io">,
  problems: Problems,
): Promise<Refs> {
  if (where !== undefined) {
    if (args.length > 0) problems.push("refs and --where exclude each other");
    return { refs: [], many: true };
  }
  const many = args.length > 1 || args.includes("-");
  const texts: string[] = [];
  for (const arg of args) {
    if (arg !== "-") texts.push(arg);
    else {
      const lines = (await io.stdin.text()).split(/\r?\n/).map((line) => line.trim());
      texts.push(...lines.filter((line) => line !== ""));
    }
  }
  if (texts.length === 0 && !many) problems.push(`which ${singular}? Give an id, a slug, or name:"..."`);
  const refs = texts.flatMap((text) => {
    try {
      return [{ text, ref: parseRef(text) }];
    } catch (error) {
      problems.push(toProblem(error));
      return [];
    }
  });
  return { refs, many };
}

/** Reads the ref of `edit`, `clone` and `open`, which take one and none from stdin. */
export async function readOneRef(resource: Resource, invocation: Invocation, context: Context, problems: Problems): Promise<Refs> {
  if (!invocation.args.includes("-")) return readRefs(resource, invocation, context, problems);
  problems.push("- means refs from stdin, and this command takes one ref");
  return { refs: [], many: false };
}

/** A ref without the word of its kind. */
export function formatRef(ref: Ref): string {
  return ref.by === "id" ? ref.id : ref.by === "slug" ? ref.slug : ref.name;
}

/** The only ref; undefined where there may be several. */
export function getSingleRef({ refs, many }: Refs): Ref | undefined {
  return many ? undefined : refs[0]?.ref;
}

/** The id that the user chooses among several records of this name; undefined where there are not several. */
export async function promptForRecordId(site: RecordSource, resource: Resource, name: string, user: Prompt): Promise<string | undefined> {
  const choices = (await findByName(site, resource, name)).flatMap((record) => {
    const value = idOf(record);
    const details = [getText(record, "start_date"), getText(record, "slug")].map(toPlainText).filter((text) => text !== "");
    return value === undefined
      ? []
      : [{ name: `${value} ${toPlainText(getText(record, resource.titleField))} (${details.join(", ")})`, value }];
  });
  return choices.length < 2 ? undefined : user.choose(`Which ${resource.singular}?`, choices);
}

/** Lets a user at a terminal choose where a single name belongs to several records. For one of many refs nobody is asked. */
export async function resolveAmbiguousRef({ context, resource }: RecordCommand, site: RecordSource, refs: Refs): Promise<Refs> {
  const [first] = refs.refs;
  if (refs.many || first?.ref.by !== "name") return refs;
  const user = await findInteractiveUser(context);
  const id = user === undefined ? undefined : await promptForRecordId(site, resource, first.ref.name, user);
  return id === undefined ? refs : { many: false, refs: [{ text: first.text, ref: { by: "id", id } }] };
}

/** Finds the one record of a command and reads it, to show it only. */
export async function readOne(command: RecordCommand, site: RecordSource, refs: Refs): Promise<DataRecord> {
  return findOne(command, site, refs, (path) => readRecord(command, site, path, "show"));
}

/** Finds the one record of a command and reads it, to write or copy it. */
export async function readOneForWrite(
  command: RecordCommand,
  site: RecordSource,
  refs: Refs,
): Promise<{ readonly path: PathRef; readonly current: CurrentRecord }> {
  return findOne(command, site, refs, async (path) => ({ path, current: await readCurrentRecord(command, site, path) }));
}

async function findOne<T>(command: RecordCommand, site: RecordSource, refs: Refs, read: (path: PathRef) => Promise<T>): Promise<T> {
  const { resource } = command;
  const ref = getSingleRef(await resolveAmbiguousRef(command, site, refs));
  if (ref === undefined) throw usageError(`which ${resource.singular}?`);
  return withRecordSuggestions(site, resource, ref, async () => read(await resolveRef(site, resource, ref)));
}

/** Reads a record for a write: as the interface shows it and, where this user may see it, as the site stores it, both at the same time. */
export async function readCurrentRecord(command: RecordCommand, site: RecordSource, path: PathRef): Promise<CurrentRecord> {
  const { resource } = command;
  const [record, raw] = await Promise.all([
    readRecord(command, site, path, "write"),
    path.by === "id" ? readRawRecord(site, resource, path.id) : undefined,
  ]);
  const id = idOf(record);
  const current = { record, raw: path.by === "id" || id === undefined ? raw : await readRawRecord(site, resource, id) };
  const journal = await command.context.journal();
  return (await journal.settle(site, resource, current)) ? readCurrentRecord(command, site, path) : current;
}

/**
 * Reads a record to show it, or to write or copy it. Servers normalize a slug before they look for it, so the record may have another one:
 * that is reported where the record is only shown, and else rejected (kind `rejected`).
 */
export async function readRecord(
  { resource, context }: RecordCommand,
  site: RecordSource,
  path: PathRef,
  purpose: "show" | "write",
): Promise<DataRecord> {
  const record = await fetchRecord(site, resource, path);
  const slug = getText(record, "slug");
  // A draft has no slug.
  if (path.by === "id" || slug === "" || normalizeSlug(slug) === normalizeSlug(path.slug)) return record;
  const mismatch = `there is no slug ${JSON.stringify(path.slug)}; the server gave ${describeRecord(resource, record)} with the slug ${JSON.stringify(normalizeSlug(slug))}`;
  if (purpose === "write")
    throw new CalError("rejected", `${mismatch}; nothing was sent`, {
      code: "other-record",
      hint: `if it is the one that you mean, name it by its id: id:${idOf(record) ?? "..."}`,
    });
  await context.notice(mismatch);
  return record;
}

// One ref or many: the work on each, and its report.

/** The record of a ref or, with --dry-run, the requests of its write. */
export type RefResult = DataRecord | readonly PlannedRequest[];

/** Whether the requests of a write were planned and not sent. */
export function isPlanned(result: RefResult): result is readonly PlannedRequest[] {
  return Array.isArray(result);
}

interface ReportRefsOptions {
  readonly concurrency?: number;
  /** The work writes nothing: it can't be planned, and it ends where nobody reads its output. */
  readonly isRead?: true;
}

/** Does the work for each ref, whose writes go through the site that it gets. `--ignore-missing` passes over records that do not exist. */
export async function reportRefs(
  { resource, verb, invocation, context, settings }: RecordCommand,
  site: RecordSource,
  { refs, many }: Refs,
  work: (ref: RefArgument, site: RecordSource) => Promise<RefResult>,
  { concurrency = settings.concurrency.value, isRead }: ReportRefsOptions = {},
): Promise<Report> {
  const tolerantWork = async (ref: RefArgument, itsSite = site) => {
    try {
      return await work(ref, itsSite);
    } catch (error) {
      if (invocation.flags["ignore-missing"] === true && error instanceof CalError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
  if (!many) {
    const [ref] = refs;
    const result = ref && (await withRecordSuggestions(site, resource, ref.ref, () => tolerantWork(ref)));
    if (result === undefined) return { kind: "nothing" };
    return isPlanned(result) ? createPlanReport(result) : createRecordReport(resource, result);
  }
  if (isRead !== true && refs.length > 1) (await context.journal()).expectMany();
  const changes = refs.map((ref) => ({ key: ref.text, ref }));
  if (context.globals["dry-run"] === true && isRead !== true) {
    const report = await planMany(
      runConcurrently(changes, concurrency, async ({ ref }) => {
        const record = await tolerantWork(ref);
        return record && { status: "done", record };
      }),
    );
    (await context.journal()).sortPlan?.(refs.flatMap(({ text, ref }) => [text, formatRef(ref)]));
    return report;
  }
  let interruption: Interruption | undefined;
  const listen = (giveUp: (kind: InterruptionKind) => void) => {
    interruption = listenForInterruption(context, giveUp);
    return interruption;
  };
  const results = runConcurrently<(typeof changes)[number], DataRecord>(
    changes,
    concurrency,
    async ({ ref }, attempt) => {
      const record = await tolerantWork(
        ref,
        trackWrites(site, attempt, () => interruption?.kind),
      );
      if (record === undefined || isPlanned(record)) return undefined;
      return { status: isRead === true || attempt.isSent ? "done" : "unchanged", record };
    },
    isRead === true ? undefined : listen,
  );
  const tracked = context.progress.trackItems(resource.name, results, (group) => measureStep(group, refs.length));
  return createResultsReport(tracked, {
    columns: resource.columns,
    fieldNames: fieldNames(resource),
    total: refs.length,
    ...(isRead !== true && { done: pastTenses[verb] ?? "done" }),
    // The copies of a clone have no refs yet.
    ...(verb !== "clone" && { showCommand: (keys) => `cal ${resource.name} get ${keys.map(shellQuote).join(" ")}` }),
  });
}

const pastTenses: Readonly<Record<string, string>> = { update: "updated", delete: "deleted", clone: "created", restore: "restored" };

/** The planned requests of each ref, or why it failed; a ref that needs no request has no entry. */
async function planMany(results: AsyncIterable<readonly Result<RefResult>[]>): Promise<PlanReport> {
  const tracked = trackResults(results, 0);
  const requests: (PlanEntry | Outcome<PlanEntry>)[] = [];
  for await (const group of tracked.results) {
    for (const { change, record, error } of group) {
      if (record !== undefined && isPlanned(record)) requests.push(...record.map(toPlanEntry));
      else if (error !== undefined) requests.push({ ref: change.key, ok: false, error });
    }
  }
  return { kind: "plan", requests, many: true, exitCode: tracked.exitCode };
}
