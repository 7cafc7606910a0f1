// All events of a calendar that run in a stretch of days, from every page.
import { readPages } from "../api/pages.ts";
import type { Site } from "../api/refs.ts";
import type { Input } from "../api/request.ts";
import type { Context } from "../context.ts";
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { weekdays } from "../dates/day.ts";
import type { DateReference } from "../dates/parse.ts";
import { parseRange, type Range } from "../dates/range.ts";
import { epochToWall, isZone, shiftDays, wallToEpoch } from "../dates/zone.ts";
import { events } from "../model/events.ts";
import type { Column } from "../model/resource.ts";
import { type CalendarCategory, type CalendarDay, type CalendarEvent, countDaysBetween } from "../output/calendar/day.ts";
import { toPlainText } from "../text.ts";
import { resolvePaging } from "./records/list.ts";
import { createDateWindow, instantOf } from "./records/list-window.ts";

/** Reads them, and says what the server could not be asked for and what could not be placed. */
export async function readEventsInSpan(site: Site, filters: Input, stretch: TimeSpan, context: Context): Promise<readonly ViewEvent[]> {
  const window = createDateWindow({ from: stretch.from, to: stretch.to, running: true }, stretch.zone, site.serverProfile);
  if (window.limitationNotice !== undefined) await context.notice(window.limitationNotice);
  const { per_page, concurrency } = await context.settings();
  const paging = resolvePaging({ all: true }, { perPage: per_page?.value, filtersLocally: true, readsAllByDefault: false }, []);
  const found: ViewEvent[] = [];
  let unread = 0;
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
    for (const record of page.records) {
      const event = toViewEvent(record, stretch.zone);
      if (event === undefined) unread += 1;
      else if (overlapsSpan(event, stretch)) found.push(event);
    }
  }
  if (changed) await context.notice("the list changed while it was read, or the server repeats pages; every event is shown once");
  if (unread > 0) await context.warn(`${unread} of the events have a date that can't be read and are not shown: cal events list --json`);
  if (found.length === 0) await context.notice("no events");
  return found;
}

// The days of a view as data: what --json prints, and the columns of its TSV and CSV.

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

// A record of an event as it happens on the viewer's clock.

/** An event, placed: what a picture shows of it, the record, and where it begins and ends. */
interface ViewEvent {
  readonly calendarEvent: CalendarEvent;
  readonly record: DataRecord;
  /** Milliseconds since 1970; of an event that lasts all day undefined: it is on its days, whatever the clock. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Reads a record; undefined where its start can't be read. An end that is missing or before the start is the start. */
function toViewEvent(record: DataRecord, zone: string): ViewEvent | undefined {
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

// Events spread over the days on which they run.

/** A day with the events that run on it, in the order in which they are shown. */
export interface ViewDay extends CalendarDay {
  readonly viewEvents: readonly ViewEvent[];
}

/** Whether an event runs in the stretch. One that ends with the moment at which the stretch begins runs no more. */
function overlapsSpan({ span, calendarEvent }: ViewEvent, { from, to, zone }: TimeSpan): boolean {
  if (span === undefined) return calendarEvent.firstDay <= epochToDay(to, zone) && calendarEvent.lastDay >= epochToDay(from, zone);
  return span.start <= to && (span.start >= from || span.end > from);
}

/** Every day of the stretch, those without an event too. */
export function groupEventsByDay(events: readonly ViewEvent[], stretch: TimeSpan, now: number): readonly ViewDay[] {
  const today = epochToDay(now, stretch.zone);
  const sorted = [...events].sort(compareEvents);
  return listDays(stretch).map((date) => {
    const running = sorted.filter(({ calendarEvent: { firstDay, lastDay } }) => firstDay <= date && date <= lastDay);
    return {
      date,
      weekday: getWeekday(date),
      today: date === today,
      viewEvents: running,
      calendarEvents: running.map(({ calendarEvent }) => calendarEvent),
    };
  });
}

function getWeekday(date: string): string {
  // Day 0 of ISO's proleptic calendar that is a Monday.
  return weekdays[((countDaysBetween("1970-01-05", date) % 7) + 7) % 7] ?? "";
}

/** Bars before entries, longer bars first, then by start; by title where all that is equal. */
function compareEvents(left: ViewEvent, right: ViewEvent): number {
  const [a, b] = [left.calendarEvent, right.calendarEvent];
  if (a.shownAsBar !== b.shownAsBar) return a.shownAsBar ? -1 : 1;
  if (a.shownAsBar && a.firstDay !== b.firstDay) return a.firstDay < b.firstDay ? -1 : 1;
  if (a.shownAsBar && a.lastDay !== b.lastDay) return a.lastDay < b.lastDay ? 1 : -1;
  return (left.span?.start ?? 0) - (right.span?.start ?? 0) || a.title.localeCompare(b.title, "en");
}

// The days that a view shows, and the instants that they begin and end with.

/** What is asked for. */
export interface TimeSpan {
  /** Milliseconds since 1970; both included. */
  readonly from: number;
  readonly to: number;
  /** The zone on whose clock the days are. */
  readonly zone: string;
  readonly warnings: readonly string[];
}

/** The stretch of a range, on the clock of the zone that the range was typed with. */
export function toTimeSpan({ from, to }: Range): TimeSpan {
  return { from: from.epoch, to: to.epoch, zone: from.zone, warnings: [...new Set([...from.warnings, ...to.warnings])] };
}

/** The whole days that an instant to another one touches: what is shown as a day is shown to its end. */
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

/** Every day of a stretch. */
function listDays({ from, to, zone }: TimeSpan): readonly string[] {
  const last = epochToDay(to, zone);
  const days = [epochToDay(from, zone)];
  for (let day = days[0] ?? ""; day < last; days.push(day)) day = shiftDays(day, 1);
  return days;
}
