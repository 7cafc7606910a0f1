// Stretches of time for lists: --on, --today, --week, --month and --next.
import { usage } from "../errors.ts";
import { type Days, monthOf, weekOf } from "./day.ts";
import { parseDuration } from "./duration.ts";
import { addDuration, type Moment, momentOf, zoned } from "./moment.ts";
import { parseDate, type Reference } from "./parse.ts";
import { edgeOf } from "./stretch.ts";
import { monthNumber } from "./suggestion.ts";

/** Two moments of one zone, both included; `from` is never after `to`. */
export interface Range {
  readonly from: Moment;
  readonly to: Moment;
}

/** `--on`: from the first to the last moment of an expression; the two are one where it names a time. */
export function rangeOn(text: string, reference: Reference): Range {
  return { from: parseDate(text, { ...reference, side: "start" }), to: parseDate(text, { ...reference, side: "end" }) };
}

/** `--today`. */
export function rangeToday(reference: Reference): Range {
  return rangeOn("today", reference);
}

/** `--week`: the week that a day is in, today's unless given; usage error for a month or a year. */
export function rangeWeek(text: string | undefined, reference: Reference): Range {
  const day = parseDate(whichOf(text ?? "today", "week"), { ...reference, side: "start" });
  if (day.precision === "month" || day.precision === "year") throw usage(`"${text}" is more than a week`, "write a day: YYYY-MM-DD");
  return whole(weekOf(zoned(day).toPlainDate(), reference.weekStart ?? "monday"), day);
}

/** `--month`: the month that a day is in, or the month itself; this month unless given; usage error for a year. */
export function rangeMonth(text: string | undefined, reference: Reference): Range {
  assertYear(text, reference);
  const day = parseDate(whichOf(text ?? "today", "month"), { ...reference, side: "start" });
  if (day.precision === "year") throw usage(`"${text}" is more than a month`, "write a month: YYYY-MM");
  return whole(monthOf(zoned(day).toPlainDate()), day);
}

/** `next`, `last` and `this` lack their second word elsewhere; here the flag says it. */
function whichOf(text: string, what: "week" | "month"): string {
  return /^(?:next|last|this)$/i.test(text) ? `${text}-${what}` : text;
}

/** A month alone is of no year that everybody would agree on; the coming one, this month included, is offered. */
function assertYear(text: string | undefined, reference: Reference): void {
  const month = text === undefined ? undefined : monthNumber(text);
  if (month === undefined) return;
  const [year = 0, current = 0] = parseDate("now", { ...reference, side: "start" })
    .wall.split("-")
    .map(Number.parseFloat);
  const coming = `${month < current ? year + 1 : year}-${String(month).padStart(2, "0")}`;
  throw usage(`"${text}" is a month without its year`, `write ${coming}`);
}

/** `--next`: from now for a length of time such as `30d`. */
export function rangeNext(length: string, reference: Reference): Range {
  const from = parseDate("now", { ...reference, side: "start" });
  return { from, to: addDuration(from, parseDuration(length)) };
}

function whole(days: Days, { zone, ownZone, warnings }: Moment): Range {
  const details = { ownZone, precision: days.length, warnings };
  return { from: momentOf(edgeOf(days, "start", zone), details), to: momentOf(edgeOf(days, "end", zone), details) };
}
