// An event drawn across its days: ╞ ■ Spring Fair ═════╡, with arrows where it goes on in another week.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "../width.ts";
import type { CalendarDay, CalendarEvent } from "./day.ts";
import { formatEventTitle } from "./entry.ts";
import { getEventMarker } from "./mark.ts";

/** The part of an event from one day to another, in so many columns, at least two. */
export function renderBar(happening: CalendarEvent, first: CalendarDay, last: CalendarDay, width: number, style: Style): string {
  const { symbol, colorize } = getEventMarker(happening, style);
  const left = happening.firstDay < first.date ? "◂" : "╞";
  const right = happening.lastDay > last.date ? "▸" : "╡";
  const time = happening.startTime === undefined || happening.firstDay < first.date ? "" : `${happening.startTime} `;
  const title = `${time}${formatEventTitle(happening)}`;
  const room = width - 2;
  const loose = measureWidth(title) + 4 <= room;
  const gap = room < 8 ? "" : " ";
  // Where not even some letters fit, the sign alone says more.
  const shown = loose ? title : room < 4 ? "" : truncateText(title, room - 1 - gap.length);
  const margin = loose ? " " : "";
  const between = loose ? " " : shown === "" ? "" : gap;
  const fill = "═".repeat(Math.max(0, room - 1 - measureWidth(margin + between + shown + margin)));
  return colorize(`${left}${margin}${symbol}${between}${isolateRightToLeft(shown)}${margin}${fill}${right}`);
}
