// Days, weeks, months and years as they are typed: 2027-01-10, 2027-01, fri, next-week, eom.
import { usageError } from "../errors.ts";
import { Temporal } from "./temporal.ts";

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
