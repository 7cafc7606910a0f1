// The first line of a picture: what it shows, and at its other end on whose clock.
import { cut, textWidth } from "../width.ts";
import type { Look } from "./day.ts";

/** The title and the zone in a line of at most so many columns; the zone only where it has room. */
export function heading(title: string, width: number, { style, zone }: Look): string {
  const shown = cut(title, width);
  const space = width - textWidth(shown) - textWidth(zone);
  return style.bold(shown) + (space < 2 ? "" : " ".repeat(space) + style.dim(zone));
}
