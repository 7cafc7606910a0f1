// The sign and the colour of a category. Both follow from its id alone, so that they are the same in every picture.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "../width.ts";
import type { CalendarCategory, CalendarDay, CalendarEvent } from "./day.ts";

/** Marks up a text. */
export type Colorize = (text: string) => string;

/** How events of a category are marked: the sign tells what the colour tells. */
export interface CategoryMarker {
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
