// The picture of a week: seven columns with hours, titles and venues, or a list where there is no room for columns.
import type { Style } from "../../terminal/style.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "../width.ts";
import { renderAgenda } from "./agenda.ts";
import {
  type CalendarDay,
  type CalendarEvent,
  type CalendarViewOptions,
  formatEventTitle,
  getEventMarker,
  renderEventBlock,
  renderHeading,
  renderLegend,
  type StyledLine,
} from "./day.ts";

/** Columns of a day from which `● 20:00–23:00` fits. */
const minColumnDayWidth = 13;

const emptyLine: StyledLine = { text: "", width: 0 };

/** Seven days as lines. */
export function renderWeek(days: readonly CalendarDay[], look: CalendarViewOptions): string {
  const { style } = look;
  const dayWidth = Math.floor((look.width - 6) / 7);
  if (dayWidth < minColumnDayWidth) return renderAgenda(days, look, true);
  const names = days.map(({ weekday, today }) => ({
    text: `${formatWeekdayName(weekday, dayWidth)}${today && dayWidth > 16 ? ", today" : ""}`,
    bold: true,
  }));
  const dates = days.map(({ date, today }) => ({ text: today ? `[${date}]` : ` ${date}`, bold: today }));
  const renderDay = ({ date, calendarEvents }: CalendarDay) =>
    calendarEvents
      .filter(({ shownAsBar }) => !shownAsBar)
      .flatMap((one, index) => [...(index === 0 ? [] : [emptyLine]), ...renderEventBlock(one, date, dayWidth, style)]);
  const lines = [
    renderHeading(`Week of ${days[0]?.date ?? ""}`, dayWidth * 7 + 6, look),
    renderHeaderLine(names, dayWidth, style),
    renderHeaderLine(dates, dayWidth, style),
    renderSeparatorLine(dayWidth, style),
    ...renderWeekLines(days, { dayWidth, style, maxLines: Number.POSITIVE_INFINITY, renderDay }),
  ];
  return [...lines, "", ...renderLegend(days, look.width, style)].join("\n").trimEnd();
}

// Bars of a week: which columns each covers, and in which lane it lies so that none meets another.

/** The columns of a week; undefined where the day is not shown. */
export type WeekDays = readonly (CalendarDay | undefined)[];

/** An event that is drawn across days. */
interface EventBar {
  readonly event: CalendarEvent;
  /** Its first and last column in this week. */
  readonly from: number;
  readonly to: number;
  /** The line of the week, from 0. */
  readonly row: number;
}

/** All bars of a week, the highest lane that a bar may take left to the caller. */
function placeBars(week: WeekDays): readonly EventBar[] {
  const columns = new Map<CalendarEvent, { from: number; to: number }>();
  week.forEach((day, column) => {
    for (const happening of day?.calendarEvents ?? []) {
      if (happening.shownAsBar) columns.set(happening, { from: columns.get(happening)?.from ?? column, to: column });
    }
  });
  const sorted = [...columns].sort(([, left], [, right]) => left.from - right.from || right.to - left.to);
  const ends: number[] = [];
  return sorted.map(([happening, { from, to }]) => {
    const free = ends.findIndex((end) => end < from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = to;
    return { event: happening, from, to, row: lane };
  });
}

// The lines of one week under its columns: numbers of the days, bars across them, and what else each day has.

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

// An event drawn across its days: ╞ ■ Spring Fair ═════╡, with arrows where it goes on in another week.

/** The part of an event from one day to another, in so many columns, at least two. */
function renderBar(happening: CalendarEvent, first: CalendarDay, last: CalendarDay, width: number, style: Style): string {
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
