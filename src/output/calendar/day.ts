// What happens on which day: what the pictures of a calendar are drawn from.
import type { Style } from "../../terminal/style.ts";

/** A category that gives events their mark. */
export interface CalendarCategory {
  readonly id: string;
  readonly name: string;
}

/** An event on the viewer's clock. One that takes several days is the same object on each of them. */
export interface CalendarEvent {
  /** Plain words. */
  readonly title: string;
  readonly status: string;
  readonly featured: boolean;
  /** `YYYY-MM-DD`, also where that day is not shown. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** `HH:MM`; absent where it lasts all day. */
  readonly startTime?: string;
  readonly endTime?: string;
  /** Drawn as a bar over its days: all day, or 24 hours and more. */
  readonly shownAsBar: boolean;
  readonly categories: readonly CalendarCategory[];
  readonly venue: string;
  /** Its start on its own clock, where that is not the viewer's: `21:00 Europe/Paris`. */
  readonly startInEventZone?: string;
}

/** A day and what runs on it, bars first, then by time. */
export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `monday` to `sunday`. */
  readonly weekday: string;
  readonly today: boolean;
  readonly calendarEvents: readonly CalendarEvent[];
}

/** How a picture is wanted. */
export interface CalendarViewOptions {
  /** Columns that no line goes beyond. */
  readonly width: number;
  /** Nothing is cut or left out, however wide that gets. */
  readonly wide: boolean;
  readonly style: Style;
  /** The zone of the viewer's clock. */
  readonly zone: string;
  /** The days of the week by name, the first one first. */
  readonly weekdays: readonly string[];
}

/** How many days later one day is than another; both `YYYY-MM-DD`. */
export function countDaysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
