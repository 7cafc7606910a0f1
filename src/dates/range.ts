// Stretches of time for lists: --on, --today, --week, --month and --next.
import { usageError } from "../errors.ts";
import { type DateSpan, getBoundary, monthOf, weekOf } from "./day.ts";
import { parseDuration } from "./duration.ts";
import { addDuration, createMoment, type DateReference, type Moment, parseDate, toZonedDateTime } from "./parse.ts";
import { parseMonthNumber } from "./suggest.ts";

/** Two moments of one zone, both included; `from` is never after `to`. */
export interface Range {
  readonly from: Moment;
  readonly to: Moment;
}

/** `--on`: from the first to the last moment of an expression; the two are one where it names a time. */
export function parseRange(text: string, reference: DateReference): Range {
  return { from: parseDate(text, { ...reference, side: "start" }), to: parseDate(text, { ...reference, side: "end" }) };
}

/** `--today`. */
export function getTodayRange(reference: DateReference): Range {
  return parseRange("today", reference);
}

/** `--week`: the week that a day is in, today's unless given; usage error for a month or a year. */
export function parseWeekRange(text: string | undefined, reference: DateReference): Range {
  const day = parseDate(appendUnit(text ?? "today", "week"), { ...reference, side: "start" });
  if (day.precision === "month" || day.precision === "year") throw usageError(`"${text}" is more than a week`, "write a day: YYYY-MM-DD");
  return createRange(weekOf(toZonedDateTime(day).toPlainDate(), reference.weekStart ?? "monday"), day);
}

/** `--month`: the month that a day is in, or the month itself; this month unless given; usage error for a year. */
export function parseMonthRange(text: string | undefined, reference: DateReference): Range {
  assertYear(text, reference);
  const day = parseDate(appendUnit(text ?? "today", "month"), { ...reference, side: "start" });
  if (day.precision === "year") throw usageError(`"${text}" is more than a month`, "write a month: YYYY-MM");
  return createRange(monthOf(toZonedDateTime(day).toPlainDate()), day);
}

/** `next`, `last` and `this` lack their second word elsewhere; here the flag says it. */
function appendUnit(text: string, what: "week" | "month"): string {
  return /^(?:next|last|this)$/i.test(text) ? `${text}-${what}` : text;
}

/** A month alone is of no year that everybody would agree on; the coming one, this month included, is offered. */
function assertYear(text: string | undefined, reference: DateReference): void {
  const month = text === undefined ? undefined : parseMonthNumber(text);
  if (month === undefined) return;
  const [year = 0, current = 0] = parseDate("now", { ...reference, side: "start" })
    .wall.split("-")
    .map(Number.parseFloat);
  const coming = `${month < current ? year + 1 : year}-${String(month).padStart(2, "0")}`;
  throw usageError(`"${text}" is a month without its year`, `write ${coming}`);
}

/** `--next`: from now for a length of time such as `30d`. */
export function parseNextRange(length: string, reference: DateReference): Range {
  const from = parseDate("now", { ...reference, side: "start" });
  return { from, to: addDuration(from, parseDuration(length)) };
}

function createRange(days: DateSpan, { zone, ownZone, warnings }: Moment): Range {
  const details = { ownZone, precision: days.unit, warnings };
  return { from: createMoment(getBoundary(days, "start", zone), details), to: createMoment(getBoundary(days, "end", zone), details) };
}
