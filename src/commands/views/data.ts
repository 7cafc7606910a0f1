// The days of a view as data: what --json prints, and the columns of its TSV and CSV.
import { getText } from "../../api/record.ts";
import { epochToWall, wallToEpoch } from "../../dates/wall.ts";
import { countDaysBetween } from "../../output/calendar/day.ts";
import type { DataRecord } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";
import type { ViewEvent } from "./happening.ts";
import type { ViewDay } from "./placing.ts";

/** The columns of days. */
export const dayColumns: readonly Column[] = [
  { header: "DATE", path: "date", kind: "text", priority: 1 },
  { header: "WEEKDAY", path: "weekday", kind: "text", priority: 4 },
  { header: "TODAY", path: "today", kind: "flag", priority: 3 },
  { header: "IDS", path: "events.id", kind: "text", priority: 5 },
  { header: "EVENTS", path: "events.title", kind: "name", priority: 2 },
];

/** A day: `{date, weekday, today, events}`. */
export function toDayRecord({ date, weekday, today, viewEvents }: ViewDay, zone: string): DataRecord {
  return { date, weekday, today, events: viewEvents.map((event) => toEventRecord(event, date, zone)) };
}

/**
 * An event on one of its days: texts are plain words; `start` and `end` are RFC 3339 with the offset of the view's zone,
 * or, of an event that lasts all day, its first and last day; `day` of `days` counts where it takes several.
 */
function toEventRecord({ calendarEvent, record, span }: ViewEvent, date: string, zone: string): DataRecord {
  const { title, status, featured, firstDay, lastDay, venue, categories } = calendarEvent;
  return {
    id: record["id"],
    title,
    start: span === undefined ? firstDay : formatTimestamp(span.start, zone),
    end: span === undefined ? lastDay : formatTimestamp(span.end, zone),
    all_day: span === undefined,
    day: countDaysBetween(firstDay, date) + 1,
    days: countDaysBetween(firstDay, lastDay) + 1,
    timezone: getText(record, "timezone"),
    status,
    featured,
    venue,
    categories: categories.map(({ name }) => name),
    url: getText(record, "url"),
  };
}

/** `2027-01-16T20:00:00-05:00`. */
function formatTimestamp(epoch: number, zone: string): string {
  const wall = epochToWall(epoch, zone) ?? "";
  const minutes = Math.round(((wallToEpoch(wall, "UTC") ?? epoch) - epoch) / 60_000);
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${wall.replace(" ", "T")}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
