// Carries out the changes of a plan that waited: in a file, for a question, or as the reverse of an operation. Each record is read again first.
import { findLinkedEvents } from "../api/linked-events.ts";
import { type PricePlan, restorePrice } from "../api/price.ts";
import { isUnknownOutcome } from "../api/problems.ts";
import { readRawRecord } from "../api/raw-record.ts";
import { fetchRecord, findInTrash, type RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import { buildCreateRequest, buildDeleteRequest, type Input } from "../api/request.ts";
import { buildWriteBody, type CurrentRecord, findDifferences, isSameValue, planUpdate, toExactId, toWritableValue } from "../api/update.ts";
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { valueToText } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { type Change, type FieldChange, isKeyRef } from "./change.ts";
import { normalizeValue } from "./compare.ts";
import type { ImageFolder } from "./image-file.ts";
import type { Journal } from "./journal.ts";
import { findSameRecords, getNewValues, hashRecord, readRemovedLinks } from "./plan.ts";
import type { Result } from "./result.ts";
import type { Attempt } from "./run-concurrently.ts";
import type { Uploads } from "./uploads.ts";
import { sendChange, type Target, writeChange, writeUpdate } from "./write.ts";

/** A price as it was stored once, and the record that showed it. */
export interface FormerPrice {
  readonly price: PricePlan;
  readonly shown: DataRecord;
}

export interface ApplyOptions {
  readonly site: RecordSource;
  readonly journal: Journal;
  /** Whether a record that a create would make may be there already, because the same plan was begun before. */
  readonly mayBeDone: boolean;
  /** The price that a create or an update of this plan restores. */
  readonly getPrice?: ((change: Change) => FormerPrice | undefined) | undefined;
  /** Rejects where the server would change an existing record instead of creating one. */
  readonly assertCreatable: (site: RecordSource, resource: Resource, values: Input) => Promise<void>;
  /** Of plans with files. */
  readonly media?: PlanMedia | undefined;
}

/** Where the files of a plan are, and which were uploaded before. */
export interface PlanMedia {
  readonly uploads: Uploads;
  readonly images: ImageFolder | undefined;
  readonly warn: (text: string) => Promise<void>;
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
  const needed = new Set(changes.flatMap(({ needs }) => needs));
  const ended = new Map(changes.flatMap(({ key }) => (needed.has(key) ? [[key, createSignal<Ended>()]] : [])));
  const writesEnded = createSignal<void>();
  let writes = changes.filter(({ op }) => op !== "delete").length;
  if (writes === 0) writesEnded.resolve();
  const pictures = createUploadTracker(changes, options);
  return async (change: Change, _attempt: Attempt, site: RecordSource): Promise<Carried> => {
    let outcome: Ended = { isDone: false };
    let failure: unknown;
    try {
      if (change.op === "delete") await writesEnded.promise;
      const ids = new Map<string, string>();
      for (const key of change.needs) {
        const needed = await ended.get(key)?.promise;
        if (needed?.isDone !== true)
          throw new CalError("rejected", `not tried: it needs ${key}, which was not written`, { code: "not-tried" });
        if (needed.id !== undefined) ids.set(key, needed.id);
      }
      const ready = replaceKeyRefs(change, ids);
      const carried = change.resource === "media" ? await pictures.carryOut(ready, site) : await carryOut(ready, { ...options, site });
      const isDone = carried.status === "done" || carried.status === "unchanged";
      outcome = { isDone, id: carried.record === undefined ? change.id : (idOf(carried.record) ?? change.id) };
      await pictures.verify(ready, carried, ids);
      return carried;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await pictures.end(change, outcome.isDone, failure);
      ended.get(change.key)?.resolve(outcome);
      if (change.op !== "delete" && --writes === 0) writesEnded.resolve();
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
  // The interface types the id of an image as a text.
  const toText = (name: string, value: unknown) => (name === "image" && typeof value === "number" ? String(value) : value);
  return { ...change, fields: change.fields.map((field) => ({ ...field, to: toText(field.name, replace(field.to)) })) };
}

/** The uploads of a plan: carried out, compared with the answers, and deleted again where every change that needs one has failed. */
function createUploadTracker(changes: readonly Change[], { site, journal, media }: ApplyOptions) {
  const made = new Map<string, { readonly change: Change; readonly id: string }>();
  const users = new Map<string, Set<string>>();
  for (const { key, needs } of changes) for (const need of needs) users.set(need, (users.get(need) ?? new Set()).add(key));
  const getTarget = (own: RecordSource) => {
    if (media === undefined) throw new Error("a plan with files needs the uploads of the site");
    return { site: own, journal, uploads: media.uploads };
  };
  return {
    carryOut: async (change: Change, own: RecordSource): Promise<Carried> => {
      const { deleteUpload, findPlannedFile, uploadFile } = await import("./media.ts");
      const target = getTarget(own);
      if (change.op === "delete") {
        await deleteUpload(target, change);
        return { status: "done" };
      }
      const file = findPlannedFile(change, media?.images);
      const uploaded = await uploadFile(target, change, file);
      if (uploaded instanceof PlannedRequest) return { status: "done" };
      if (uploaded.isNew) made.set(change.key, { change, id: uploaded.id });
      else target.uploads.share(file.sha256);
      return { status: uploaded.isNew ? "done" : "unchanged", record: uploaded.record };
    },
    /** Warns where the answer of a write does not show the picture that was uploaded for it. */
    verify: async ({ resource, key, fields }: Change, { record }: Carried, ids: ReadonlyMap<string, string>): Promise<void> => {
      const image = fields.find(({ name }) => name === "image")?.to;
      if (resource === "media" || record === undefined || ![...ids.values()].some((id) => id === image)) return;
      if (findDifferences(resources[resource], { image }, record, site.serverProfile).length > 0)
        await media?.warn(`${key}: the answer does not show the picture ${valueToText(image)}`);
    },
    end: async ({ key, needs }: Change, isDone: boolean, failure: unknown): Promise<void> => {
      for (const need of needs) {
        if (isDone) made.delete(need);
        const left = users.get(need);
        left?.delete(key);
        const upload = made.get(need);
        if (upload === undefined || media === undefined) continue;
        const isUnknown = failure instanceof CalError && isUnknownOutcome(failure);
        if (left?.size !== 0 && !isUnknown) continue;
        made.delete(need);
        const { discardUpload } = await import("./media.ts");
        await discardUpload(getTarget(site), upload.change, upload.id, failure, media.warn);
      }
    },
  };
}

async function carryOut(change: Change, options: ApplyOptions): Promise<Carried> {
  if (change.resource === "media") throw new Error("a file is no record");
  const resource = resources[change.resource];
  if (change.op === "create") return create(resource, change, options);
  if (change.op === "restore") return restore(resource, change, options);
  return change.op === "update" ? update(resource, change, options) : remove(resource, change, options);
}

async function create(resource: Resource, change: Change, options: ApplyOptions): Promise<Carried> {
  const { site, journal, mayBeDone, getPrice, assertCreatable } = options;
  const values = getNewValues(change);
  const found = mayBeDone ? await findSameRecords(site, resource, values) : [];
  const [record] = found;
  if (record !== undefined && found.length === 1) return { status: "unchanged", record };
  if (found.length > 1) {
    const ids = found.flatMap((one) => idOf(one) ?? []).join(", ");
    throw new CalError("rejected", `the site has several records like the one to create: ${ids}; nothing was sent`, {
      code: "several-matches",
    });
  }
  await assertCreatable(site, resource, values);
  const body = buildWriteBody(resource, values, site.serverProfile, undefined);
  const request = buildCreateRequest(site, resource, body);
  const price = getPrice?.(change);
  const send = async (journaled: RecordSource): Promise<DataRecord | undefined> => {
    const reply = await journaled.client.write(request);
    if (reply instanceof PlannedRequest) return undefined;
    const answer = parseRecord(resource, reply, request);
    const id = idOf(answer);
    if (price === undefined || id === undefined) return answer;
    const restored = await restorePrice(journaled, resource, id, { price: price.price, former: price.shown, answer });
    return restored instanceof PlannedRequest ? answer : restored;
  };
  const created = await writeChange({ site, journal, resource }, { change }, send, (answer) => answer && { record: answer });
  return { status: "done", ...(created !== undefined && { record: created }) };
}

async function update(resource: Resource, change: Change, options: ApplyOptions): Promise<Carried> {
  const { site, journal, getPrice } = options;
  const current = await readCurrent(site, resource, change.id ?? "");
  const { serverProfile } = site;
  if (change.fields.every((field) => showsValue(resource, field, field.to, current, serverProfile)))
    return { status: "unchanged", record: current.record };
  assertUnchanged(resource, change, current, site);
  const input = getNewValues(change);
  const plan = planUpdate(resource, current, input, serverProfile, "PATCH");
  return sendPlannedUpdate({ site, journal, resource }, change, current, {
    price: plan.price,
    ...getPrice?.(change),
    body: plan.body,
    input,
  });
}

interface PlannedBody {
  readonly body: Input;
  readonly input: Input;
  readonly price?: PricePlan | undefined;
  readonly shown?: DataRecord;
}

async function sendPlannedUpdate(
  target: Target,
  change: Change,
  current: CurrentRecord,
  { body, input, ...price }: PlannedBody,
): Promise<Carried> {
  const { id = "" } = change;
  const update = { path: { by: "id", id }, id, method: "PATCH", body, input } as const;
  const { response } = await writeUpdate(target, change, update, { former: current, ...price });
  return { status: "done", ...(isRecord(response) && { record: response }) };
}

async function remove(resource: Resource, change: Change, { site, journal }: ApplyOptions): Promise<Carried> {
  const { id = "" } = change;
  const current = await readIfThere(site, resource, id);
  if (current === undefined) return { status: "unchanged" };
  const { record, raw } = current;
  if (isTrashed(record)) return { status: "unchanged", record };
  assertUnchanged(resource, change, current, site);
  if (change.onlyIfUnused === true) await assertUnused(site, resource, id);
  const links = await readRemovedLinks(site, resource, id);
  const request = buildDeleteRequest(site.namespace, resource, { by: "id", id });
  await sendChange({ site, journal, resource }, { change, former: record, raw, links }, request);
  return { status: "done", record };
}

/** Rejects where an event links to the record. Those in the trash do not count. */
async function assertUnused(site: RecordSource, resource: Resource, id: string): Promise<void> {
  const { records } = await findLinkedEvents(site, resource, [id]);
  const used = records.filter((event) => !isTrashed(event)).flatMap((event) => idOf(event) ?? []);
  if (used.length === 0) return;
  throw new CalError("rejected", `${resource.singular} ${id} is not deleted: events still have it: ${used.join(", ")}`, {
    code: "in-use",
    hint: { text: "see one", command: `cal events get ${used[0]}` },
  });
}

/** An update brings a record back from the trash; what the update does not repeat, it would empty. */
async function restore(resource: Resource, change: Change, { site, journal }: ApplyOptions): Promise<Carried> {
  const current = await readTrashed(site, resource, change.id ?? "");
  if (!isTrashed(current.record)) return { status: "unchanged", record: current.record };
  const restored = { ...change, fields: change.fields.map((field) => addNewLinks(resource, field, current, site)) };
  const input = getNewValues(restored);
  const plan = planUpdate(resource, current, input, site.serverProfile, "PATCH");
  return sendPlannedUpdate({ site, journal, resource }, restored, current, { price: plan.price, body: plan.body, input });
}

/** A list of links of a restored record: those that it has in the trash, and those of the change that are new, in the order of the change. */
function addNewLinks(resource: Resource, change: FieldChange, { record }: CurrentRecord, { serverProfile }: RecordSource): FieldChange {
  const field = resource.fields.find(({ name }) => name === change.name);
  const own = field?.type === "integers" ? toWritableValue(field, record, serverProfile) : undefined;
  if (!Array.isArray(own) || !Array.isArray(change.from) || !Array.isArray(change.to)) return change;
  const [now, before, wanted] = [own, change.from, change.to].map((list: readonly unknown[]) => list.map(valueToText));
  const kept = change.to.filter((id) => now?.includes(valueToText(id)) || !before?.includes(valueToText(id)));
  return { ...change, to: [...kept, ...own.filter((id) => !wanted?.includes(valueToText(id)))] };
}

/** Reads a record for a write: as the interface shows it and, where this user may see it, as it is stored, both at the same time. */
async function readCurrent(site: RecordSource, resource: Resource, id: string): Promise<CurrentRecord> {
  const [record, raw] = await Promise.all([fetchRecord(site, resource, { by: "id", id }), readRawRecord(site, resource, id)]);
  return { record, raw };
}

/** The same; undefined for a record that is gone. */
export async function readIfThere(site: RecordSource, resource: Resource, id: string): Promise<CurrentRecord | undefined> {
  try {
    return await readCurrent(site, resource, id);
  } catch (error) {
    if (error instanceof CalError && error.kind === "not-found") return undefined;
    throw error;
  }
}

/** Recorded: newer versions show an event of the trash in lists only. */
async function readTrashed(site: RecordSource, resource: Resource, id: string): Promise<CurrentRecord> {
  try {
    return await readCurrent(site, resource, id);
  } catch (error) {
    if (!(error instanceof CalError) || error.details.code !== "event-no-longer-available") throw error;
    const [record, raw] = await Promise.all([findInTrash(site, resource, { by: "id", id }, id), readRawRecord(site, resource, id)]);
    return { record, raw };
  }
}

function isTrashed(record: DataRecord): boolean {
  return getText(record, "status") === "trash";
}

/** Rejects where somebody has changed the record since the plan was made: any part of it, or, where nothing was read then, one of its fields. */
function assertUnchanged(resource: Resource, { read, fields, id }: Change, current: CurrentRecord, { serverProfile }: RecordSource): void {
  const shows = (field: FieldChange, side: "from" | "to") => showsValue(resource, field, field[side], current, serverProfile);
  const changed = read === undefined ? fields.filter((field) => !shows(field, "from") && !shows(field, "to")) : [];
  const known = read?.how === "view" ? { record: current.record } : current;
  if (read === undefined ? changed.length === 0 : read.hash === hashRecord(resource, known, serverProfile).hash) return;
  const names = changed.length === 0 ? "" : ` (${changed.map(({ name }) => name).join(", ")})`;
  throw new CalError("rejected", `${resource.singular} ${id} was changed on the site in the meantime${names}; nothing was sent`, {
    code: "stale",
    hint: [
      { text: "see it as it is now", command: `cal ${resource.name} get ${id}` },
      ...(read === undefined ? [] : ["to write it all the same, make the plan again"]),
    ],
  });
}

/** Whether a record has this value. Where only rendered text can be read, its words count. */
export function showsValue(
  resource: Resource,
  { name }: Pick<FieldChange, "name">,
  value: unknown,
  { record, raw }: CurrentRecord,
  profile: RecordSource["serverProfile"],
): boolean {
  const field = resource.fields.find((one) => one.name === name);
  if (field === undefined) return false;
  const stored = raw?.values[name];
  const own = stored ?? toWritableValue(field, record, profile);
  if (normalizeValue(field, value) === normalizeValue(field, own) || isSameValue(field, value, own, profile)) return true;
  const isRendered = profile.rendersText && stored === undefined && (field.format === "html" || name === "cost");
  return isRendered && findDifferences(resource, { [name]: value }, record, profile).length === 0;
}
