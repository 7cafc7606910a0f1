// The first line of a picture: what it shows, and at its other end on whose clock.
import { measureWidth, truncateText } from "../width.ts";
import type { CalendarViewOptions } from "./day.ts";

/** The title and the zone in a line of at most so many columns; the zone only where it has room. */
export function renderHeading(title: string, width: number, { style, zone }: CalendarViewOptions): string {
  const shown = truncateText(title, width);
  const space = width - measureWidth(shown) - measureWidth(zone);
  return style.bold(shown) + (space < 2 ? "" : " ".repeat(space) + style.dim(zone));
}
