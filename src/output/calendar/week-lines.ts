// The lines of one week under its columns: numbers of the days, bars across them, and what else each day has.
import type { Style } from "../../terminal/style.ts";
import { measureWidth } from "../width.ts";
import { renderBar } from "./bar.ts";
import type { StyledLine } from "./entry.ts";
import { type EventBar, placeBars, type WeekDays } from "./week-bars.ts";

/** What a week is drawn with. */
export interface WeekRenderOptions {
  /** Columns of a day. */
  readonly dayWidth: number;
  readonly style: Style;
  /** Lines of a day at most; Infinity is all. */
  readonly maxLines: number;
  /** The lines of a day below its bars, the number of bars that had no room among them. */
  readonly renderDay: (day: NonNullable<WeekDays[number]>, room: number, hidden: number) => readonly StyledLine[];
}

/** The lines below the numbers of the days; at least one. */
export function renderWeekLines(week: WeekDays, plan: WeekRenderOptions): readonly string[] {
  const all = placeBars(week);
  const bars = all.filter(({ row }) => row < plan.maxLines - 1);
  const over = (column: number) => (bar: EventBar) => bar.from <= column && column <= bar.to;
  const cells = week.map((day, column) => {
    const top = Math.max(0, ...bars.filter(over(column)).map(({ row }) => row + 1));
    const hidden = all.filter(over(column)).length - bars.filter(over(column)).length;
    return { top, lines: day === undefined ? [] : plan.renderDay(day, plan.maxLines - top, hidden) };
  });
  const height = Math.max(1, ...cells.map(({ top, lines }) => top + lines.length));
  return Array.from({ length: height }, (_, row) => {
    const parts: string[] = [];
    for (let column = 0; column < week.length; column += 1) {
      const bar = bars.find((one) => one.row === row && over(column)(one));
      const { top = 0, lines = [] } = cells[column] ?? {};
      if (bar === undefined) parts.push(padLine(lines[row - top], plan.dayWidth));
      else {
        parts.push(renderWeekBar(bar, week, plan));
        column = bar.to;
      }
    }
    return joinCells(parts, plan.style);
  });
}

function renderWeekBar({ event, from, to }: EventBar, week: WeekDays, { dayWidth, style }: WeekRenderOptions): string {
  const [first, last] = [week[from], week[to]];
  return first === undefined || last === undefined ? "" : renderBar(event, first, last, (to - from + 1) * (dayWidth + 1) - 1, style);
}

/** A line of short texts under the columns. */
export function renderHeaderLine(texts: readonly { readonly text: string; readonly bold: boolean }[], cell: number, style: Style): string {
  const parts = texts.map(({ text, bold }) => padLine({ text: bold ? style.bold(text) : text, width: measureWidth(text) }, cell));
  return joinCells(parts, style);
}

/** As much of a weekday's name as there is room for. */
export function formatWeekdayName(name: string, cell: number): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return ` ${cell < 10 ? title.slice(0, 3) : title}`;
}

/** The line between two weeks. */
export function renderSeparatorLine(cell: number, style: Style): string {
  return style.dim(Array.from({ length: 7 }, () => "─".repeat(cell)).join("┼"));
}

function padLine(line: StyledLine | undefined, cell: number): string {
  return line === undefined ? " ".repeat(cell) : line.text + " ".repeat(Math.max(0, cell - line.width));
}

function joinCells(parts: readonly string[], style: Style): string {
  return parts.join(style.dim("│")).trimEnd();
}
