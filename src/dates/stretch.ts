// From whole days to their first or last moment.
import type { DateSpan } from "./day.ts";
import type { Duration } from "./duration.ts";
import { startOfDay } from "./settle.ts";
import type { Temporal } from "./temporal.ts";

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
