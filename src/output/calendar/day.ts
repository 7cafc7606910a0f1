// The days and events that calendars are drawn from, and the parts that month, week and agenda share.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText, wrapToWidth } from "../width.ts";

export interface CalendarCategory {
  readonly id: string;
  readonly name: string;
}

/** An event on the viewer's clock; the same object on each of its days. */
export interface CalendarEvent {
  /** Plain words. */
  readonly title: string;
  readonly status: string;
  readonly featured: boolean;
  /** `YYYY-MM-DD`; that day may be outside of the calendar. */
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

export interface CalendarViewOptions {
  /** No line has more columns. */
  readonly width: number;
  /** Nothing is cut or left out, however wide that gets. */
  readonly wide: boolean;
  readonly style: Style;
  /** The zone of the viewer's clock. */
  readonly zone: string;
  /** The names of the days of the week in their order. */
  readonly weekdays: readonly string[];
  /** The command that shows one day, for the profile of this call: `cal -p work agenda`. */
  readonly agendaCommand: string;
}

/** How many days later one day is than another; both `YYYY-MM-DD`. */
export function countDaysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** How the events of a category are marked: by a symbol, and by a colour on terminals that have it. */
interface CategoryMarker {
  readonly symbol: string;
  readonly colorize: (text: string) => string;
}

// Eleven symbols and three colours: only ids 33 apart share both.
const categorySymbols = [..."●■▲◆▼○□△◇▽◉"];

/** The marker of an event: that of its first category, by the id alone, so that it is the same in every calendar. A dot without colour for none. */
export function getEventMarker({ categories: [category] }: Pick<CalendarEvent, "categories">, style: Style): CategoryMarker {
  if (category === undefined) return { symbol: "·", colorize: (text) => text };
  const number = /^\d{1,15}$/.test(category.id)
    ? Number(category.id)
    : [...category.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const colours = [style.cyan, style.green, style.magenta];
  return { symbol: categorySymbols[number % categorySymbols.length] ?? "·", colorize: colours[number % colours.length] ?? style.cyan };
}

/** The legend of the markers of these days, in lines of at most `width` columns; no line where no event has a category. */
export function renderLegend(days: readonly CalendarDay[], width: number, style: Style): readonly string[] {
  const first = days.flatMap(({ calendarEvents }) => calendarEvents.flatMap(({ categories }) => categories.slice(0, 1)));
  const categories = [...new Map(first.map((category) => [category.id, category])).values()].sort((left, right) =>
    left.name.localeCompare(right.name, "en"),
  );
  const lines: string[] = [];
  let used = width;
  for (const category of categories) {
    const { symbol, colorize } = getEventMarker({ categories: [category] }, style);
    const text = truncateText(`${symbol} ${category.name}`, width);
    const entry = colorize(isolateRightToLeft(text));
    const fits = used + 2 + measureWidth(text) <= width;
    used = (fits ? used + 2 : 0) + measureWidth(text);
    lines.push(fits ? `${lines.pop() ?? ""}  ${entry}` : entry);
  }
  return lines;
}

/** The first line of a calendar: the title, and at its right end the zone where there is room. */
export function renderHeading(title: string, width: number, { style, zone }: CalendarViewOptions): string {
  const text = truncateText(title, width);
  const space = width - measureWidth(text) - measureWidth(zone);
  return style.bold(text) + (space < 2 ? "" : " ".repeat(space) + style.dim(zone));
}

/** A text with its markup, and the columns it takes. */
export interface StyledLine {
  readonly text: string;
  readonly width: number;
}

/** From these widths on there is a space after the symbol, and one before it. */
const minWidthForGap = 10;
const minWidthForInset = 18;

/** The title, and after it a status other than `publish`. */
export function formatEventTitle({ title, status }: CalendarEvent): string {
  return status === "publish" || status === "" ? title : `${title} (${status})`;
}

/** When it starts on a day: `20:00`, or the end of what began the day before: `–01:00`. */
export function formatTimeOnDay({ startTime = "", endTime = "", firstDay }: CalendarEvent, date: string): string {
  return firstDay < date ? `–${endTime}` : startTime;
}

/** From when to when it runs on a day: `20:00–23:00`, `20:00–`, `–14:00`, `all day`. */
export function formatHoursOnDay({ startTime, endTime, firstDay, lastDay, shownAsBar }: CalendarEvent, date: string): string {
  if (startTime === undefined || endTime === undefined || (firstDay < date && date < lastDay)) return "all day";
  if (firstDay < date) return `–${endTime}`;
  if (shownAsBar && date < lastDay) return `${startTime}–`;
  return startTime === endTime && firstDay === lastDay ? startTime : `${startTime}–${endTime}`;
}

/** The number of events that there is no room for. */
export function renderMoreLine(count: number, width: number): StyledLine {
  const text = width < minWidthForGap ? `+${count}` : `${width < minWidthForInset ? "" : " "}+${count} more`;
  return { text, width: text.length };
}

/** The title, and its time where there is room for both. */
export function renderEventLine(event: CalendarEvent, date: string, width: number, style: Style): StyledLine {
  const { symbol, colorize } = getEventMarker(event, style);
  const inset = width < minWidthForInset ? "" : " ";
  const gap = width < minWidthForGap ? "" : " ";
  const room = width - inset.length - 1 - gap.length;
  const time = ` ${formatTimeOnDay(event, date)}`.trimEnd();
  const whole = formatEventTitle(event);
  const fits = measureWidth(`${whole}${time}`, room) <= room;
  // Without its time, the second day of a night would look like another event.
  const title = fits ? whole : truncateText(`${event.firstDay < date ? "…" : ""}${whole}`, room);
  return {
    text: `${inset}${colorize(symbol)}${gap}${colorize(isolateRightToLeft(title))}${fits ? style.dim(time) : ""}`,
    width: inset.length + 1 + gap.length + measureWidth(title) + (fits ? time.length : 0),
  };
}

/** Hours, title and venue in lines of at most `width` columns. */
export function renderEventBlock(event: CalendarEvent, date: string, width: number, style: Style): readonly StyledLine[] {
  const { symbol, colorize } = getEventMarker(event, style);
  const hours = formatHoursOnDay(event, date);
  const line = (paint: (text: string) => string) => (text: string) => ({
    text: paint(isolateRightToLeft(text)),
    width: measureWidth(text),
  });
  return [
    { text: `${colorize(symbol)} ${style.dim(hours)}`, width: 2 + hours.length },
    ...wrapToWidth(formatEventTitle(event), width).map(line(colorize)),
    ...(event.venue === "" ? [] : wrapToWidth(event.venue, width).map(line(style.dim))),
  ];
}

/** The symbols of several events side by side, then the number of those that there is no room for. */
export function renderSymbolLine(calendarEvents: readonly CalendarEvent[], width: number, style: Style): StyledLine {
  const fits = calendarEvents.length <= width;
  const shown = fits ? calendarEvents : calendarEvents.slice(0, Math.max(0, width - `+${calendarEvents.length}`.length));
  const more = fits ? "" : `+${calendarEvents.length - shown.length}`;
  const symbols = shown.map((event) => getEventMarker(event, style)).map(({ symbol, colorize }) => colorize(symbol));
  return { text: symbols.join("") + more, width: shown.length + more.length };
}
