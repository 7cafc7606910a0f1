// `cal undo [<operation>]`: plans the reverse of an operation, names what can't be taken back, asks, and carries it out.
import { isDeepStrictEqual } from "node:util";
import { planPrice } from "../api/price.ts";
import type { RecordSource } from "../api/refs.ts";
import { type CurrentRecord, getEmptyValue, isClearingValue, toExactId, toWritableRecord, toWritableValue } from "../api/update.ts";
import { type ApplyOptions, readIfThere } from "../changes/apply.ts";
import { type Change, createSiteId, type FieldChange, type Plan, type SiteId, type Skipped, sortChanges } from "../changes/change.ts";
import { type JournaledChange, listJournals, nameRecord, type Operation, readHeader, readOperation } from "../changes/history.ts";
import { createCreateChange, createRestoreChange } from "../changes/plan.ts";
import { openUploads } from "../changes/uploads.ts";
import { type Keep, keepFields } from "../changes/value-store.ts";
import type { Context } from "../context.ts";
import type { DataRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import { valueToText } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import type { Handler } from "./command.ts";
import { parseLimits } from "./limits.ts";
import { findNewestOperation, findOperation, openSource, resolveUnknown } from "./log.ts";
import { assertPlanWithinLimits, finishPlan, runPlan } from "./plan.ts";
import { findInteractiveUser } from "./prompt-user.ts";

export const undo: Handler = async (invocation, context) => {
  const { args } = invocation;
  const site = await openSource(context);
  const settings = await context.settings();
  const siteId = createSiteId(settings);
  const keep = await context.openStore();
  const operation = await chooseOperation(context, siteId, args[0], keep);
  const { operation: name, site: itsSite, command } = operation.header;
  if (operation.state === "running") throw new CalError("rejected", `${name} is still running`, { code: "running" });
  if (itsSite !== siteId)
    throw usageError(`${name} wrote to another site: ${itsSite}`, {
      text: "use its profile",
      command: `cal undo ${name} -p ${operation.header.profile}`,
    });
  const changes = await resolveUnknown(context, operation);
  const uploads = openUploads(context.folders.state, siteId);
  const newIds = await readNewIds(context, siteId, name);
  const recreated = await findRecreated(site, changes, newIds);
  const plan = planUndo(siteId, changes, {
    profile: site.serverProfile,
    newIds,
    recreated,
    isShared: (id) => uploads.findById(id)?.isShared === true,
    keep,
  });
  const options = {
    site,
    settings,
    mayBeDone: false,
    isRepeatable: true as const,
    undoes: name,
    getPrice: createPriceFinder(changes, site.serverProfile),
  };
  await assertPlanWithinLimits(context, plan, parseLimits(invocation), options);
  await context.notice(`undo ${name}: ${command}`);
  for (const { key, reason } of plan.skipped) await context.warn(`can't be undone: ${key}: ${reason}`);
  if (plan.changes.length + plan.unchanged === 0 && context.globals["dry-run"] !== true)
    throw new CalError("rejected", `nothing of ${name} can be undone`, { code: "nothing-to-undo" });
  return finishPlan(invocation, context, plan, async () => {
    const { followUndo } = await import("./series/follow.ts");
    return runPlan(context, plan, { ...options, follow: await followUndo(context, plan) });
  });
};

/** Without a name the newest operation of the site, which a user at a terminal sees before it is asked for. */
async function chooseOperation(context: Context, site: SiteId, name: string | undefined, keep: Keep): Promise<Operation> {
  if (name !== undefined) return findOperation(context, name, keep);
  const { globals } = context;
  const mustName = globals["dry-run"] !== true && (globals["yes"] === true || (await findInteractiveUser(context)) === undefined);
  const last = await findNewestOperation(context, site, keep);
  // The same command again goes on with an undo that was interrupted.
  const interrupted = last?.state === "interrupted" ? last.header.undoes : undefined;
  const newest = interrupted === undefined ? last : await findOperation(context, interrupted, keep);
  if (newest === undefined)
    throw new CalError("not-found", "nothing was written to this site yet", {
      code: "no-operation",
      hint: { text: "see all sites", command: "cal log --all-sites" },
    });
  if (mustName) {
    const hint = { text: `to undo the last one (${newest.header.command})`, command: `cal undo ${newest.header.operation} --yes` };
    throw usageError("with --yes or without a terminal, undo needs the name of the operation; nothing was undone", hint);
  }
  return newest;
}

interface UndoContext {
  readonly profile: ServerProfile;
  /** The new ids of records that an undo created anew, by `<resource>/<id>`. */
  readonly newIds: ReadonlyMap<string, string>;
  /** Those of them that are on the site: an undo before this one created them. */
  readonly recreated: ReadonlySet<string>;
  /** Whether a later operation uses an uploaded file too. */
  readonly isShared: (id: string) => boolean;
  /** Takes the fields of the changes. */
  readonly keep: Keep;
}

/** The reverse of the changes that were done, the last one first. */
function planUndo(site: SiteId, journaled: readonly JournaledChange[], { profile, newIds, recreated, isShared, keep }: UndoContext): Plan {
  const changes = new Map<string, Change>();
  const skipped: Skipped[] = [];
  // Records that this plan creates anew: links to them are filled in when their ids are known.
  const created = new Set<string>();
  // Records that it takes out of the trash: what links to them comes after them.
  const restored = new Set<string>();
  let unchanged = 0;
  const currentId = (resource: string, id: string): string => newIds.get(nameRecord(resource, id)) ?? id;
  // A deleted file can't be put back.
  const deletedFiles = new Set<string>();
  const add = (change: Change) => {
    const before = changes.get(change.key);
    changes.set(change.key, keepFields(before === undefined ? change : mergeUpdates(before, change), keep));
  };
  for (const one of [...journaled].reverse()) {
    const { change, status, former } = one;
    if (status === "failed") continue;
    const id = one.id ?? change.id;
    const key = id === undefined ? change.key : nameRecord(change.resource, id);
    const skip = (reason: string) => void skipped.push({ key, reason });
    if (status === "unknown") skip("its outcome is not known");
    else if (id === undefined) skip("its id is not known");
    else if (change.resource === "media") {
      if (change.op === "delete") deletedFiles.add(id);
      else if (isShared(id)) skip("another operation uses the picture too");
      else if (!deletedFiles.delete(id)) add(createUndoDelete(change, key, id));
    }
    if (change.resource === "media" || status === "unknown" || id === undefined) continue;
    const resource = resources[change.resource];
    if (one.existed === true) skip("the server changed a record that was there, and its former values are not known");
    else if (change.op === "create" || change.op === "restore")
      add(createUndoDelete(change, key, currentId(resource.name, id), toShownFields(resource, one)));
    else if (former === undefined) skip("it was not read before it was written");
    else if (change.op === "update") {
      const { fields, problems } = reverseFields(resource, one, former, { profile, deletedFiles });
      for (const problem of problems) skip(problem);
      if (fields.length > 0)
        add({
          op: "update",
          resource: resource.name,
          key,
          id: currentId(resource.name, id),
          ...(change.title && { title: change.title }),
          fields,
          needs: [],
        });
    } else if (!resource.isTerm && profile.deleteMode === "trashes") {
      const { status: formerStatus } = former;
      const change = createRestoreChange(resource, key, former, String(formerStatus));
      restored.add(key);
      add({ ...change, fields: [...change.fields, ...toFormerLinks(resource, former, profile)] });
    } else {
      const isThere = recreated.has(key);
      if (isThere) unchanged += 1;
      else created.add(key);
      const { links } = one;
      if (links === undefined) skip("it is created again, but it is not known which records linked to it");
      if (!isThere) add(createCreateChange(resource, key, toNewRecord(resource, { record: former, raw: one.raw }, profile)));
      for (const link of links ?? []) {
        const linkedKey = nameRecord(link.resource, link.id);
        // A child term moved up to the parent of the deleted one.
        const from = Array.isArray(link.value) ? link.value.filter((value) => valueToText(value) !== id) : (former[link.field] ?? 0);
        const field: FieldChange = { name: link.field, from, to: link.value, origin: "resolved" };
        add({ op: "update", resource: link.resource, key: linkedKey, id: currentId(link.resource, link.id), fields: [field], needs: [] });
      }
    }
  }
  for (const id of deletedFiles) skipped.push({ key: nameRecord("media", id), reason: "a deleted file can't be put back" });
  const linked = [...changes.values()].map((change) => keepFields(repairLinks(change, { created, restored }, currentId), keep));
  return { version: 1, site, changes: sortChanges(linked), unchanged, skipped, conflicts: [] };
}

/** What the site showed after the write: a record that shows something else was edited, and is not deleted. */
function toShownFields(resource: Resource, { after = {} }: JournaledChange): readonly FieldChange[] {
  return resource.fields.flatMap(({ name }): readonly FieldChange[] =>
    Object.hasOwn(after, name) ? [{ name, from: after[name], to: after[name], origin: "resolved" }] : [],
  );
}

/** The delete of what a change has made. */
function createUndoDelete({ resource, title }: Change, key: string, id: string, fields: readonly FieldChange[] = []): Change {
  return { op: "delete", resource, key, id, ...(title && { title }), fields, needs: [] };
}

/** Two changes of one record: fields that the record lost through several deletions. */
function mergeUpdates(first: Change, second: Change): Change {
  if (second.op !== "update" || (first.op !== "update" && first.op !== "create")) return second;
  const names = second.fields.map(({ name }) => name);
  const merged = second.fields.map((field) => {
    const before = first.fields.find(({ name }) => name === field.name);
    return before === undefined ? field : { ...field, ...(before.from === undefined ? {} : { from: before.from }) };
  });
  return { ...first, fields: [...first.fields.filter(({ name }) => !names.includes(name)), ...merged] };
}

/** The fields with their former values, and those that can't get them back. */
function reverseFields(
  resource: Resource,
  { change, after, raw }: JournaledChange,
  former: DataRecord,
  { profile, deletedFiles }: { readonly profile: ServerProfile; readonly deletedFiles: ReadonlySet<string> },
) {
  const problems: string[] = [];
  const fields = change.fields.flatMap((done): readonly FieldChange[] => {
    const field = resource.fields.find(({ name }) => name === done.name);
    if (field === undefined || done.origin === "preserved") return [];
    const stored = raw?.values[field.name];
    const price = profile.rendersText && field.name === "cost" ? planPrice(former, raw)?.cost : undefined;
    const to = stored ?? price ?? toWritableValue(field, former, profile) ?? getEmptyValue(field);
    const isRendered = profile.rendersText && field.format === "html" && stored === undefined && !isClearingValue(to);
    const reason = isClearingValue(to) ? profile.cannotClear[resource.name]?.[field.name] : undefined;
    if (field.format === "image" && deletedFiles.has(valueToText(to)))
      problems.push(`${field.name}: the picture ${valueToText(to)} was deleted from the site; upload it again: --image @<file>`);
    else if (reason !== undefined) problems.push(`${field.name} was empty, and can't be emptied on this server: ${reason}`);
    else if (isRendered) problems.push(`${field.name}: only its text as the page showed it is known`);
    else return [{ name: field.name, from: after?.[field.name] ?? done.to, to, origin: "input" }];
    return [];
  });
  return { fields, problems };
}

/** Finds the stored price that an update of the plan restores. */
function createPriceFinder(journaled: readonly JournaledChange[], { rendersText }: ServerProfile): ApplyOptions["getPrice"] {
  // Elsewhere a price is stored as it is sent.
  if (!rendersText) return undefined;
  const byKey = new Map<string, JournaledChange>();
  for (const one of journaled) {
    const key = nameRecord(one.change.resource, one.id ?? one.change.id ?? "");
    if (!byKey.has(key)) byKey.set(key, one);
  }
  return ({ key, op, fields }) => {
    if (op !== "update" || !fields.some(({ name }) => name === "cost")) return undefined;
    const { former, raw } = byKey.get(key) ?? {};
    const price = former && planPrice(former, raw);
    return price && { price, shown: former };
  };
}

/** The values of a record that is created anew. */
function toNewRecord(resource: Resource, former: CurrentRecord, profile: ServerProfile) {
  const values = toWritableRecord(resource, former, profile);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isClearingValue(value)));
}

