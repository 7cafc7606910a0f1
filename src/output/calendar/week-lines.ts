// The lines of one week under its columns: numbers of the days, bars across them, and what else each day has.
import type { Style } from "../../terminal/style.ts";
import { textWidth } from "../width.ts";
import { barText } from "./bar.ts";
import type { Line } from "./entry.ts";
import { type Bar, barsOf, type WeekDays } from "./week-bars.ts";

/** What a week is drawn with. */
export interface WeekPlan {
  /** Columns of a day. */
  readonly cell: number;
  readonly style: Style;
  /** Lines of a day at most; Infinity is all. */
  readonly most: number;
  /** The lines of a day below its bars, the number of bars that had no room among them. */
  readonly linesOf: (day: NonNullable<WeekDays[number]>, room: number, hidden: number) => readonly Line[];
}

/** The lines below the numbers of the days; at least one. */
export function weekLines(week: WeekDays, plan: WeekPlan): readonly string[] {
  const all = barsOf(week);
  const bars = all.filter(({ lane }) => lane < plan.most - 1);
  const over = (column: number) => (bar: Bar) => bar.from <= column && column <= bar.to;
  const cells = week.map((day, column) => {
    const top = Math.max(0, ...bars.filter(over(column)).map(({ lane }) => lane + 1));
    const hidden = all.filter(over(column)).length - bars.filter(over(column)).length;
    return { top, lines: day === undefined ? [] : plan.linesOf(day, plan.most - top, hidden) };
  });
  const height = Math.max(1, ...cells.map(({ top, lines }) => top + lines.length));
  return Array.from({ length: height }, (_, row) => {
    const parts: string[] = [];
    for (let column = 0; column < week.length; column += 1) {
      const bar = bars.find((one) => one.lane === row && over(column)(one));
      const { top = 0, lines = [] } = cells[column] ?? {};
      if (bar === undefined) parts.push(padded(lines[row - top], plan.cell));
      else {
        parts.push(drawn(bar, week, plan));
        column = bar.to;
      }
    }
    return joined(parts, plan.style);
  });
}

function drawn({ happening, from, to }: Bar, week: WeekDays, { cell, style }: WeekPlan): string {
  const [first, last] = [week[from], week[to]];
  return first === undefined || last === undefined ? "" : barText(happening, first, last, (to - from + 1) * (cell + 1) - 1, style);
}

/** A line of short texts under the columns. */
export function headLine(texts: readonly { readonly text: string; readonly bold: boolean }[], cell: number, style: Style): string {
  const parts = texts.map(({ text, bold }) => padded({ text: bold ? style.bold(text) : text, width: textWidth(text) }, cell));
  return joined(parts, style);
}

/** As much of a weekday's name as there is room for. */
export function weekdayName(name: string, cell: number): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return ` ${cell < 10 ? title.slice(0, 3) : title}`;
}

/** The line between two weeks. */
export function ruleLine(cell: number, style: Style): string {
  return style.dim(Array.from({ length: 7 }, () => "─".repeat(cell)).join("┼"));
}

function padded(line: Line | undefined, cell: number): string {
  return line === undefined ? " ".repeat(cell) : line.text + " ".repeat(Math.max(0, cell - line.width));
}

function joined(parts: readonly string[], style: Style): string {
  return parts.join(style.dim("│")).trimEnd();
}
