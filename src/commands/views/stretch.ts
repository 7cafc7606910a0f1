// The days that a view shows, and the instants that they begin and end with.
import type { Range } from "../../dates/range.ts";
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
