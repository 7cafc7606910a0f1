// The events that run in a span of time, and the days on which they run.
import { readPages } from "../api/pages.ts";
import type { RecordSource } from "../api/refs.ts";
import type { Input } from "../api/request.ts";
import type { Context } from "../context.ts";
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { weekdays } from "../dates/day.ts";
import type { DateReference } from "../dates/parse.ts";
import { parseRange, type Range } from "../dates/range.ts";
import { epochToWall, isZone, shiftDays, wallToEpoch } from "../dates/zone.ts";
import { toPlainText } from "../html-text.ts";
import { events } from "../model/events.ts";
import type { Column } from "../model/resource.ts";
import { type CalendarDay, type CalendarEvent, countDaysBetween } from "../output/calendar/day.ts";
import { unbreakable } from "../text.ts";
import { createDateWindow, instantOf } from "./records/date-window.ts";
import { resolvePaging } from "./records/list.ts";

/** The time from one instant to another. */
export interface TimeSpan {
  /** Milliseconds since 1970; both included. */
  readonly from: number;
  readonly to: number;
  /** The zone on whose clock the days are. */
  readonly zone: string;
  readonly warnings: readonly string[];
}

/** An event on the viewer's clock, with its record. */
export interface ViewEvent extends CalendarEvent {
  readonly record: DataRecord;
  /** Milliseconds since 1970; undefined for an all-day event: it is on its days, whatever the clock. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** A day with the events that run on it, in the order in which they are shown. */
interface ViewDay extends CalendarDay {
  readonly calendarEvents: readonly ViewEvent[];
}

/** Reads the events from every page. Notices name what the server could not be asked for, warnings what could not be placed. */
export async function readEventsInSpan(
  site: RecordSource,
  filters: Input,
  span: TimeSpan,
  context: Context,
  matches: (record: DataRecord) => boolean = () => true,
): Promise<readonly ViewEvent[]> {
  const window = createDateWindow({ from: span.from, to: span.to, running: true }, span.zone, site.serverProfile);
  if (window.limitationNotice !== undefined) await context.notice(window.limitationNotice);
  const { per_page, concurrency } = await context.settings();
  const paging = resolvePaging({ all: true }, { perPage: per_page?.value, filtersLocally: true, readsAllByDefault: false }, []);
  const found: ViewEvent[] = [];
  let unreadable = 0;
  let changed = false;
  for await (const page of readPages({
    client: site.client,
    namespace: site.namespace,
    resource: events,
    filters: { ...filters, ...window.filters },
    ...paging,
    concurrency: concurrency.value,
  })) {
    changed ||= page.listChanged;
    for (const record of page.records.filter(matches)) {
      const event = toViewEvent(record, span.zone);
      if (event === undefined) unreadable += 1;
      else if (overlapsSpan(event, span)) found.push(event);
    }
  }
  if (changed) await context.notice("the list changed while it was read, or the server repeats pages; every event is shown once");
  if (unreadable > 0)
    await context.warn(
      `${unreadable} of the events have a date that can't be read and are not shown: ${unbreakable("cal events list --json")}`,
    );
  if (found.length === 0) await context.notice("no events");
  return found;
}

/** The columns of days. */
export const dayColumns: readonly Column[] = [
  { header: "DATE", path: "date", kind: "text", priority: 1 },
  { header: "WEEKDAY", path: "weekday", kind: "text", priority: 4 },
  { header: "TODAY", path: "today", kind: "flag", priority: 3 },
  { header: "IDS", path: "events.id", kind: "text", priority: 5 },
  { header: "EVENTS", path: "events.title", kind: "name", priority: 2 },
];

/** A day: `{date, weekday, today, events}`. */
export function toDayRecord({ date, weekday, today, calendarEvents }: ViewDay, zone: string): DataRecord {
  return { date, weekday, today, events: calendarEvents.map((event) => toEventRecord(event, date, zone)) };
}

/**
 * An event on one of its days: texts are plain words; `start` and `end` are RFC 3339 with the offset of the view's zone,
 * or, for an all-day event, its first and last day; `day` of `days` counts the days of one that takes several.
 */
function toEventRecord(event: ViewEvent, date: string, zone: string): DataRecord {
  const { record, span, title, status, featured, firstDay, lastDay, venue, categories } = event;
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
export function formatTimestamp(epoch: number, zone: string): string {
  const wall = epochToWall(epoch, zone) ?? "";
  const minutes = Math.round(((wallToEpoch(wall, "UTC") ?? epoch) - epoch) / 60_000);
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${wall.replace(" ", "T")}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** Undefined where the start can't be read. An end that is missing or before the start is the start. */
export function toViewEvent(record: DataRecord, zone: string): ViewEvent | undefined {
  return record["all_day"] === true ? toAllDayEvent(record) : toTimedEvent(record, zone);
}

function toAllDayEvent(record: DataRecord): ViewEvent | undefined {
  const [firstDay = "", end = ""] = ["start_date", "end_date"].map((key) => getText(record, key).slice(0, 10));
  if (wallToEpoch(`${firstDay} 00:00:00`, "UTC") === undefined) return undefined;
  return { ...getDisplayFields(record), record, firstDay, lastDay: end > firstDay ? end : firstDay, shownAsBar: true };
}

function toTimedEvent(record: DataRecord, zone: string): ViewEvent | undefined {
  const start = instantOf(record, "start_date", zone);
  if (start === undefined) return undefined;
  const end = Math.max(start, instantOf(record, "end_date", zone) ?? start);
  const [startWall, endWall] = [epochToWall(start, zone), epochToWall(end, zone)];
  // An event that ends at midnight is not on the day that begins then.
  const lastWall = epochToWall(Math.max(start, end - 1), zone);
  if (startWall === undefined || endWall === undefined || lastWall === undefined) return undefined;
  const ownStart = getText(record, "start_date");
  const ownZone = toPlainText(getText(record, "timezone"));
  const differs = ownZone !== "" && isZone(ownZone) && ownStart.slice(0, 16) !== startWall.slice(0, 16);
  return {
    ...getDisplayFields(record),
    record,
    span: { start, end },
    firstDay: startWall.slice(0, 10),
    lastDay: lastWall.slice(0, 10),
    startTime: startWall.slice(11, 16),
    endTime: endWall.slice(11, 16),
    shownAsBar: hoursBetween(startWall, endWall) >= 24,
    ...(differs && { startInEventZone: `${ownStart.slice(11, 16)} ${ownZone}` }),
  };
}

/** By the wall clock: from noon to noon it is a day, also where clocks change in between. */
function hoursBetween(from: string, to: string): number {
  return ((wallToEpoch(to, "UTC") ?? 0) - (wallToEpoch(from, "UTC") ?? 0)) / 3_600_000;
}

function getDisplayFields(record: DataRecord): Pick<CalendarEvent, "title" | "status" | "featured" | "categories" | "venue"> {
  return {
    title: toPlainText(getText(record, "title")),
    status: toPlainText(getText(record, "status")),
    featured: record["featured"] === true,
    categories: toRecords(record["categories"]).map((category) => {
      const id = idOf(category) ?? getText(category, "slug");
      return { id, name: toPlainText(getText(category, "name")) || `category ${id}` };
    }),
    venue: toRecords(record["venue"])
      .map((venue) => toPlainText(getText(venue, "venue")))
      .filter((name) => name !== "")
      .join(", "),
  };
}

/** Linked records, one or several; none where the server sends bare ids. */
export function toRecords(value: unknown): readonly DataRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

/** Whether an event runs in the span. One that ends at the instant at which the span begins does not. */
function overlapsSpan(event: ViewEvent, { from, to, zone }: TimeSpan): boolean {
  if (event.span === undefined) return event.firstDay <= epochToDay(to, zone) && event.lastDay >= epochToDay(from, zone);
  return event.span.start <= to && (event.span.start >= from || event.span.end > from);
}

/** Every day of the span, also those without an event. */
export function groupEventsByDay(events: readonly ViewEvent[], { from, to, zone }: TimeSpan, now: number): readonly ViewDay[] {
  const today = epochToDay(now, zone);
  const last = epochToDay(to, zone);
  const sorted = [...events].sort(compareEvents);
  const dates = [epochToDay(from, zone)];
  for (let date = dates[0] ?? ""; date < last; dates.push(date)) date = shiftDays(date, 1);
  return dates.map((date) => ({
    date,
    // 1970-01-05 was a Monday.
    weekday: weekdays[((countDaysBetween("1970-01-05", date) % 7) + 7) % 7] ?? "",
    today: date === today,
    calendarEvents: sorted.filter(({ firstDay, lastDay }) => firstDay <= date && date <= lastDay),
  }));
}

/** Bars before entries, longer bars first, then by start, then by title. */
export function compareEvents(a: ViewEvent, b: ViewEvent): number {
  if (a.shownAsBar !== b.shownAsBar) return a.shownAsBar ? -1 : 1;
  if (a.shownAsBar && a.firstDay !== b.firstDay) return a.firstDay < b.firstDay ? -1 : 1;
  if (a.shownAsBar && a.lastDay !== b.lastDay) return a.lastDay < b.lastDay ? 1 : -1;
  return (a.span?.start ?? 0) - (b.span?.start ?? 0) || a.title.localeCompare(b.title, "en");
}

/** The span of a range, on the clock of the zone that the range was typed with. */
export function toTimeSpan({ from, to }: Range): TimeSpan {
  return { from: from.epoch, to: to.epoch, zone: from.zone, warnings: [...new Set([...from.warnings, ...to.warnings])] };
}

/** The span widened to whole days: what is shown as a day is shown to its end. */
export function expandToWholeDays(
  { from, to }: { readonly from: number; readonly to: number },
  reference: DateReference,
): Pick<TimeSpan, "from" | "to"> {
  const [first, last] = [from, to].map((epoch) => parseRange(epochToDay(epoch, reference.zone), reference));
  return { from: first?.from.epoch ?? from, to: last?.to.epoch ?? to };
}

/** The day of an instant: `YYYY-MM-DD`, or "" where its year is outside 0001 to 9999. */
export function epochToDay(epoch: number, zone: string): string {
  return epochToWall(epoch, zone)?.slice(0, 10) ?? "";
}
