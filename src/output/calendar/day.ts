// What happens on which day: what the pictures of a calendar are drawn from.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText, wrapToWidth } from "../width.ts";

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

// The sign and the colour of a category. Both follow from its id alone, so that they are the same in every picture.

/** Marks up a text. */
type Colorize = (text: string) => string;

/** How events of a category are marked: the sign tells what the colour tells. */
interface CategoryMarker {
  readonly symbol: string;
  readonly colorize: Colorize;
}

// Eleven signs and three colours: only ids 33 apart share both.
const categorySymbols = [..."●■▲◆▼○□△◇▽◉"];

/** The mark of a category; a dot without colour for none. */
function getCategoryMarker(category: CalendarCategory | undefined, style: Style): CategoryMarker {
  if (category === undefined) return { symbol: "·", colorize: (text) => text };
  const number = /^\d{1,15}$/.test(category.id)
    ? Number(category.id)
    : [...category.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const colours = [style.cyan, style.green, style.magenta];
  return { symbol: categorySymbols[number % categorySymbols.length] ?? "·", colorize: colours[number % colours.length] ?? style.cyan };
}

/** The mark of an event: that of its first category. */
export function getEventMarker({ categories }: CalendarEvent, style: Style): CategoryMarker {
  return getCategoryMarker(categories[0], style);
}

/** What the marks of these days mean, in lines of at most so many columns; none where there is nothing to tell. */
export function renderLegend(days: readonly CalendarDay[], width: number, style: Style): readonly string[] {
  const first = days.flatMap(({ calendarEvents }) => calendarEvents.flatMap(({ categories }) => categories.slice(0, 1)));
  const used = [...new Map(first.map((category) => [category.id, category])).values()].sort((left, right) =>
    left.name.localeCompare(right.name, "en"),
  );
  const lines: string[] = [];
  let taken = width;
  for (const category of used) {
    const { symbol, colorize } = getCategoryMarker(category, style);
    const text = truncateText(`${symbol} ${category.name}`, width);
    const shown = colorize(isolateRightToLeft(text));
    const fits = taken + 2 + measureWidth(text) <= width;
    taken = (fits ? taken + 2 : 0) + measureWidth(text);
    lines.push(fits ? `${lines.pop() ?? ""}  ${shown}` : shown);
  }
  return lines;
}

// The first line of a picture: what it shows, and at its other end on whose clock.

/** The title and the zone in a line of at most so many columns; the zone only where it has room. */
export function renderHeading(title: string, width: number, { style, zone }: CalendarViewOptions): string {
  const shown = truncateText(title, width);
  const space = width - measureWidth(shown) - measureWidth(zone);
  return style.bold(shown) + (space < 2 ? "" : " ".repeat(space) + style.dim(zone));
}

// An event of some hours in one line or in a block, on one of its days.

/** A painted text and the columns it takes. */
export interface StyledLine {
  readonly text: string;
  readonly width: number;
}

/** Columns from which the sign is set off from the title, and from which there is room for the time and a margin. */
const minWidthForGap = 10;
const minWidthForTime = 18;

/** The title; whatever is not published says so first, where a cut does not reach it. */
export function formatEventTitle({ title, status }: CalendarEvent): string {
  return status === "publish" || status === "" ? title : `${status}: ${title}`;
}

/** When it runs on a day: `20:00`, or what is left of a night: `–01:00`. */
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

/** The number of events that have no room. */
export function renderMoreLine(count: number, width: number): StyledLine {
  const text = width < minWidthForGap ? `+${count}` : `${width < minWidthForTime ? "" : " "}+${count} more`;
  return { text, width: text.length };
}

/** One line of at most so many columns. */
export function renderEventLine(happening: CalendarEvent, date: string, width: number, style: Style): StyledLine {
  const { symbol, colorize } = getEventMarker(happening, style);
  const inset = width < minWidthForTime ? "" : " ";
  const gap = width < minWidthForGap ? "" : " ";
  const time = width < minWidthForTime ? "" : `${formatTimeOnDay(happening, date)} `;
  const before = inset.length + 1 + gap.length + time.length;
  // Without its time, the rest of a night would look like a second evening.
  const title = `${time === "" && happening.firstDay < date ? "…" : ""}${formatEventTitle(happening)}`;
  const shown = truncateText(title, width - before);
  return {
    text: `${inset}${colorize(symbol)}${gap}${style.dim(time)}${colorize(isolateRightToLeft(shown))}`,
    width: before + measureWidth(shown),
  };
}

/** All about it in lines of so many columns: hours, title, venue. */
export function renderEventBlock(happening: CalendarEvent, date: string, width: number, style: Style): readonly StyledLine[] {
  const { symbol, colorize } = getEventMarker(happening, style);
  const hours = formatHoursOnDay(happening, date);
  const line = (how: (text: string) => string) => (text: string) => ({ text: how(isolateRightToLeft(text)), width: measureWidth(text) });
  return [
    { text: `${colorize(symbol)} ${style.dim(hours)}`, width: 2 + hours.length },
    ...wrapToWidth(formatEventTitle(happening), width).map(line(colorize)),
    ...(happening.venue === "" ? [] : wrapToWidth(happening.venue, width).map(line(style.dim))),
  ];
}

/** The signs of several events side by side; those that have no room are counted. */
export function renderSymbolLine(happenings: readonly CalendarEvent[], width: number, style: Style): StyledLine {
  const fits = happenings.length <= width;
  const shown = fits ? happenings : happenings.slice(0, Math.max(0, width - `+${happenings.length}`.length));
  const more = fits ? "" : `+${happenings.length - shown.length}`;
  const signs = shown.map((happening) => getEventMarker(happening, style)).map(({ symbol, colorize }) => colorize(symbol));
  return { text: signs.join("") + more, width: shown.length + more.length };
}
