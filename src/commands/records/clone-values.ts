// The values of a copy of a record, also at another time: what `clone` and `repeat` create.
import { planPrice } from "../../api/price.ts";
import type { Input } from "../../api/request.ts";
import { type CurrentRecord, isClearingValue, toWritableRecord } from "../../api/update.ts";
import type { DataRecord } from "../../data-record.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import type { Resource } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { isAllDay, moveEndToLastDay } from "./all-day.ts";

/** Fields that belong to one record only: its slug, and when and by whom it was created. */
const excludedFields = ["slug", "date", "date_utc", "author"];

/** Statuses that need a date of publication, or in which no record is created. */
const excludedStatuses = ["future", "trash"];

/** The values of the copy, and warnings about what can't be copied. A field that the input empties is left out: a new record has nothing to empty. */
export function createCloneValues(resource: Resource, current: CurrentRecord, input: Input, profile: ServerProfile) {
  const { record, raw } = current;
  const end = computeCloneEnd(record, input);
  const copied: Record<string, unknown> = { ...toWritableRecord(resource, current, profile), ...end.values };
  const price = profile.rendersText && copied["cost"] !== undefined && input["cost"] === undefined ? planPrice(record, raw) : undefined;
  if (price !== undefined) copied["cost"] = price.cost;
  const warnings = [...end.warnings];
  for (const name of excludedFields) delete copied[name];
  const rendered = resource.fields.filter(({ name, format }) => profile.rendersText && format === "html" && copied[name] !== undefined);
  const isStored = (name: string) => raw?.values[name] !== undefined;
  const lost = rendered
    .filter(({ name }) => input[name] === undefined && !isStored(name) && !isClearingValue(copied[name]))
    .map(({ name }) => name);
  for (const { name } of rendered) if (!isStored(name) || isClearingValue(copied[name])) delete copied[name];
  if (lost.length > 0) {
    const flags = lost.map((name) => `--${name}`).join(", ");
    warnings.push(`not copied: ${lost.join(", ")}; this server returns only rendered HTML; give it again with ${flags}`);
  }
  if (input["status"] === undefined && excludedStatuses.includes(String(copied["status"]))) {
    warnings.push(`the copy is a draft: the status ${String(copied["status"])} is not copied`);
    copied["status"] = "draft";
  }
  const values = Object.fromEntries(Object.entries({ ...copied, ...input }).filter(([name]) => !isClearingValue(input[name])));
  return { values: moveEndToLastDay(values), warnings, price };
}

/** With a new start alone the copy has the duration of the record, by local times. An end that a clock change skips is moved forward. */
export function computeCloneEnd(record: DataRecord, input: Input): { readonly values: Input; readonly warnings: readonly string[] } {
  const none = { values: {}, warnings: [] };
  if (input["start_date"] === undefined || input["end_date"] !== undefined) return none;
  // The copy of an event that lasts all day takes as many days, whatever the hour of its start.
  const toStart = (wall: unknown) => (isAllDay(input, record) ? `${String(wall).slice(0, 10)} 00:00:00` : String(wall));
  const [start, end, newStart] = [toStart(record["start_date"]), String(record["end_date"]), toStart(input["start_date"])].map((wall) =>
    wallToEpoch(wall, "UTC"),
  );
  if (start === undefined || end === undefined || newStart === undefined) return none;
  const wall = epochToWall(newStart + end - start, "UTC");
  if (wall === undefined) return none;
  const zone = String(input["timezone"]);
  const existing = epochToWall(wallToEpoch(wall, zone) ?? Number.NaN, zone) ?? wall;
  const warnings = existing === wall ? [] : [`${wall} does not exist in ${zone}: ${existing} is taken`];
  return { values: { end_date: existing }, warnings };
}
