// A record of an event as it happens on the viewer's clock.
import { type DataRecord, getText, idOf, isRecord } from "../../api/record.ts";
import { epochToWall, wallToEpoch } from "../../dates/wall.ts";
import { isZone } from "../../dates/zone.ts";
import { toPlainText } from "../../http/clean.ts";
import type { CalendarCategory, CalendarEvent } from "../../output/calendar/day.ts";
import { instantOf } from "../records/listing/window.ts";

/** An event, placed: what a picture shows of it, the record, and where it begins and ends. */
export interface ViewEvent {
  readonly calendarEvent: CalendarEvent;
  readonly record: DataRecord;
  /** Milliseconds since 1970; of an event that lasts all day undefined: it is on its days, whatever the clock. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Reads a record; undefined where its start can't be read. An end that is missing or before the start is the start. */
export function toViewEvent(record: DataRecord, zone: string): ViewEvent | undefined {
  return record["all_day"] === true ? toAllDayEvent(record) : toTimedEvent(record, zone);
}

function toAllDayEvent(record: DataRecord): ViewEvent | undefined {
  const [firstDay, end] = ["start_date", "end_date"].map((key) => getText(record, key).slice(0, 10));
  if (firstDay === undefined || wallToEpoch(`${firstDay} 00:00:00`, "UTC") === undefined) return undefined;
  const lastDay = end !== undefined && end > firstDay ? end : firstDay;
  return { record, calendarEvent: { ...getDisplayFields(record), firstDay, lastDay, shownAsBar: true } };
}

function toTimedEvent(record: DataRecord, zone: string): ViewEvent | undefined {
  const start = instantOf(record, "start_date", zone);
  if (start === undefined) return undefined;
  const end = Math.max(start, instantOf(record, "end_date", zone) ?? start);
  const [begins, ends] = [epochToWall(start, zone), epochToWall(end, zone)];
  // An event that ends at midnight is not on the day that begins then.
  const last = epochToWall(Math.max(start, end - 1), zone);
  if (begins === undefined || ends === undefined || last === undefined) return undefined;
  const clock = { firstDay: begins.slice(0, 10), lastDay: last.slice(0, 10), startTime: begins.slice(11, 16), endTime: ends.slice(11, 16) };
  return {
    record,
    span: { start, end },
    calendarEvent: {
      ...getDisplayFields(record),
      ...clock,
      shownAsBar: hoursBetween(begins, ends) >= 24,
      ...getOwnZoneStart(record, begins),
    },
  };
}

/** By the clock on the wall: from noon to noon it is a day, also where clocks change in between. */
function hoursBetween(from: string, to: string): number {
  return ((wallToEpoch(to, "UTC") ?? 0) - (wallToEpoch(from, "UTC") ?? 0)) / 3_600_000;
}

/** Its own clock, where that shows something else than the viewer's. */
function getOwnZoneStart(record: DataRecord, begins: string): Pick<CalendarEvent, "startInEventZone"> {
  const own = getText(record, "start_date");
  const zone = toPlainText(getText(record, "timezone"));
  if (zone === "" || !isZone(zone) || own.slice(0, 16) === begins.slice(0, 16)) return {};
  return { startInEventZone: `${own.slice(11, 16)} ${zone}` };
}

function getDisplayFields(record: DataRecord): Pick<CalendarEvent, "title" | "status" | "featured" | "categories" | "venue"> {
  return {
    title: toPlainText(getText(record, "title")),
    status: toPlainText(getText(record, "status")),
    featured: record["featured"] === true,
    categories: toRecords(record["categories"]).map(toCategory),
    venue: toRecords(record["venue"])
      .map((venue) => toPlainText(getText(venue, "venue")))
      .filter((name) => name !== "")
      .join(", "),
  };
}

/** Linked records, one or several; servers that answer with bare ids tell nothing to show. */
function toRecords(value: unknown): readonly DataRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function toCategory(record: DataRecord): CalendarCategory {
  const id = idOf(record) ?? getText(record, "slug");
  return { id, name: toPlainText(getText(record, "name")) || `category ${id}` };
}
