// Ranges of time for lists: --on, --today, --week, --month and --next.
import { CalError, usageError } from "../errors.ts";
import { type DateSpan, getBoundary, monthOf, weekOf } from "./day.ts";
import { parseDuration } from "./duration.ts";
import { addDuration, createMoment, type DateReference, type Moment, parseDate, toZonedDateTime } from "./parse.ts";
import { defaultHint, parseMonthNumber } from "./suggest.ts";

/** Two moments of one zone, both included; `from` is never after `to`. */
export interface Range {
  readonly from: Moment;
  readonly to: Moment;
}

/** `--on`: from the first to the last moment of an expression. The two are equal where it names a time. */
export function parseRange(text: string, reference: DateReference): Range {
  return { from: parseDate(text, { ...reference, side: "start" }), to: parseDate(text, { ...reference, side: "end" }) };
}

/** `--today`. */
export function getTodayRange(reference: DateReference): Range {
  return parseRange("today", reference);
}

/** `--week`: the week of a day, by default of today. A usage error for a month or a year. */
export function parseWeekRange(text: string | undefined, reference: DateReference): Range {
  const day = parseDate(appendUnit(text ?? "today", "week"), { ...reference, side: "start" });
  if (day.precision === "month" || day.precision === "year") throw usageError(`"${text}" is more than a week`, "write a day: YYYY-MM-DD");
  return createRange(weekOf(toZonedDateTime(day).toPlainDate(), reference.weekStart ?? "monday"), day);
}

/** `--month`: the month of a day, or the month itself; by default this month. A usage error for a year. */
export function parseMonthRange(text: string | undefined, reference: DateReference): Range {
  const number = text === undefined ? undefined : parseMonthNumber(text);
  if (number !== undefined) {
    // The hint names the next such month, this month included.
    const [year = 0, current = 0] = parseDate("now", { ...reference, side: "start" })
      .wall.split("-")
      .map(Number.parseFloat);
    const month = `${number < current ? year + 1 : year}-${String(number).padStart(2, "0")}`;
    throw usageError(`"${text}" is a month without its year`, `write ${month}`);
  }
  const day = parseMonthDay(appendUnit(text ?? "today", "month"), reference);
  if (day.precision === "year") throw usageError(`"${text}" is more than a month`, "write a month: YYYY-MM");
  return createRange(monthOf(toZonedDateTime(day).toPlainDate()), day);
}

/** A day or a month. Where nobody knows what the text means, the hint names the form of a month. */
function parseMonthDay(text: string, reference: DateReference): Moment {
  try {
    return parseDate(text, { ...reference, side: "start" });
  } catch (error) {
    if (!(error instanceof CalError) || error.details.hint !== defaultHint) throw error;
    throw usageError(error.message, "write a month: YYYY-MM");
  }
}

/** `next`, `last` and `this` need a unit in the date grammar; here the flag is the unit. */
function appendUnit(text: string, unit: "week" | "month"): string {
  return /^(?:next|last|this)$/i.test(text) ? `${text}-${unit}` : text;
}

/** `--next`: from now on, for a duration such as `30d`. */
export function parseNextRange(duration: string, reference: DateReference): Range {
  const from = parseDate("now", { ...reference, side: "start" });
  return { from, to: addDuration(from, parseDuration(duration)) };
}

function createRange(span: DateSpan, { zone, ownZone, warnings }: Moment): Range {
  const details = { ownZone, precision: span.unit, warnings };
  return { from: createMoment(getBoundary(span, "start", zone), details), to: createMoment(getBoundary(span, "end", zone), details) };
}
