// Events spread over the days on which they run.
import { weekdays } from "../../dates/day.ts";
import { type CalendarDay, countDaysBetween } from "../../output/calendar/day.ts";
import type { ViewEvent } from "./happening.ts";
import { epochToDay, listDays, type TimeSpan } from "./stretch.ts";

/** A day with the events that run on it, in the order in which they are shown. */
export interface ViewDay extends CalendarDay {
  readonly viewEvents: readonly ViewEvent[];
}

/** Whether an event runs in the stretch. One that ends with the moment at which the stretch begins runs no more. */
export function overlapsSpan({ span, calendarEvent }: ViewEvent, { from, to, zone }: TimeSpan): boolean {
  if (span === undefined) return calendarEvent.firstDay <= epochToDay(to, zone) && calendarEvent.lastDay >= epochToDay(from, zone);
  return span.start <= to && (span.start >= from || span.end > from);
}

/** Every day of the stretch, those without an event too. */
export function groupEventsByDay(events: readonly ViewEvent[], stretch: TimeSpan, now: number): readonly ViewDay[] {
  const today = epochToDay(now, stretch.zone);
  const sorted = [...events].sort(compareEvents);
  return listDays(stretch).map((date) => {
    const running = sorted.filter(({ calendarEvent: { firstDay, lastDay } }) => firstDay <= date && date <= lastDay);
    return {
      date,
      weekday: getWeekday(date),
      today: date === today,
      viewEvents: running,
      calendarEvents: running.map(({ calendarEvent }) => calendarEvent),
    };
  });
}

function getWeekday(date: string): string {
  // Day 0 of ISO's proleptic calendar that is a Monday.
  return weekdays[((countDaysBetween("1970-01-05", date) % 7) + 7) % 7] ?? "";
}

/** Bars before entries, longer bars first, then by start; by title where all that is equal. */
function compareEvents(left: ViewEvent, right: ViewEvent): number {
  const [a, b] = [left.calendarEvent, right.calendarEvent];
  if (a.shownAsBar !== b.shownAsBar) return a.shownAsBar ? -1 : 1;
  if (a.shownAsBar && a.firstDay !== b.firstDay) return a.firstDay < b.firstDay ? -1 : 1;
  if (a.shownAsBar && a.lastDay !== b.lastDay) return a.lastDay < b.lastDay ? 1 : -1;
  return (left.span?.start ?? 0) - (right.span?.start ?? 0) || a.title.localeCompare(b.title, "en");
}
