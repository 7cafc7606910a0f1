// The days that a view shows, and the instants that they begin and end with.
import type { DateReference } from "../../dates/parse.ts";
import { parseRange, type Range } from "../../dates/range.ts";
import { epochToWall, shiftDays } from "../../dates/wall.ts";

/** What is asked for. */
export interface TimeSpan {
  /** Milliseconds since 1970; both included. */
  readonly from: number;
  readonly to: number;
  /** The zone on whose clock the days are. */
  readonly zone: string;
  readonly warnings: readonly string[];
}

/** The stretch of a range, on the clock of the zone that the range was typed with. */
export function toTimeSpan({ from, to }: Range): TimeSpan {
  return { from: from.epoch, to: to.epoch, zone: from.zone, warnings: [...new Set([...from.warnings, ...to.warnings])] };
}

/** The whole days that an instant to another one touches: what is shown as a day is shown to its end. */
export function expandToWholeDays(
  { from, to }: { readonly from: number; readonly to: number },
  reference: DateReference,
): Pick<TimeSpan, "from" | "to"> {
  const [first, last] = [from, to].map((epoch) => parseRange(epochToDay(epoch, reference.zone), reference));
  return { from: first?.from.epoch ?? from, to: last?.to.epoch ?? to };
}

/** The day of an instant: `YYYY-MM-DD`, or "" where its year is outside 0001 to 9999. */
export function epochToDay(epoch: number, zone: string): string {
  return epochToWall(epoch, zone)?.slice(0, 10) ?? "";
}

/** Every day of a stretch. */
export function listDays({ from, to, zone }: TimeSpan): readonly string[] {
  const last = epochToDay(to, zone);
  const days = [epochToDay(from, zone)];
  for (let day = days[0] ?? ""; day < last; days.push(day)) day = shiftDays(day, 1);
  return days;
}
