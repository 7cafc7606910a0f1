// What became of a change whose answer did not come: told by the record as it is now.
import type { RecordSource } from "../api/refs.ts";
import { parseRecord } from "../api/reply.ts";
import { buildReadRequest } from "../api/request.ts";
import { toWritableRecord } from "../api/update.ts";
import { type DataRecord, getText, idOf } from "../data-record.ts";
import { CalError } from "../errors.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { showsValue } from "./apply.ts";
import type { JournaledChange } from "./history.ts";
import type { Outcome } from "./journal.ts";
import { findSameRecords, getNewValues } from "./plan.ts";

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
export function judge(
  { serverProfile }: RecordSource,
  resource: Resource,
  { change, follow, isAnswered }: JournaledChange,
  current: DataRecord | undefined,
): Resolution | undefined {
  const isThere = current !== undefined && getText(current, "status") !== "trash";
  const toResolution = (isDone: boolean): Resolution =>
    isDone && isThere && change.op !== "delete"
      ? { resolved: "done", id: change.id, after: toWritableRecord(resource, current, serverProfile) }
      : { resolved: isDone ? "done" : "failed" };
  if (change.op === "delete") return toResolution(!isThere);
  if (change.op === "restore") return toResolution(isThere);
  if (current === undefined) return undefined;
  const shows = (side: "from" | "to") => change.fields.every((field) => showsValue(resource, field, field[side], current, serverProfile));
  // Of a change of several requests the record can't tell whether the last one was executed.
  if (isAnswered || shows("to")) return follow === undefined ? toResolution(true) : undefined;
  return shows("from") ? toResolution(false) : undefined;
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
  return { resolved: "done", id: idOf(record), after: toWritableRecord(resource, record, site.serverProfile) };
}

/** The clocks of the site and of this machine may differ by an hour. */
const maxClockDifferenceMs = 3_600_000;

function isOlder(record: DataRecord, started: string): boolean {
  const created = Date.parse(`${getText(record, "date_utc").replace(" ", "T")}Z`);
  return created < Date.parse(started) - maxClockDifferenceMs;
}

async function readIfThere(site: RecordSource, resource: Resource, id: string): Promise<DataRecord | undefined> {
  try {
    return parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, { by: "id", id })));
  } catch (error) {
    if (error instanceof CalError && error.kind === "not-found") return undefined;
    throw error;
  }
}
