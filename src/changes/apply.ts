// Carries out the changes of a plan that waited: in a file, for a question, or as the reverse of an operation. Each record is read again first.
import type { RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import {
  type ApiRequest,
  buildCreateRequest,
  buildDeleteRequest,
  buildReadRequest,
  buildUpdateRequest,
  type Input,
} from "../api/request.ts";
import { buildWriteBody, findDifferences, isSameValue, planUpdate, toExactId, toWritableValue } from "../api/update.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { type Change, type FieldChange, isKeyRef } from "./change.ts";
import { normalizeValue } from "./compare.ts";
import type { Journal } from "./journal.ts";
import { findSameRecords, getNewValues, hashRecord, readRemovedLinks } from "./plan.ts";
import type { Result } from "./result.ts";
import type { Attempt } from "./run-concurrently.ts";
import { type PlannedChange, sendChange } from "./write.ts";

export interface ApplyOptions {
  readonly site: RecordSource;
  readonly journal: Journal;
  /** Whether a record that a create would make may be there already, because the same plan was begun before. */
  readonly mayBeDone: boolean;
  /** Rejects where the server would change an existing record instead of creating one. */
  readonly assertCreatable: (site: RecordSource, resource: Resource, values: Input) => Promise<void>;
}

type Carried = Pick<Result, "status" | "record">;

/** What a change needs has ended, one way or the other. */
interface Ended {
  readonly isDone: boolean;
  readonly id?: string | undefined;
}

/**
 * The work on the changes of one plan, which must be sorted: `runConcurrently` calls it for each. A change waits for those that it needs, and
 * a deletion for everything that is no deletion.
 */
export function createPlanWork(changes: readonly Change[], options: ApplyOptions) {
  const ended = new Map(changes.map(({ key }) => [key, createSignal<Ended>()]));
  const written = changes.flatMap(({ key, op }) => (op === "delete" ? [] : (ended.get(key)?.promise ?? [])));
  const waitForWrites = async () => void (await Promise.all(written));
  let writesEnded: Promise<void> | undefined;
  return async (change: Change, _attempt: Attempt, site: RecordSource): Promise<Carried> => {
    let outcome: Ended = { isDone: false };
    try {
      if (change.op === "delete") {
        writesEnded ??= waitForWrites();
        await writesEnded;
      }
      const ids = new Map<string, string>();
      for (const key of change.needs) {
        const needed = await ended.get(key)?.promise;
        if (needed?.isDone !== true)
          throw new CalError("rejected", `not tried: it needs ${key}, which was not written`, { code: "not-tried" });
        if (needed.id !== undefined) ids.set(key, needed.id);
      }
      const carried = await carryOut(replaceKeyRefs(change, ids), { ...options, site });
      const isDone = carried.status === "done" || carried.status === "unchanged";
      outcome = { isDone, id: carried.record === undefined ? change.id : (idOf(carried.record) ?? change.id) };
      return carried;
    } finally {
      ended.get(change.key)?.resolve(outcome);
    }
  };
}

function createSignal<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve: (value: T) => resolve(value) };
}

/** The change with the ids of the records that were created before it. */
function replaceKeyRefs(change: Change, ids: ReadonlyMap<string, string>): Change {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    const id = isKeyRef(value) ? ids.get(value.key) : undefined;
    return id === undefined ? value : toExactId(id);
  };
  return { ...change, fields: change.fields.map((field) => ({ ...field, to: replace(field.to) })) };
}

async function carryOut(change: Change, options: ApplyOptions): Promise<Carried> {
  if (change.resource === "media") throw new CalError("internal", "a plan can't upload files");
  const resource = resources[change.resource];
  if (change.op === "create") return create(resource, change, options);
  if (change.op === "restore") return restore(resource, change, options);
  return change.op === "update" ? update(resource, change, options) : remove(resource, change, options);
}

async function create(resource: Resource, change: Change, { site, journal, mayBeDone, assertCreatable }: ApplyOptions): Promise<Carried> {
  const values = getNewValues(change);
  const found = mayBeDone ? await findSameRecords(site, resource, values) : [];
  const [record] = found;
  if (record !== undefined && found.length === 1) return { status: "unchanged", record };
  if (found.length > 1) {
    const ids = found.flatMap((one) => idOf(one) ?? []).join(", ");
    throw new CalError("rejected", `several records are what would be created: ${ids}`, { code: "several-matches" });
  }
  await assertCreatable(site, resource, values);
  const body = buildWriteBody(resource, values, site.serverProfile, undefined);
  return send(resource, { change }, buildCreateRequest(site.namespace, resource, body), { site, journal });
}

