// Days, weeks, months and years as they are typed: 2027-01-10, 2027-01, fri, next-week, eom.
import { usage } from "../errors.ts";
import { Temporal } from "./temporal.ts";

/** A stretch of whole days. */
export interface Days {
  readonly first: Temporal.PlainDate;
  readonly length: "day" | "week" | "month" | "year";
  /** Means the last moment of the stretch on both sides: eod, eow, eom. */
  readonly end?: true;
}

/** The days of the week in ISO order; Monday is 1 in Temporal and 0 here. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** A day of the week by its whole name. */
export type Weekday = (typeof weekdays)[number];

type Anchor = (today: Temporal.PlainDate, weekStart: Weekday) => Days;

const near =
  (days: number): Anchor =>
  (today) => ({ first: today.add({ days }), length: "day" });
const week =
  (weeks: number): Anchor =>
  (today, weekStart) => ({ first: weekOf(today, weekStart).first.add({ weeks }), length: "week" });
const month =
  (months: number): Anchor =>
  (today) => ({ first: monthOf(today).first.add({ months }), length: "month" });
const endOf =
  (anchor: Anchor): Anchor =>
  (today, weekStart) => ({ ...anchor(today, weekStart), end: true });
const coming =
  (index: number): Anchor =>
  (today) => ({ first: today.add({ days: (index + 8 - today.dayOfWeek) % 7 }), length: "day" });

const anchors: Readonly<Record<string, Anchor>> = {
  today: near(0),
  tomorrow: near(1),
  yesterday: near(-1),
  "this-week": week(0),
  "next-week": week(1),
  "last-week": week(-1),
  "this-month": month(0),
  "next-month": month(1),
  "last-month": month(-1),
  eod: endOf(near(0)),
  eow: endOf(week(0)),
  eom: endOf(month(0)),
  ...Object.fromEntries(weekdays.flatMap((name, index) => [name, name.slice(0, 3)].map((word) => [word, coming(index)]))),
};

/** Every word of the grammar that names days; `now` is not one of them. */
export const anchorWords: readonly string[] = Object.keys(anchors);

/** Reads an anchor in lower case; a weekday is the next such day, today included. Undefined where it is none. */
export function readAnchor(word: string, today: Temporal.PlainDate, weekStart: Weekday): Days | undefined {
  return Object.hasOwn(anchors, word) ? anchors[word]?.(today, weekStart) : undefined;
}

/** Reads YYYY, YYYY-MM or YYYY-MM-DD; undefined where it has another form, usage error where there is no such day. */
export function readDate(text: string): Days | undefined {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "01", day = "01"] = match;
  if (year === "0000") throw usage("there is no year 0000", "the years go from 0001 to 9999");
  if (month < "01" || month > "12")
    throw usage(`${text}: there is no month ${month}`, "the months go from 01 to 12, in the form YYYY-MM-DD");
  const first = Temporal.PlainDate.from(`${year}-${month}-01`);
  const last = first.daysInMonth;
  if (day < "01") throw usage(`${text}: there is no day 00`, `write ${first}`);
  if (Number(day) > last) throw usage(`${text} does not exist: ${year}-${month} has ${last} days`, `write ${first.with({ day: last })}`);
  return { first: first.with({ day: Number(day) }), length: match[3] !== undefined ? "day" : match[2] !== undefined ? "month" : "year" };
}

/** The week that a day is in. */
export function weekOf(day: Temporal.PlainDate, weekStart: Weekday): Days {
  return { first: day.subtract({ days: (day.dayOfWeek + 6 - weekdays.indexOf(weekStart)) % 7 }), length: "week" };
}

/** The month that a day is in. */
export function monthOf(day: Temporal.PlainDate): Days {
  return { first: day.with({ day: 1 }), length: "month" };
}
