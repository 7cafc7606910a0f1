// The refs of `get`, `update` and `delete`: read from the command line and from stdin, resolved to records, and worked through one by one.
import { findByName, resolveRef, type Site, withRecordSuggestions } from "../../api/refs.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildReadRequest, normalizeSlug, type PathRef, parseRef, type Ref } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { CalError, exitCodes, toProblem, usageError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { createPlanReport, toPlanEntry } from "../../output/render.ts";
import type { Outcome, PlanEntry, PlanReport, Report } from "../../output/report.ts";
import type { Prompt } from "../../terminal/prompt.ts";
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
  { args }: Invocation,
  { io }: Pick<Context, "io">,
  problems: Problems,
): Promise<Refs> {
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
  problems.push("- stands for many refs, and this takes one");
  return { refs: [], many: false };
}

/** The only ref; undefined where there may be several. */
export function getSingleRef({ refs, many }: Refs): Ref | undefined {
  return many ? undefined : refs[0]?.ref;
}

/** The id that the user chooses among several records of this name; undefined where there are not several. */
export async function promptForRecordId(site: Site, resource: Resource, name: string, user: Prompt): Promise<string | undefined> {
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
export async function resolveAmbiguousRef({ context, resource }: RecordCommand, site: Site, refs: Refs): Promise<Refs> {
  const [first] = refs.refs;
  if (refs.many || first?.ref.by !== "name") return refs;
  const user = await findInteractiveUser(context);
  const id = user === undefined ? undefined : await promptForRecordId(site, resource, first.ref.name, user);
  return id === undefined ? refs : { many: false, refs: [{ text: first.text, ref: { by: "id", id } }] };
}

/** Finds the one record of a command and reads it: to show it only, or to write or copy it. */
export async function readOne(
  command: RecordCommand,
  site: Site,
  refs: Refs,
  purpose: "show" | "write",
): Promise<{ readonly path: PathRef; readonly record: DataRecord }> {
  const { resource } = command;
  const ref = getSingleRef(await resolveAmbiguousRef(command, site, refs));
  if (ref === undefined) throw usageError(`which ${resource.singular}?`);
  return withRecordSuggestions(site, resource, ref, async () => {
    const path = await resolveRef(site, resource, ref);
    return { path, record: await readRecord(command, site, path, purpose) };
  });
}

/**
 * Reads a record to show it, or to write or copy it. Servers normalize a slug before they look for it, so the record may have another one:
 * that is reported where the record is only shown, and else rejected (kind `rejected`).
 */
export async function readRecord(
  { resource, context }: RecordCommand,
  site: Site,
  path: PathRef,
  purpose: "show" | "write",
): Promise<DataRecord> {
  const record = parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, path)));
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

// One ref or many: the report of each, and its exit code.

