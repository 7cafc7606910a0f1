// The sign and the colour of a category. Both follow from its id alone, so that they are the same in every picture.
import type { Style } from "../../terminal/style.ts";
import { cut, isolated, textWidth } from "../width.ts";
import type { CalendarDay, Category, Happening } from "./day.ts";

/** Marks up a text. */
export type Paint = (text: string) => string;

/** How events of a category are marked: the sign tells what the colour tells. */
export interface Mark {
  readonly sign: string;
  readonly paint: Paint;
}

// Eleven signs and three colours: only ids 33 apart share both.
const signs = [..."●■▲◆▼○□△◇▽◉"];

/** The mark of a category; a dot without colour for none. */
function markOf(category: Category | undefined, style: Style): Mark {
  if (category === undefined) return { sign: "·", paint: (text) => text };
  const number = /^\d{1,15}$/.test(category.id)
    ? Number(category.id)
    : [...category.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const colours = [style.cyan, style.green, style.magenta];
  return { sign: signs[number % signs.length] ?? "·", paint: colours[number % colours.length] ?? style.cyan };
}

/** The mark of an event: that of its first category. */
export function markFor({ categories }: Happening, style: Style): Mark {
  return markOf(categories[0], style);
}

/** What the marks of these days mean, in lines of at most so many columns; none where there is nothing to tell. */
export function legend(days: readonly CalendarDay[], width: number, style: Style): readonly string[] {
  const first = days.flatMap(({ happenings }) => happenings.flatMap(({ categories }) => categories.slice(0, 1)));
  const used = [...new Map(first.map((category) => [category.id, category])).values()].sort((left, right) =>
    left.name.localeCompare(right.name, "en"),
  );
  const lines: string[] = [];
  let taken = width;
  for (const category of used) {
    const { sign, paint } = markOf(category, style);
    const text = cut(`${sign} ${category.name}`, width);
    const shown = paint(isolated(text));
    const fits = taken + 2 + textWidth(text) <= width;
    taken = (fits ? taken + 2 : 0) + textWidth(text);
    lines.push(fits ? `${lines.pop() ?? ""}  ${shown}` : shown);
  }
  return lines;
}