/** The lists of links of a record that is restored. The server takes deleted records out of them also while it is in the trash. */
function toFormerLinks(resource: Resource, former: DataRecord, profile: ServerProfile): readonly FieldChange[] {
  return resource.fields.flatMap((field): readonly FieldChange[] => {
    const value = field.refersTo !== undefined && field.type === "integers" ? toWritableValue(field, former, profile) : undefined;
    return value === undefined ? [] : [{ name: field.name, from: value, to: value, origin: "resolved" }];
  });
}

/** Links to records with a new id, or to those that the plan creates. A restored record keeps its other links. */
function repairLinks(
  change: Change,
  { created, restored }: { readonly created: ReadonlySet<string>; readonly restored: ReadonlySet<string> },
  currentId: (resource: string, id: string) => string,
): Change {
  if (change.resource === "media") return change;
  const { fields } = resources[change.resource];
  const needs = new Set(change.needs);
  const repaired = change.fields.flatMap((one): FieldChange | readonly FieldChange[] => {
    const target = fields.find(({ name }) => name === one.name)?.refersTo;
    if (target === undefined) return one;
    const mapIds = (value: unknown, map: (id: string) => unknown): unknown => {
      if (Array.isArray(value)) return value.map((item) => mapIds(item, map));
      const text = valueToText(value);
      const mapped = /^[1-9]\d*$/.test(text) ? map(text) : text;
      return mapped === text ? value : mapped;
    };
    const toCurrentId = (id: string) => (currentId(target, id) === id ? id : toExactId(currentId(target, id)));
    const toLink = (id: string): unknown => {
      const key = nameRecord(target, id);
      if (restored.has(key)) needs.add(key);
      if (!created.has(key) || key === change.key) return toCurrentId(id);
      needs.add(key);
      return { key };
    };
    // A deletion writes no links.
    const to = mapIds(one.to, change.op === "delete" ? toCurrentId : toLink);
    if (change.op === "restore") return isDeepStrictEqual(one.to, to) ? [] : { ...one, to };
    return { ...one, ...(one.from === undefined ? {} : { from: mapIds(one.from, toCurrentId) }), to };
  });
  return { ...change, fields: repaired, needs: [...needs] };
}

