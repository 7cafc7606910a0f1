// An event of some hours in one line or in a block, on one of its days.
import type { Style } from "../../terminal/style.ts";
import { cut, isolated, textWidth, wrap } from "../width.ts";
import type { Happening } from "./day.ts";
import { markFor } from "./mark.ts";

/** A painted text and the columns it takes. */
export interface Line {
  readonly text: string;
  readonly width: number;
}

/** Columns from which the sign is set off from the title, and from which there is room for the time and a margin. */
const roomy = 10;
const timed = 18;

/** The title; whatever is not published says so first, where a cut does not reach it. */
export function titleOf({ title, status }: Happening): string {
  return status === "publish" || status === "" ? title : `${status}: ${title}`;
}

/** When it runs on a day: `20:00`, or what is left of a night: `–01:00`. */
export function timeOn({ starts = "", ends = "", firstDay }: Happening, date: string): string {
  return firstDay < date ? `–${ends}` : starts;
}

/** From when to when it runs on a day: `20:00–23:00`, `20:00–`, `–14:00`, `all day`. */
export function hoursOn({ starts, ends, firstDay, lastDay, long }: Happening, date: string): string {
  if (starts === undefined || ends === undefined || (firstDay < date && date < lastDay)) return "all day";
  if (firstDay < date) return `–${ends}`;
  if (long && date < lastDay) return `${starts}–`;
  return starts === ends && firstDay === lastDay ? starts : `${starts}–${ends}`;
}

/** The number of events that have no room. */
export function moreLine(count: number, width: number): Line {
  const text = width < roomy ? `+${count}` : `${width < timed ? "" : " "}+${count} more`;
  return { text, width: text.length };
}

/** One line of at most so many columns. */
export function entryLine(happening: Happening, date: string, width: number, style: Style): Line {
  const { sign, paint } = markFor(happening, style);
  const inset = width < timed ? "" : " ";
  const gap = width < roomy ? "" : " ";
  const time = width < timed ? "" : `${timeOn(happening, date)} `;
  const before = inset.length + 1 + gap.length + time.length;
  // Without its time, the rest of a night would look like a second evening.
  const title = `${time === "" && happening.firstDay < date ? "…" : ""}${titleOf(happening)}`;
  const shown = cut(title, width - before);
  return { text: `${inset}${paint(sign)}${gap}${style.dim(time)}${paint(isolated(shown))}`, width: before + textWidth(shown) };
}

/** All about it in lines of so many columns: hours, title, venue. */
export function entryBlock(happening: Happening, date: string, width: number, style: Style): readonly Line[] {
  const { sign, paint } = markFor(happening, style);
  const hours = hoursOn(happening, date);
  const line = (how: (text: string) => string) => (text: string) => ({ text: how(isolated(text)), width: textWidth(text) });
  return [
    { text: `${paint(sign)} ${style.dim(hours)}`, width: 2 + hours.length },
    ...wrap(titleOf(happening), width).map(line(paint)),
    ...(happening.venue === "" ? [] : wrap(happening.venue, width).map(line(style.dim))),
  ];
}

/** The signs of several events side by side; those that have no room are counted. */
export function signLine(happenings: readonly Happening[], width: number, style: Style): Line {
  const fits = happenings.length <= width;
  const shown = fits ? happenings : happenings.slice(0, Math.max(0, width - `+${happenings.length}`.length));
  const more = fits ? "" : `+${happenings.length - shown.length}`;
  const signs = shown.map((happening) => markFor(happening, style)).map(({ sign, paint }) => paint(sign));
  return { text: signs.join("") + more, width: shown.length + more.length };
}
