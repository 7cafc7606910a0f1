// The days that a view shows, and the instants that they begin and end with.
import type { Reference } from "../../dates/parse.ts";
import { type Range, rangeOn } from "../../dates/range.ts";
import { epochToWall, shiftDays } from "../../dates/wall.ts";

/** What is asked for. */
export interface Stretch {
  /** Milliseconds since 1970; both included. */
  readonly from: number;
  readonly to: number;
  /** The zone on whose clock the days are. */
  readonly zone: string;
  readonly warnings: readonly string[];
}

/** The stretch of a range, on the clock of the zone that the range was typed with. */
export function stretchOf({ from, to }: Range): Stretch {
  return { from: from.epoch, to: to.epoch, zone: from.zone, warnings: [...new Set([...from.warnings, ...to.warnings])] };
}

/** The whole days that an instant to another one touches: what is shown as a day is shown to its end. */
export function wholeDays(
  { from, to }: { readonly from: number; readonly to: number },
  reference: Reference,
): Pick<Stretch, "from" | "to"> {
  const [first, last] = [from, to].map((epoch) => rangeOn(dayOf(epoch, reference.zone), reference));
  return { from: first?.from.epoch ?? from, to: last?.to.epoch ?? to };
}

/** The day of an instant: `YYYY-MM-DD`, or "" where its year is outside 0001 to 9999. */
export function dayOf(epoch: number, zone: string): string {
  return epochToWall(epoch, zone)?.slice(0, 10) ?? "";
}

/** Every day of a stretch. */
export function daysOf({ from, to, zone }: Stretch): readonly string[] {
  const last = dayOf(to, zone);
  const days = [dayOf(from, zone)];
  for (let day = days[0] ?? ""; day < last; days.push(day)) day = shiftDays(day, 1);
  return days;
}