/** The ids of records that were created anew, by what they were before. Where undoing `name` had unknown outcomes, they are looked up. */
async function readNewIds(context: Context, site: SiteId, name: string): Promise<ReadonlyMap<string, string>> {
  const newIds = new Map<string, string>();
  for (const entry of listJournals(context.folders.state)) {
    const header = await readHeader(entry);
    if (header?.site !== site || header.undoes === undefined) continue;
    const operation = await readOperation(entry);
    if (operation === undefined) continue;
    const changes = header.undoes === name ? await resolveUnknown(context, operation) : operation.changes;
    for (const { change, status, id } of changes) {
      // The newest journal comes first: an id that was replaced twice gets the last one.
      if (change.op === "create" && status === "done" && id !== undefined && !newIds.has(change.key))
        newIds.set(change.key, newIds.get(nameRecord(change.resource, id)) ?? id);
    }
  }
  return newIds;
}

/** The deleted records of an operation that are on the site again, with a new id. */
async function findRecreated(
  site: RecordSource,
  changes: readonly JournaledChange[],
  newIds: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { change, id: formerId = "" } of changes) {
    if (change.op !== "delete" || change.resource === "media") continue;
    const key = nameRecord(change.resource, formerId);
    const id = newIds.get(key);
    if (id !== undefined && (await readIfThere(site, resources[change.resource], id)) !== undefined) found.add(key);
  }
  return found;
}
