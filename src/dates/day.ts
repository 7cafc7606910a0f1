// Days, weeks, months and years as they are typed: 2027-01-10, 2027-01, fri, next-week, eom.
import { usageError } from "../errors.ts";
import type { Duration } from "./duration.ts";
import { Temporal } from "./temporal.ts";
import { startOfDay } from "./zone.ts";

/** A stretch of whole days. */
export interface DateSpan {
  readonly first: Temporal.PlainDate;
  readonly unit: "day" | "week" | "month" | "year";
  /** Means the last moment of the stretch on both sides: eod, eow, eom. */
  readonly endOnly?: true;
}

/** The days of the week in ISO order; Monday is 1 in Temporal and 0 here. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** A day of the week by its whole name. */
export type Weekday = (typeof weekdays)[number];

type AnchorResolver = (today: Temporal.PlainDate, weekStart: Weekday) => DateSpan;

const dayAnchor =
  (days: number): AnchorResolver =>
  (today) => ({ first: today.add({ days }), unit: "day" });
const weekAnchor =
  (weeks: number): AnchorResolver =>
  (today, weekStart) => ({ first: weekOf(today, weekStart).first.add({ weeks }), unit: "week" });
const monthAnchor =
  (months: number): AnchorResolver =>
  (today) => ({ first: monthOf(today).first.add({ months }), unit: "month" });
const endAnchor =
  (anchor: AnchorResolver): AnchorResolver =>
  (today, weekStart) => ({ ...anchor(today, weekStart), endOnly: true });
const weekdayAnchor =
  (index: number): AnchorResolver =>
  (today) => ({ first: today.add({ days: (index + 8 - today.dayOfWeek) % 7 }), unit: "day" });

const anchors: Readonly<Record<string, AnchorResolver>> = {
  today: dayAnchor(0),
  tomorrow: dayAnchor(1),
  yesterday: dayAnchor(-1),
  "this-week": weekAnchor(0),
  "next-week": weekAnchor(1),
  "last-week": weekAnchor(-1),
  "this-month": monthAnchor(0),
  "next-month": monthAnchor(1),
  "last-month": monthAnchor(-1),
  eod: endAnchor(dayAnchor(0)),
  eow: endAnchor(weekAnchor(0)),
  eom: endAnchor(monthAnchor(0)),
  ...Object.fromEntries(weekdays.flatMap((name, index) => [name, name.slice(0, 3)].map((word) => [word, weekdayAnchor(index)]))),
};

/** Every word of the grammar that names days; `now` is not one of them. */
export const anchorWords: readonly string[] = Object.keys(anchors);

/** Reads an anchor in lower case; a weekday is the next such day, today included. Undefined where it is none. */
export function parseAnchor(word: string, today: Temporal.PlainDate, weekStart: Weekday): DateSpan | undefined {
  return Object.hasOwn(anchors, word) ? anchors[word]?.(today, weekStart) : undefined;
}

/** Reads YYYY, YYYY-MM or YYYY-MM-DD; undefined where it has another form, usage error where there is no such day. */
export function parseCalendarDate(text: string): DateSpan | undefined {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "01", day = "01"] = match;
  if (year === "0000") throw usageError("there is no year 0000", "the years go from 0001 to 9999");
  if (month < "01" || month > "12")
    throw usageError(`${text}: there is no month ${month}`, "the months go from 01 to 12, in the form YYYY-MM-DD");
  const first = Temporal.PlainDate.from(`${year}-${month}-01`);
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

// From whole days to their first or last moment.

/** Which moment whole days mean: their first (a start), or their last second (an end). */
export type Side = "start" | "end";

const unitDurations = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 }, year: { years: 1 } } as const;

/** Moves days by years, months, weeks and days. Months go before the length: a month from this month is a whole month too. */
function shiftDateSpan(days: DateSpan, shift: Duration): { first: Temporal.PlainDate; last: Temporal.PlainDate } {
  const { years = 0, months = 0, weeks = 0, days: single = 0 } = shift;
  const first = days.first.add({ years, months });
  const next = first.add(unitDurations[days.unit]);
  return { first: first.add({ weeks, days: single }), last: next.add({ weeks, days: single }).subtract({ days: 1 }) };
}

/** The last of the days, so much later. */
export function getLastDay(days: DateSpan, shift: Duration): Temporal.PlainDate {
  return shiftDateSpan(days, shift).last;
}

/** The first moment or the last second of days; usage error where the zone's calendar skips the day in question. */
export function getBoundary(days: DateSpan, side: Side, zone: string, shift: Duration = {}): Temporal.ZonedDateTime {
  const { first, last } = shiftDateSpan(days, shift);
  if (side === "start" && days.endOnly === undefined) return startOfDay(first, zone);
  startOfDay(last, zone);
  return last.add({ days: 1 }).toZonedDateTime(zone).subtract({ seconds: 1 });
}

// The time of day as it is typed: HH:MM[:SS], 7pm, 7:30pm, noon, midnight.

/** Reads a time of day in lower case; midnight is the first moment of its day, parts of a second are dropped. Undefined where it is none. */
export function parseTime(text: string): Temporal.PlainTime | undefined {
  if (text === "noon") return new Temporal.PlainTime(12);
  if (text === "midnight") return new Temporal.PlainTime(0);
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?$/.exec(text) ?? [];
  if (hours !== undefined) return new Temporal.PlainTime(Number(hours), Number(minutes), Number(seconds));
  const [, hour, past = "0", half] = /^(0?[1-9]|1[0-2])(?::([0-5]\d))?(am|pm)$/.exec(text) ?? [];
  if (hour === undefined) return undefined;
  return new Temporal.PlainTime((Number(hour) % 12) + (half === "pm" ? 12 : 0), Number(past));
}
