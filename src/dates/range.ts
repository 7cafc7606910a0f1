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
  const day = parseWithUnit(text, "week", reference, "write a day of it, YYYY-MM-DD, or next-week");
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
  const day = parseWithUnit(text, "month", reference, "write YYYY-MM, or next-month");
  if (day.precision === "year") throw usageError(`"${text}" is more than a month`, "write a month: YYYY-MM");
  return createRange(monthOf(toZonedDateTime(day).toPlainDate()), day);
}

/** `next`, `last` and `this` need a unit in the date grammar; here the flag is the unit. `hint` is for a text of no known form. */
function parseWithUnit(text = "today", unit: "week" | "month", reference: DateReference, hint: string): Moment {
  const expression = /^(?:next|last|this)$/i.test(text) ? `${text}-${unit}` : text;
  try {
    return parseDate(expression, { ...reference, side: "start" });
  } catch (error) {
    if (error instanceof CalError && error.details.hint === defaultHint) throw usageError(`"${text}" is not a ${unit}`, hint);
    throw error;
  }
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
