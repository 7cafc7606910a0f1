// Days, weeks, months, years and times of day as users type them: 2027-01-10, 2027-01, fri, next-week, eom, 7pm.
// Only types of Temporal are imported: the help needs the words of the grammar, and must not load Temporal.
import { usageError } from "../errors.ts";
import type { Duration } from "./duration.ts";
import type { Temporal } from "./temporal.ts";
import { startOfDay } from "./zone.ts";

/** A weekend is the Saturday and the Sunday of a week from Monday to Sunday, in every locale. */
export type DateUnit = "day" | "weekend" | "week" | "month" | "year";

/** One unit of the calendar. */
export interface DateSpan {
  readonly first: Temporal.PlainDate;
  readonly unit: DateUnit;
  /** Means its last moment also as a start: eod, eow, eom. */
  readonly endOnly?: true;
}

/** The days of the week in ISO order; Monday is 1 in Temporal and 0 here. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export type Weekday = (typeof weekdays)[number];

/** The unit that a word names, by its distance from the present one. */
const anchors: Readonly<
  Record<string, { readonly unit: "day" | "weekend" | "week" | "month"; readonly offset: number; readonly endOnly?: true }>
> = {
  today: { unit: "day", offset: 0 },
  tomorrow: { unit: "day", offset: 1 },
  yesterday: { unit: "day", offset: -1 },
  weekend: { unit: "weekend", offset: 0 },
  "this-weekend": { unit: "weekend", offset: 0 },
  "next-weekend": { unit: "weekend", offset: 1 },
  "this-week": { unit: "week", offset: 0 },
  "next-week": { unit: "week", offset: 1 },
  "last-week": { unit: "week", offset: -1 },
  "this-month": { unit: "month", offset: 0 },
  "next-month": { unit: "month", offset: 1 },
  "last-month": { unit: "month", offset: -1 },
  eod: { unit: "day", offset: 0, endOnly: true },
  eow: { unit: "week", offset: 0, endOnly: true },
  eom: { unit: "month", offset: 0, endOnly: true },
};

/** Every word of the grammar that names days; `now` is not one of them. */
export const anchorWords: readonly string[] = [...Object.keys(anchors), ...weekdays.flatMap((name) => [name, name.slice(0, 3)])];

/** Parses an anchor in lower case. A weekday is the next such day, today included. */
export function parseAnchor(word: string, today: Temporal.PlainDate, weekStart: Weekday): DateSpan | undefined {
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  if (weekday !== -1) return { first: today.add({ days: (weekday + 8 - today.dayOfWeek) % 7 }), unit: "day" };
  const anchor = Object.hasOwn(anchors, word) ? anchors[word] : undefined;
  if (anchor === undefined) return undefined;
  const { unit, offset, ...rest } = anchor;
  if (unit === "weekend") return { first: weekOf(today, "monday").first.add({ weeks: offset, days: 5 }), unit };
  const first = unit === "day" ? today : unit === "week" ? weekOf(today, weekStart).first : monthOf(today).first;
  return { first: first.add({ [`${unit}s`]: offset }), unit, ...rest };
}

/** Parses YYYY, YYYY-MM or YYYY-MM-DD in the calendar of `today`. Undefined for another form; a usage error where there is no such day. */
export function parseCalendarDate(text: string, today: Temporal.PlainDate): DateSpan | undefined {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "01", day = "01"] = match;
  if (year === "0000") throw usageError("there is no year 0000", "the years go from 0001 to 9999");
  if (month < "01" || month > "12")
    throw usageError(`${text}: there is no month ${month}`, "the months go from 01 to 12, in the form YYYY-MM-DD");
  const first = today.with({ year: Number(year), month: Number(month), day: 1 });
  const last = first.daysInMonth;
  if (day < "01") throw usageError(`${text}: there is no day 00`, `write ${first}`);
  if (Number(day) > last)
    throw usageError(`${text} does not exist: ${year}-${month} has ${last} days`, `write ${first.with({ day: last })}`);
  return { first: first.with({ day: Number(day) }), unit: match[3] !== undefined ? "day" : match[2] !== undefined ? "month" : "year" };
}

/** The week that a day is in. */
export function weekOf(day: Temporal.PlainDate, weekStart: Weekday): DateSpan {
  return { first: day.subtract({ days: (day.dayOfWeek + 6 - weekdays.indexOf(weekStart)) % 7 }), unit: "week" };
}

/** The month that a day is in. */
export function monthOf(day: Temporal.PlainDate): DateSpan {
  return { first: day.with({ day: 1 }), unit: "month" };
}

/** A moment of a span: its first, or its last second. */
export type Side = "start" | "end";

/** The last day of a span, later by `shift`. */
export function getLastDay(span: DateSpan, shift: Duration): Temporal.PlainDate {
  return shiftDateSpan(span, shift).last;
}

/** The first moment or the last second of a span, later by `shift`. A usage error where the zone's calendar skips the day in question. */
export function getBoundary(span: DateSpan, side: Side, zone: string, shift: Duration = {}): Temporal.ZonedDateTime {
  const { first, last } = shiftDateSpan(span, shift);
  if (side === "start" && span.endOnly === undefined) return startOfDay(first, zone);
  startOfDay(last, zone);
  return last.add({ days: 1 }).toZonedDateTime(zone).subtract({ seconds: 1 });
}

/** Adds years and months before the length of the span, so that this month later by a month is a whole month too. */
function shiftDateSpan(span: DateSpan, { years = 0, months = 0, weeks = 0, days = 0 }: Duration) {
  const first = span.first.add({ years, months });
  const next = first.add(span.unit === "weekend" ? { days: 2 } : { [`${span.unit}s`]: 1 });
  return { first: first.add({ weeks, days }), last: next.add({ weeks, days }).subtract({ days: 1 }) };
}

/** Parses HH:MM[:SS], 7pm, 7:30pm, noon or midnight, in lower case, to HH:MM:SS. Parts of a second are dropped. Midnight is the first moment of its day. */
export function parseTime(text: string): string | undefined {
  if (text === "noon") return "12:00:00";
  if (text === "midnight") return "00:00:00";
  const [, time, seconds = ":00"] = /^((?:[01]\d|2[0-3]):[0-5]\d)(?:(:[0-5]\d)(?:\.\d{1,9})?)?$/.exec(text) ?? [];
  if (time !== undefined) return time + seconds;
  const [, hour, minutes = "00", half] = /^(0?[1-9]|1[0-2])(?::([0-5]\d))?(am|pm)$/.exec(text) ?? [];
  if (hour === undefined) return undefined;
  return `${String((Number(hour) % 12) + (half === "pm" ? 12 : 0)).padStart(2, "0")}:${minutes}:00`;
}
