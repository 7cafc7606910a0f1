// Events spread over the days on which they run.
import { weekdays } from "../../dates/day.ts";
import { type CalendarDay, daysBetween } from "../../output/calendar/day.ts";
import type { Placed } from "./happening.ts";
import { dayOf, daysOf, type Stretch } from "./stretch.ts";

/** A day with the events that run on it, in the order in which they are shown. */
export interface PlacedDay extends CalendarDay {
  readonly events: readonly Placed[];
}

/** Whether an event runs in the stretch. One that ends with the moment at which the stretch begins runs no more. */
export function runsIn({ span, happening }: Placed, { from, to, zone }: Stretch): boolean {
  if (span === undefined) return happening.firstDay <= dayOf(to, zone) && happening.lastDay >= dayOf(from, zone);
  return span.start <= to && (span.start >= from || span.end > from);
}

/** Every day of the stretch, those without an event too. */
export function placedDays(events: readonly Placed[], stretch: Stretch, now: number): readonly PlacedDay[] {
  const today = dayOf(now, stretch.zone);
  const sorted = [...events].sort(inOrder);
  return daysOf(stretch).map((date) => {
    const running = sorted.filter(({ happening: { firstDay, lastDay } }) => firstDay <= date && date <= lastDay);
    return {
      date,
      weekday: weekdayOf(date),
      today: date === today,
      events: running,
      happenings: running.map(({ happening }) => happening),
    };
  });
}

function weekdayOf(date: string): string {
  // Day 0 of ISO's proleptic calendar that is a Monday.
  return weekdays[((daysBetween("1970-01-05", date) % 7) + 7) % 7] ?? "";
}

/** Bars before entries, longer bars first, then by start; by title where all that is equal. */
function inOrder(left: Placed, right: Placed): number {
  const [a, b] = [left.happening, right.happening];
  if (a.long !== b.long) return a.long ? -1 : 1;
  if (a.long && a.firstDay !== b.firstDay) return a.firstDay < b.firstDay ? -1 : 1;
  if (a.long && a.lastDay !== b.lastDay) return a.lastDay < b.lastDay ? 1 : -1;
  return (left.span?.start ?? 0) - (right.span?.start ?? 0) || a.title.localeCompare(b.title, "en");
}
