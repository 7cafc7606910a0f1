// Days and events to draw, by hand.
import type { CalendarDay, CalendarEvent, CalendarViewOptions } from "../../src/output/calendar/day.ts";
import { plainStyle } from "../../src/terminal/style.ts";

const week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const dayLength = 86_400_000;

/** An event; all day, published and without a category unless changed. */
export function createAllDayEvent(
  title: string,
  firstDay: string,
  lastDay = firstDay,
  changes: Partial<CalendarEvent> = {},
): CalendarEvent {
  return { title, firstDay, lastDay, status: "publish", featured: false, shownAsBar: true, categories: [], venue: "", ...changes };
}

/** An event of some hours. */
export function createTimedEvent(
  title: string,
  day: string,
  startTime: string,
  endTime: string,
  changes: Partial<CalendarEvent> = {},
): CalendarEvent {
  return createAllDayEvent(title, day, day, { startTime, endTime, shownAsBar: false, ...changes });
}

/** The days from one to another with the events that run on them, in the same order. */
export function createDays(first: string, last: string, events: readonly CalendarEvent[], today = ""): readonly CalendarDay[] {
  const count = (Date.parse(last) - Date.parse(first)) / dayLength + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(first) + index * dayLength);
    const date = at.toISOString().slice(0, 10);
    const running = events.filter(({ firstDay, lastDay }) => firstDay <= date && date <= lastDay);
    return { date, weekday: week[(at.getUTCDay() + 6) % 7] ?? "", today: date === today, calendarEvents: running };
  });
}

/** A month of the Gregorian calendar, `YYYY-MM`. */
export function createMonthDays(month: string, events: readonly CalendarEvent[] = [], today = ""): readonly CalendarDay[] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return createDays(`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10), events, today);
}

/** A calendar without colour in UTC, weeks from Monday. */
export function createCalendarStyle(width: number, changes: Partial<CalendarViewOptions> = {}): CalendarViewOptions {
  return { width, wide: false, style: plainStyle, zone: "UTC", weekdays: week, agendaCommand: "cal agenda", ...changes };
}

/** Weekdays in the order of a week that begins with this one. */
export function getWeekdaysFrom(weekday: string): readonly string[] {
  return [...week.slice(week.indexOf(weekday)), ...week.slice(0, week.indexOf(weekday))];
}
