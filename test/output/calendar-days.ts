// Days and events to draw, by hand.
import type { CalendarDay, Happening, Look } from "../../src/output/calendar/day.ts";
import { plainStyle } from "../../src/terminal/style.ts";

const week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const dayLength = 86_400_000;

/** An event; all day, published and without a category unless changed. */
export function event(title: string, firstDay: string, lastDay = firstDay, changes: Partial<Happening> = {}): Happening {
  return { title, firstDay, lastDay, status: "publish", featured: false, long: true, categories: [], venue: "", ...changes };
}

/** An event of some hours. */
export function hours(title: string, day: string, starts: string, ends: string, changes: Partial<Happening> = {}): Happening {
  return event(title, day, day, { starts, ends, long: false, ...changes });
}

/** The days from one to another with what runs on them, in the order given. */
export function days(first: string, last: string, happenings: readonly Happening[], today = ""): readonly CalendarDay[] {
  const count = (Date.parse(last) - Date.parse(first)) / dayLength + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(first) + index * dayLength);
    const date = at.toISOString().slice(0, 10);
    const running = happenings.filter(({ firstDay, lastDay }) => firstDay <= date && date <= lastDay);
    return { date, weekday: week[(at.getUTCDay() + 6) % 7] ?? "", today: date === today, happenings: running };
  });
}

/** A month of the Gregorian calendar, `YYYY-MM`. */
export function monthDays(month: string, happenings: readonly Happening[] = [], today = ""): readonly CalendarDay[] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return days(`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10), happenings, today);
}

/** A picture without colour in UTC, weeks from Monday. */
export function look(width: number, changes: Partial<Look> = {}): Look {
  return { width, wide: false, style: plainStyle, zone: "UTC", weekdays: week, ...changes };
}

/** Weekdays in the order of a week that begins with this one. */
export function from(weekday: string): readonly string[] {
  return [...week.slice(week.indexOf(weekday)), ...week.slice(0, week.indexOf(weekday))];
}
