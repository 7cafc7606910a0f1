// Bars of a week: which columns each covers, and in which lane it lies so that none meets another.
import type { CalendarDay, Happening } from "./day.ts";

/** The columns of a week; undefined where the day is not shown. */
export type WeekDays = readonly (CalendarDay | undefined)[];

/** An event that is drawn across days. */
export interface Bar {
  readonly happening: Happening;
  /** Its first and last column in this week. */
  readonly from: number;
  readonly to: number;
  /** The line of the week, from 0. */
  readonly lane: number;
}

/** All bars of a week, the highest lane that a bar may take left to the caller. */
export function barsOf(week: WeekDays): readonly Bar[] {
  const columns = new Map<Happening, { from: number; to: number }>();
  week.forEach((day, column) => {
    for (const happening of day?.happenings ?? []) {
      if (happening.long) columns.set(happening, { from: columns.get(happening)?.from ?? column, to: column });
    }
  });
  const sorted = [...columns].sort(([, left], [, right]) => left.from - right.from || right.to - left.to);
  const ends: number[] = [];
  return sorted.map(([happening, { from, to }]) => {
    const free = ends.findIndex((end) => end < from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = to;
    return { happening, from, to, lane };
  });
}
