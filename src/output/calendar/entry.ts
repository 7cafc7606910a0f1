// An event of some hours in one line or in a block, on one of its days.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText, wrapToWidth } from "../width.ts";
import type { CalendarEvent } from "./day.ts";
import { getEventMarker } from "./mark.ts";

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