/** Does the work for each ref. `--ignore-missing` passes over records that do not exist. With `isRead` the work is not a write that could be planned. */
export async function reportRefs(
  { resource, invocation, context, settings }: RecordCommand,
  site: Site,
  { refs, many }: Refs,
  work: (ref: RefArgument) => Promise<DataRecord | PlannedRequest>,
  { concurrency = settings.concurrency.value, isRead }: { readonly concurrency?: number; readonly isRead?: true } = {},
): Promise<Report> {
  const tolerantWork = async (ref: RefArgument) => {
    try {
      return await work(ref);
    } catch (error) {
      if (invocation.flags["ignore-missing"] === true && error instanceof CalError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
  if (!many) {
    const [ref] = refs;
    const result = ref && (await withRecordSuggestions(site, resource, ref.ref, () => tolerantWork(ref)));
    if (result === undefined) return { kind: "nothing" };
    return result instanceof PlannedRequest ? createPlanReport([result]) : createRecordReport(resource, result);
  }
  if (context.globals["dry-run"] === true && isRead !== true) return planMany(runConcurrently(refs, concurrency, tolerantWork));
  const recordWork = async (ref: RefArgument) => {
    const result = await tolerantWork(ref);
    return result instanceof PlannedRequest ? undefined : result;
  };
  const { outcomes, exitCode } = trackExitCode(runConcurrently(refs, concurrency, recordWork));
  const tracked = context.progress.trackItems(resource.name, outcomes, ({ length }) => [length, refs.length]);
  return {
    kind: "outcomes",
    columns: resource.columns,
    fieldNames: fieldNames(resource),
    outcomes: tracked,
    ...(isRead && { isRead }),
    exitCode,
  };
}

/** The planned request of each ref, or why it failed; a ref that needs no request has no entry. */
async function planMany(results: AsyncIterable<readonly Outcome<DataRecord | PlannedRequest>[]>): Promise<PlanReport> {
  const { outcomes, exitCode } = trackExitCode(results);
  const requests: (PlanEntry | Outcome<PlanEntry>)[] = [];
  for await (const group of outcomes) {
    for (const { ref, ok, record, error } of group) {
      if (record instanceof PlannedRequest) requests.push(toPlanEntry(record));
      else if (record === undefined) requests.push({ ref, ok, ...(error && { error }) });
    }
  }
  return { kind: "plan", requests, many: true, exitCode };
}

/** The same outcomes, and the exit code of those read so far: 0, the code that all refs failed with, or 8. */
function trackExitCode<T>(results: AsyncIterable<readonly Outcome<T>[]>) {
  const codes = new Set<number>();
  const outcomes = async function* () {
    for await (const group of results) {
      for (const { ok, error } of group) codes.add(ok ? 0 : error === undefined ? exitCodes.internal : error.exitCode);
      yield group;
    }
  };
  const exitCode = () => {
    const [first = 0] = codes;
    return codes.size > 1 ? exitCodes.mixed : first;
  };
  return { outcomes: outcomes(), exitCode };
}

/** Outcomes that may wait for an earlier one, for each ref in progress. After a reader stops, not much more should be done. */
const bufferFactor = 4;

/** Outcomes in one group at most. */
const maxGroupSize = 200;

/** A ref in progress, until its outcome has been yielded. */
interface PendingOutcome<T> {
  readonly outcome: Promise<Outcome<T> | undefined>;
  isSettled: boolean;
}

/** Does the work for each ref, at most `concurrency` at the same time, and yields the outcomes in the order of the refs, in groups. */
export async function* runConcurrently<T>(
  refs: readonly RefArgument[],
  concurrency: number,
  work: (ref: RefArgument) => Promise<T | undefined>,
): AsyncGenerator<readonly Outcome<T>[]> {
  const pending: PendingOutcome<T>[] = [];
  let next = 0;
  let active = 0;
  let fatal: CalError | undefined;
  const begin = (ref: RefArgument): PendingOutcome<T> => {
    active += 1;
    const one: PendingOutcome<T> = {
      isSettled: false,
      outcome: runForOutcome(ref, fatal, work)
        .then((outcome) => {
          const { error } = outcome ?? {};
          // Without access or with a broken set-up the other refs would fail with the same error.
          if (error?.kind === "unauthenticated" || error?.kind === "local") fatal ??= error;
          return outcome;
        })
        .finally(() => {
          one.isSettled = true;
          active -= 1;
          fill();
        }),
    };
    // An internal error of one ends the loop below. The rejections of the others must not end the process.
    one.outcome.catch(() => undefined);
    return one;
  };
  const fill = () => {
    for (let ref = refs[next]; ref !== undefined && active < concurrency && pending.length < concurrency * bufferFactor; ref = refs[++next])
      pending.push(begin(ref));
  };
  try {
    for (fill(); pending.length > 0; fill()) {
      const group: Outcome<T>[] = [];
      do {
        const outcome = await pending[0]?.outcome;
        pending.shift();
        if (outcome !== undefined) group.push(outcome);
      } while (pending[0]?.isSettled === true && group.length < maxGroupSize);
      if (group.length > 0) yield group;
    }
  } finally {
    next = refs.length;
  }
}

async function runForOutcome<T>(
  ref: RefArgument,
  fatal: CalError | undefined,
  work: (ref: RefArgument) => Promise<T | undefined>,
): Promise<Outcome<T> | undefined> {
  if (fatal !== undefined) return { ref: ref.text, ok: false, error: fatal };
  try {
    const record = await work(ref);
    return record === undefined ? undefined : { ref: ref.text, ok: true, record };
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { ref: ref.text, ok: false, error };
  }
}
