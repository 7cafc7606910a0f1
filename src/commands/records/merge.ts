// `cal venues merge` and `cal organizers merge`: the events of some records get another one, then these records are deleted.
import { findLinkedEvents, getEventLink, getLinkedIds } from "../../api/linked-events.ts";
import { type RecordSource, resolveRef } from "../../api/refs.ts";
import { parseRef } from "../../api/request.ts";
import { type CurrentRecord, isClearingValue, toExactId, toList, toWritableRecord } from "../../api/update.ts";
import { type Change, createSiteId, type Plan, sortChanges } from "../../changes/change.ts";
import { assertWithinLimits } from "../../changes/limits.ts";
import { createDeleteChange, createUpdateChange } from "../../changes/plan.ts";
import { keepFields } from "../../changes/value-store.ts";
import { getText, idOf } from "../../data-record.ts";
import { CalError, joinErrors, usageError } from "../../errors.ts";
import { stringifyExact } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { Handler } from "../command.ts";
import { parseLimits } from "../limits.ts";
import { finishPlan, runPlan } from "../plan.ts";
import { createRecordCommand, openSite, type RecordCommand, tryParseFlag } from "./command.ts";
import { formatRecordName } from "./messages.ts";
import { type RefArgument, readCurrentRecord, readRefs } from "./refs.ts";

/** The handler that merges records of a resource into another one. */
export function merge(resource: Resource): Handler {
  return async (invocation, context) => {
    const { flags } = invocation;
    const problems = [...invocation.problems];
    const { refs } = await readRefs(resource, invocation, context, problems);
    const text = String(flags["into"] ?? "");
    if (flags["into"] === undefined) problems.push(`into which ${resource.singular}? --into <ref> names the one that stays`);
    const ref = flags["into"] === undefined ? undefined : tryParseFlag("into", problems, () => parseRef(text));
    const command = await createRecordCommand(resource, "merge", invocation, context, problems);
    const site = await openSite(command);
    if (ref === undefined) throw new Error("a ref was expected");
    const [target, ...sources] = await readMerged(command, site, [{ text, ref }, ...refs]);
    const plan = await planMerge(command, site, target, sources);
    assertWithinLimits(plan.changes, parseLimits(invocation));
    return finishPlan(invocation, context, plan, async () => {
      const { followMerge } = await import("../series/follow.ts");
      const follow = await followMerge(context, plan);
      return runPlan(context, plan, { site, settings: command.settings, mayBeDone: false, follow });
    });
  };
}

/** A record as it was read, with its id. */
type MergedRecord = CurrentRecord & { readonly id: string };

/** Reads the target and the records that are merged into it, each once. Rejects with all that is wrong with them. */
async function readMerged(
  command: RecordCommand,
  site: RecordSource,
  refs: readonly RefArgument[],
): Promise<readonly [MergedRecord, ...MergedRecord[]]> {
  const { resource } = command;
  const errors: CalError[] = [];
  const records: MergedRecord[] = [];
  for (const { text, ref } of refs) {
    try {
      const current = await readCurrentRecord(command, site, await resolveRef(site, resource, ref));
      const id = idOf(current.record) ?? "";
      const isTarget = ref === refs[0]?.ref;
      if (getText(current.record, "status") === "trash")
        errors.push(
          new CalError("rejected", `${formatRecordName(resource, current.record)} is in the trash; nothing was sent`, {
            code: "in-trash",
            hint: { command: `cal ${resource.name} restore ${id}` },
          }),
        );
      else if (!isTarget && records[0]?.id === id) errors.push(usageError(`${resource.singular} ${text} can't be merged into itself`));
      else if (isTarget || !records.some((one) => one.id === id)) records.push({ ...current, id });
    } catch (error) {
      if (!(error instanceof CalError) || !["not-found", "usage", "rejected"].includes(error.kind)) throw error;
      errors.push(error);
    }
  }
  const [target, ...sources] = records;
  if (errors.length > 0 || target === undefined) throw joinErrors(errors);
  return [target, ...sources];
}

async function planMerge(
  command: RecordCommand,
  site: RecordSource,
  target: MergedRecord,
  sources: readonly MergedRecord[],
): Promise<Plan> {
  const { resource, context, settings, invocation } = command;
  const ids = sources.map(({ id }) => id);
  const { records, isComplete } = await findLinkedEvents(site, resource, ids);
  if (!isComplete)
    await context.warn(
      `events that are hidden from listings are not looked for: this login can't see how they are stored; they would keep their ${resource.singular}`,
    );
  const field = getEventLink(resource);
  const fill = invocation.flags["fill"] === true ? createFillChange(command, target, sources) : undefined;
  const changes: Change[] = fill === undefined ? [] : [fill];
  const keep = await context.openStore();
  const neededBy = new Map(ids.map((id) => [id, fill === undefined ? [] : [fill.key]]));
  for (const event of records) {
    const own = getLinkedIds(site, field, event);
    const replaced = own.filter((id) => ids.includes(id));
    if (getText(event, "status") === "trash") {
      await context.warn(`${formatRecordName(resources.events, event)} is in the trash, and keeps its ${resource.singular}`);
      continue;
    }
    if (toList(event[field.name]).length !== own.length)
      throw usageError(
        `${formatRecordName(resources.events, event)}: the server tells its ${resource.name} as ${stringifyExact(event[field.name])}, which can't be read`,
      );
    if (replaced.length === 0) continue;
    const links = [...new Set(own.map((id) => (ids.includes(id) ? target.id : id)))];
    const change = createUpdateChange(resources.events, `events/${idOf(event)}`, event, [
      { field: field.name, from: own.map(toExactId), to: links.map(toExactId) },
    ]);
    changes.push(keepFields(change, keep));
    for (const id of replaced) neededBy.get(id)?.push(change.key);
  }
  for (const { id, record } of sources)
    changes.push({
      ...createDeleteChange(resource, `${resource.name}/${id}`, record),
      needs: neededBy.get(id) ?? [],
      onlyIfUnused: true,
    });
  return { version: 1, site: createSiteId(settings), changes: sortChanges(changes), unchanged: 0, skipped: [], conflicts: [] };
}

/** What belongs to a record itself, and is not taken from another one. */
const ownFields = ["slug", "status", "author", "date", "date_utc"];

/** The empty fields of the target with the first value that a merged record has. Of a text that can only be read as a page shows it, nothing is taken. */
function createFillChange(
  { resource, serverProfile }: RecordCommand,
  target: MergedRecord,
  sources: readonly MergedRecord[],
): Change | undefined {
  const values = toWritableRecord(resource, target, serverProfile);
  const isEmpty = (value: unknown) => value === undefined || isClearingValue(value);
  const filled = resource.fields.flatMap(({ name, format }) => {
    if (ownFields.includes(name) || !isEmpty(values[name])) return [];
    const readable = sources.filter(({ raw }) => format !== "html" || !serverProfile.rendersText || raw?.values[name] !== undefined);
    const to = readable.map((source) => toWritableRecord(resource, source, serverProfile)[name]).find((value) => !isEmpty(value));
    return to === undefined ? [] : [{ field: name, from: values[name], to }];
  });
  const { record, id } = target;
  return filled.length === 0 ? undefined : createUpdateChange(resource, `${resource.name}/${id}`, record, filled);
}
