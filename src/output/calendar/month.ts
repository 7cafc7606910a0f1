// The picture of a month: weeks under weekdays, events of several days as bars, as much of the titles as there is room for.
import type { Style } from "../../terminal/style.ts";
import { textWidth } from "../width.ts";
import type { CalendarDay, Happening, Look } from "./day.ts";
import { entryLine, type Line, moreLine, signLine, timeOn, titleOf } from "./entry.ts";
import { heading } from "./heading.ts";
import { legend } from "./mark.ts";
import type { WeekDays } from "./week-bars.ts";
import { headLine, ruleLine, type WeekPlan, weekdayName, weekLines } from "./week-lines.ts";

/** Columns of a day at least, for `[15]`. */
const least = 4;

/** Columns of a day from which it has room for titles; below it has signs. */
const titled = 7;

/** Lines of a day before the rest is counted only. */
const most = 6;

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** The days of a month as lines. */
export function monthPicture(days: readonly CalendarDay[], look: Look): string {
  const { style, weekdays, wide, width } = look;
  const cell = cellWidth(days, look);
  const crowded: string[] = [];
  const plan: WeekPlan = {
    cell,
    style,
    most: wide ? Number.POSITIVE_INFINITY : most,
    linesOf: (day, room, hidden) => {
      if (!hasRoom(day, room, hidden, cell)) crowded.push(day.date);
      return dayLines(day, room, hidden, cell, style);
    },
  };
  const names = weekdays.map((name) => ({ text: weekdayName(name, cell), bold: true }));
  const lines = [heading(monthName(days[0]?.date ?? ""), cell * 7 + 6, look), headLine(names, cell, style)];
  for (const week of weeksOf(days, weekdays)) {
    const numbers = week.map((day) => ({ text: dayNumber(day, cell), bold: day?.today === true }));
    lines.push(ruleLine(cell, style), headLine(numbers, cell, style), ...weekLines(week, plan));
  }
  return [...lines, "", ...legend(days, width, style), ...advice(crowded[0]).map(style.dim)].join("\n").trimEnd();
}

/** How to see what a day has no room for; short enough for every terminal that has room for a month. */
function advice(date: string | undefined): readonly string[] {
  return date === undefined ? [] : [`+n more: cal agenda ${date}`];
}

/** Whether all of a day is drawn, and nothing is counted only. */
function hasRoom({ happenings }: CalendarDay, room: number, hidden: number, cell: number): boolean {
  return hidden === 0 && happenings.filter(({ long }) => !long).length <= (cell < titled ? cell : room);
}

/** What is not drawn as a bar, and the number of what has no room. */
function dayLines(day: CalendarDay, room: number, hidden: number, cell: number, style: Style): readonly Line[] {
  const short = day.happenings.filter(({ long }) => !long);
  if (cell < titled) {
    const signs = short.length === 0 ? [] : [signLine(short, cell, style)];
    return hidden === 0 ? signs : [...signs, moreLine(hidden, cell)];
  }
  const fits = hasRoom(day, room, hidden, cell);
  const shown = fits ? short : short.slice(0, room - 1);
  const lines = shown.map((happening) => entryLine(happening, day.date, cell, style));
  return fits ? lines : [...lines, moreLine(hidden + short.length - shown.length, cell)];
}

/** The days in rows of seven; undefined before the first and after the last. */
function weeksOf(days: readonly CalendarDay[], weekdays: readonly string[]): readonly WeekDays[] {
  const before = weekdays.indexOf(days[0]?.weekday ?? "");
  const cells = [...Array.from({ length: Math.max(0, before) }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_none, column) => cells[week * 7 + column]),
  );
}

/** What seven columns and six lines between them leave to each; with --wide what the longest line needs. */
function cellWidth(days: readonly CalendarDay[], { width, wide }: Look): number {
  const even = Math.max(least, Math.floor((width - 6) / 7));
  const line = (date: string) => (happening: Happening) =>
    textWidth(` ● ${timeOn(happening, date)} ${titleOf(happening)}`) + (happening.long ? 4 : 0);
  return wide ? Math.max(even, ...days.flatMap(({ date, happenings }) => happenings.map(line(date)))) : even;
}

/** Today has brackets around its number. */
function dayNumber(day: CalendarDay | undefined, cell: number): string {
  if (day === undefined) return "";
  const number = String(Number(day.date.slice(8))).padStart(2);
  return day.today ? `[${number}]${cell < 10 ? "" : " today"}` : ` ${number}`;
}

function monthName(date: string): string {
  return `${months[Number(date.slice(5, 7)) - 1] ?? ""} ${date.slice(0, 4)}`;
}
