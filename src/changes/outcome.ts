// What became of a change whose answer did not come: told by the record as it is now.
import type { RecordSource } from "../api/refs.ts";
import type { CurrentRecord } from "../api/update.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { readIfThere, showsValue } from "./apply.ts";
import type { SiteId } from "./change.ts";
import { appendResolution, type JournalEntry, type JournaledChange, listJournals, readOperation } from "./history.ts";
import type { Journal, Outcome } from "./journal.ts";
import { findSameRecords, getAfter, getNewValues } from "./plan.ts";

export interface Resolution extends Outcome {
  readonly resolved: "done" | "failed";
}

/** Reads the site to find out; `started` is when the operation began. Undefined where the site does not tell it either. */
export async function resolveOutcome(site: RecordSource, journaled: JournaledChange, started: string): Promise<Resolution | undefined> {
  const { change } = journaled;
  if (change.resource === "media") return undefined;
  const resource = resources[change.resource];
  if (change.op === "create") return resolveCreate(site, resource, journaled, started);
  const current = await readIfThere(site, resource, change.id ?? "");
  return judge(site, resource, journaled, current);
}

/** The same for a record that was read already; undefined is a record that is gone. */
function judge(
  site: RecordSource,
  resource: Resource,
  journaled: JournaledChange,
  current: CurrentRecord | undefined,
): Resolution | undefined {
  const { change } = journaled;
  const isThere = current !== undefined && getText(current.record, "status") !== "trash";
  const toResolution = (isDone: boolean): Resolution =>
    isDone && isThere && change.op !== "delete"
      ? { resolved: "done", id: change.id, after: getAfter(resource, change, current.record, site.serverProfile) }
      : { resolved: isDone ? "done" : "failed" };
  if (change.op === "delete") return toResolution(!isThere);
  if (change.op === "restore") return toResolution(isThere);
  if (current === undefined) return undefined;
  // Of a change of several requests the record can't tell whether the last one was executed.
  if (isBegun(site, resource, journaled, current)) return journaled.follow === undefined ? toResolution(true) : undefined;
  return change.fields.every((field) => showsValue(resource, field, field.from, current, site.serverProfile))
    ? toResolution(false)
    : undefined;
}

/**
 * The settling of earlier changes of a record, before the next one: what the record shows is added to the journal, and a change whose last
 * request is missing is completed.
 */
export function createSettler(stateFolder: string, siteId: SiteId): Journal["settle"] {
  let unknown: Promise<ReadonlyMap<string, readonly UnknownChange[]>> | undefined;
  const settled = new Set<UnknownChange>();
  return async (site, resource, current) => {
    // A folder that can't be read is reported when the journal is begun.
    unknown ??= readUnknownChanges(stateFolder, siteId).catch(() => new Map());
    let isSent = false;
    for (const one of (await unknown).get(`${resource.name}/${idOf(current.record) ?? ""}`) ?? []) {
      if (settled.has(one)) continue;
      settled.add(one);
      const { entry, journaled } = one;
      const { follow, n } = journaled;
      if (follow !== undefined && isBegun(site, resource, journaled, current)) {
        await site.client.write(follow);
        isSent = true;
        appendResolution(entry, {
          n,
          resolved: "done",
          id: journaled.id,
          after: getAfter(resource, journaled.change, current.record, site.serverProfile),
        });
      } else {
        const found = judge(site, resource, journaled, current);
        if (found !== undefined) appendResolution(entry, { n, ...found });
      }
    }
    return isSent;
  };
}

interface UnknownChange {
  readonly entry: JournalEntry;
  readonly journaled: JournaledChange;
}

/** By `<resource>/<id>`. Operations that are still running are left alone. */
async function readUnknownChanges(stateFolder: string, siteId: SiteId): Promise<ReadonlyMap<string, readonly UnknownChange[]>> {
  const found = new Map<string, UnknownChange[]>();
  for (const entry of listJournals(stateFolder)) {
    const operation = entry.state === "open" ? await readOperation(entry) : undefined;
    if (operation === undefined || operation.header.site !== siteId || operation.state === "running") continue;
    for (const journaled of operation.changes) {
      const { status, id = journaled.change.id, change } = journaled;
      if (status !== "unknown" || id === undefined) continue;
      const key = `${change.resource}/${id}`;
      found.set(key, [...(found.get(key) ?? []), { entry, journaled }]);
    }
  }
  return found;
}

/** Whether the first request of a change was executed. */
function isBegun(
  { serverProfile }: RecordSource,
  resource: Resource,
  { change, isAnswered }: JournaledChange,
  current: CurrentRecord,
): boolean {
  return isAnswered || change.fields.every((field) => showsValue(resource, field, field.to, current, serverProfile));
}

/** A record of that kind which is as old as the operation is the one. Several can't be told apart. */
async function resolveCreate(
  site: RecordSource,
  resource: Resource,
  { change }: JournaledChange,
  started: string,
): Promise<Resolution | undefined> {
  const found = (await findSameRecords(site, resource, getNewValues(change))).filter((record) => !isOlder(record, started));
  const [record] = found;
  if (record === undefined) return { resolved: "failed" };
  if (found.length > 1) return undefined;
  return { resolved: "done", id: idOf(record), after: getAfter(resource, change, record, site.serverProfile) };
}

/** The clocks of the site and of this machine may differ by an hour. */
const maxClockDifferenceMs = 3_600_000;

function isOlder(record: DataRecord, started: string): boolean {
  const created = Date.parse(`${getText(record, "date_utc").replace(" ", "T")}Z`);
  return created < Date.parse(started) - maxClockDifferenceMs;
}
