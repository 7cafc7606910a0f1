// A record of an event as it happens on the viewer's clock.
import { type DataRecord, idOf, isRecord, textAt } from "../../api/record.ts";
import { epochToWall, wallToEpoch } from "../../dates/wall.ts";
import { isZone } from "../../dates/zone.ts";
import { plainText } from "../../http/clean.ts";
import type { Category, Happening } from "../../output/calendar/day.ts";
import { instantOf } from "../records/listing/window.ts";

/** An event, placed: what a picture shows of it, the record, and where it begins and ends. */
export interface Placed {
  readonly happening: Happening;
  readonly record: DataRecord;
  /** Milliseconds since 1970; of an event that lasts all day undefined: it is on its days, whatever the clock. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Reads a record; undefined where its start can't be read. An end that is missing or before the start is the start. */
export function placed(record: DataRecord, zone: string): Placed | undefined {
  return record["all_day"] === true ? allDay(record) : timed(record, zone);
}

function allDay(record: DataRecord): Placed | undefined {
  const [firstDay, end] = ["start_date", "end_date"].map((key) => textAt(record, key).slice(0, 10));
  if (firstDay === undefined || wallToEpoch(`${firstDay} 00:00:00`, "UTC") === undefined) return undefined;
  const lastDay = end !== undefined && end > firstDay ? end : firstDay;
  return { record, happening: { ...described(record), firstDay, lastDay, long: true } };
}

function timed(record: DataRecord, zone: string): Placed | undefined {
  const start = instantOf(record, "start_date", zone);
  if (start === undefined) return undefined;
  const end = Math.max(start, instantOf(record, "end_date", zone) ?? start);
  const [begins, ends] = [epochToWall(start, zone), epochToWall(end, zone)];
  // An event that ends at midnight is not on the day that begins then.
  const last = epochToWall(Math.max(start, end - 1), zone);
  if (begins === undefined || ends === undefined || last === undefined) return undefined;
  const clock = { firstDay: begins.slice(0, 10), lastDay: last.slice(0, 10), starts: begins.slice(11, 16), ends: ends.slice(11, 16) };
  return {
    record,
    span: { start, end },
    happening: { ...described(record), ...clock, long: hoursBetween(begins, ends) >= 24, ...elsewhere(record, begins) },
  };
}

/** By the clock on the wall: from noon to noon it is a day, also where clocks change in between. */
function hoursBetween(from: string, to: string): number {
  return ((wallToEpoch(to, "UTC") ?? 0) - (wallToEpoch(from, "UTC") ?? 0)) / 3_600_000;
}

/** Its own clock, where that shows something else than the viewer's. */
function elsewhere(record: DataRecord, begins: string): Pick<Happening, "elsewhere"> {
  const own = textAt(record, "start_date");
  const zone = plainText(textAt(record, "timezone"));
  if (zone === "" || !isZone(zone) || own.slice(0, 16) === begins.slice(0, 16)) return {};
  return { elsewhere: `${own.slice(11, 16)} ${zone}` };
}

function described(record: DataRecord): Pick<Happening, "title" | "status" | "featured" | "categories" | "venue"> {
  return {
    title: plainText(textAt(record, "title")),
    status: plainText(textAt(record, "status")),
    featured: record["featured"] === true,
    categories: parts(record["categories"]).map(categoryOf),
    venue: parts(record["venue"])
      .map((venue) => plainText(textAt(venue, "venue")))
      .filter((name) => name !== "")
      .join(", "),
  };
}

/** Linked records, one or several; servers that answer with bare ids tell nothing to show. */
function parts(value: unknown): readonly DataRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function categoryOf(record: DataRecord): Category {
  const id = idOf(record) ?? textAt(record, "slug");
  return { id, name: plainText(textAt(record, "name")) || `category ${id}` };
}