async function update(resource: Resource, change: Change, { site, journal }: ApplyOptions): Promise<Carried> {
  const current = await read(site, resource, change);
  const values = getNewValues(change);
  const { serverProfile } = site;
  if (change.fields.every((field) => showsValue(resource, field, field.to, current, serverProfile)))
    return { status: "unchanged", record: current };
  assertUnchanged(resource, change, current, site);
  const { body } = planUpdate(resource, current, values, serverProfile, "PATCH");
  const request = buildUpdateRequest(site, resource, { by: "id", id: change.id ?? "" }, "PATCH", body);
  return send(resource, { change, former: current }, request, { site, journal });
}

async function remove(resource: Resource, change: Change, { site, journal }: ApplyOptions): Promise<Carried> {
  const current = await read(site, resource, change).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });
  if (current === undefined || isTrashed(current)) return { status: "unchanged", ...(current && { record: current }) };
  assertUnchanged(resource, change, current, site);
  const links = await readRemovedLinks(site, resource, change.id ?? "");
  const path = { by: "id", id: change.id ?? "" } as const;
  return send(resource, { change, former: current, links }, buildDeleteRequest(site.namespace, resource, path), { site, journal });
}

/** An update brings a record back from the trash; what the update does not repeat, it would empty. */
async function restore(resource: Resource, change: Change, { site, journal }: ApplyOptions): Promise<Carried> {
  const current = await read(site, resource, change).catch((error: unknown) => {
    // Newer sites do not show what is in the trash.
    if (error instanceof CalError && (error.kind === "not-found" || error.kind === "forbidden")) return undefined;
    throw error;
  });
  if (current !== undefined && !isTrashed(current)) return { status: "unchanged", record: current };
  const values = getNewValues(change);
  const lost = site.serverProfile.lostOnUpdate[resource.name] ?? [];
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => lost.includes(name) || name === "status"));
  const body = buildWriteBody(resource, kept, site.serverProfile, change.id);
  const request = buildUpdateRequest(site, resource, { by: "id", id: change.id ?? "" }, "PATCH", body);
  return send(resource, { change, former: current }, request, { site, journal });
}

async function send(
  resource: Resource,
  planned: PlannedChange,
  request: ApiRequest,
  { site, journal }: Pick<ApplyOptions, "site" | "journal">,
): Promise<Carried> {
  const reply = await sendChange({ site, journal, resource }, planned, request);
  if (reply instanceof PlannedRequest) return { status: "done" };
  const record = planned.change.op === "delete" ? planned.former : parseRecord(resource, reply, request);
  return { status: "done", ...(record && { record }) };
}

async function read(site: RecordSource, resource: Resource, { id = "" }: Change): Promise<DataRecord> {
  return parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, { by: "id", id })));
}

function isGone(error: unknown): boolean {
  return error instanceof CalError && error.kind === "not-found";
}

function isTrashed(record: DataRecord): boolean {
  return getText(record, "status") === "trash";
}

/** Rejects where somebody has changed the record since the plan was made: any part of it, or, where nothing was read then, one of its fields. */
function assertUnchanged(resource: Resource, { read: planned, fields, id }: Change, current: DataRecord, site: RecordSource): void {
  const { serverProfile } = site;
  const changed =
    planned === undefined
      ? fields.filter(
          (field) =>
            !showsValue(resource, field, field.from, current, serverProfile) &&
            !showsValue(resource, field, field.to, current, serverProfile),
        )
      : [];
  if (planned === undefined ? changed.length === 0 : planned.hash === hashRecord(resource, current, serverProfile)) return;
  const names = changed.length === 0 ? "" : ` (${changed.map(({ name }) => name).join(", ")})`;
  throw new CalError("rejected", `${resource.singular} ${id} was changed since then${names}; nothing was sent`, {
    code: "stale",
    hint: { text: "see it as it is now", command: `cal ${resource.name} get ${id}` },
  });
}

/** Whether a record has this value. Where only rendered text can be read, its words count. */
export function showsValue(
  resource: Resource,
  { name }: Pick<FieldChange, "name">,
  value: unknown,
  current: DataRecord,
  profile: RecordSource["serverProfile"],
): boolean {
  const field = resource.fields.find((one) => one.name === name);
  if (field === undefined) return false;
  const own = toWritableValue(field, current, profile);
  if (normalizeValue(field, value) === normalizeValue(field, own) || isSameValue(field, value, own, profile)) return true;
  const isRendered = profile.rendersText && (field.format === "html" || field.name === "cost");
  return isRendered && findDifferences(resource, { [name]: value }, current, profile).length === 0;
}
