// The days of a view as data: what --json prints, and the columns of its TSV and CSV.
import { textAt } from "../../api/record.ts";
import { epochToWall, wallToEpoch } from "../../dates/wall.ts";
import { daysBetween } from "../../output/calendar/day.ts";
import type { DataRecord } from "../../output/report.ts";
import type { Column } from "../../spec/resource.ts";
import type { Placed } from "./happening.ts";
import type { PlacedDay } from "./placing.ts";

/** The columns of days. */
export const dayColumns: readonly Column[] = [
  { header: "DATE", path: "date", kind: "text", priority: 1 },
  { header: "WEEKDAY", path: "weekday", kind: "text", priority: 4 },
  { header: "TODAY", path: "today", kind: "flag", priority: 3 },
  { header: "IDS", path: "events.id", kind: "text", priority: 5 },
  { header: "EVENTS", path: "events.title", kind: "name", priority: 2 },
];

/** A day: `{date, weekday, today, events}`. */
export function dayData({ date, weekday, today, events }: PlacedDay, zone: string): DataRecord {
  return { date, weekday, today, events: events.map((event) => eventData(event, date, zone)) };
}

/**
 * An event on one of its days: texts are plain words; `start` and `end` are RFC 3339 with the offset of the view's zone,
 * or, of an event that lasts all day, its first and last day; `day` of `days` counts where it takes several.
 */
function eventData({ happening, record, span }: Placed, date: string, zone: string): DataRecord {
  const { title, status, featured, firstDay, lastDay, venue, categories } = happening;
  return {
    id: record["id"],
    title,
    start: span === undefined ? firstDay : stamp(span.start, zone),
    end: span === undefined ? lastDay : stamp(span.end, zone),
    all_day: span === undefined,
    day: daysBetween(firstDay, date) + 1,
    days: daysBetween(firstDay, lastDay) + 1,
    timezone: textAt(record, "timezone"),
    status,
    featured,
    venue,
    categories: categories.map(({ name }) => name),
    url: textAt(record, "url"),
  };
}

/** `2027-01-16T20:00:00-05:00`. */
function stamp(epoch: number, zone: string): string {
  const wall = epochToWall(epoch, zone) ?? "";
  const minutes = Math.round(((wallToEpoch(wall, "UTC") ?? epoch) - epoch) / 60_000);
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${wall.replace(" ", "T")}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
