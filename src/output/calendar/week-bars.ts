// Bars of a week: which columns each covers, and in which lane it lies so that none meets another.
import type { CalendarDay, CalendarEvent } from "./day.ts";

/** The columns of a week; undefined where the day is not shown. */
export type WeekDays = readonly (CalendarDay | undefined)[];

/** An event that is drawn across days. */
export interface EventBar {
  readonly event: CalendarEvent;
  /** Its first and last column in this week. */
  readonly from: number;
  readonly to: number;
  /** The line of the week, from 0. */
  readonly row: number;
}

/** All bars of a week, the highest lane that a bar may take left to the caller. */
export function placeBars(week: WeekDays): readonly EventBar[] {
  const columns = new Map<CalendarEvent, { from: number; to: number }>();
  week.forEach((day, column) => {
    for (const happening of day?.calendarEvents ?? []) {
      if (happening.shownAsBar) columns.set(happening, { from: columns.get(happening)?.from ?? column, to: column });
    }
  });
  const sorted = [...columns].sort(([, left], [, right]) => left.from - right.from || right.to - left.to);
  const ends: number[] = [];
  return sorted.map(([happening, { from, to }]) => {
    const free = ends.findIndex((end) => end < from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = to;
    return { event: happening, from, to, row: lane };
  });
}
