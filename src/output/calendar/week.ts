// The calendar of a week: seven columns with hours, titles and venues, or a list where there is no room for columns.
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

/** Room for `● 20:00–23:00`. */
const minColumnDayWidth = 13;

const emptyLine: StyledLine = { text: "", width: 0 };

export function renderWeek(days: readonly CalendarDay[], options: CalendarViewOptions): string {
  const { style } = options;
  const dayWidth = Math.floor((options.width - 6) / 7);
  if (dayWidth < minColumnDayWidth) return renderAgenda(days, options, true);
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
    renderHeading(`Week of ${days[0]?.date ?? ""}`, dayWidth * 7 + 6, options),
    renderHeaderLine(names, dayWidth, style),
    renderHeaderLine(dates, dayWidth, style),
    renderSeparatorLine(dayWidth, style),
    ...renderWeekLines(days, { dayWidth, style, maxLines: Number.POSITIVE_INFINITY, renderDay }),
  ];
  return [...lines, "", ...renderLegend(days, options.width, style)].join("\n").trimEnd();
}

/** The columns of a week; undefined for a day that is not shown. */
export type WeekDays = readonly (CalendarDay | undefined)[];

interface EventBar {
  readonly event: CalendarEvent;
  /** Its first and last column in this week. */
  readonly from: number;
  readonly to: number;
  /** The line of the week, from 0. */
  readonly row: number;
}

/** The columns of every bar of a week, and a row for each in which it meets no other. */
function placeBars(week: WeekDays): readonly EventBar[] {
  const columns = new Map<CalendarEvent, { from: number; to: number }>();
  week.forEach((day, column) => {
    for (const event of day?.calendarEvents ?? []) {
      if (event.shownAsBar) columns.set(event, { from: columns.get(event)?.from ?? column, to: column });
    }
  });
  const sorted = [...columns].sort(([, left], [, right]) => left.from - right.from || right.to - left.to);
  const ends: number[] = [];
  /** The first row that may be free for bars that begin in this column or later; `sorted` never goes back. */
  let column = 0;
  let first = 0;
  return sorted.map(([event, { from, to }]) => {
    if (from !== column) [column, first] = [from, 0];
    while (first < ends.length && (ends[first] ?? 0) >= from) first += 1;
    ends[first] = to;
    return { event, from, to, row: first };
  });
}

export interface WeekRenderOptions {
  readonly dayWidth: number;
  readonly style: Style;
  /** Of a day; Infinity is all. */
  readonly maxLines: number;
  /** At most `lineCount` lines below the bars of a day; there was no room for `hiddenBars` more bars. */
  readonly renderDay: (day: CalendarDay, lineCount: number, hiddenBars: number) => readonly StyledLine[];
}

/** The lines below the header of a week; at least one. */
export function renderWeekLines(week: WeekDays, options: WeekRenderOptions): readonly string[] {
  const all = placeBars(week);
  const bars = all.filter(({ row }) => row < options.maxLines - 1);
  const over = (column: number) => (bar: EventBar) => bar.from <= column && column <= bar.to;
  const cells = week.map((day, column) => {
    const top = bars.filter(over(column)).reduce((highest, { row }) => Math.max(highest, row + 1), 0);
    const hidden = all.filter(over(column)).length - bars.filter(over(column)).length;
    return { top, lines: day === undefined ? [] : options.renderDay(day, options.maxLines - top, hidden) };
  });
  const height = Math.max(1, ...cells.map(({ top, lines }) => top + lines.length));
  const barsOfRow = new Map<number, EventBar[]>();
  for (const bar of bars) barsOfRow.set(bar.row, [...(barsOfRow.get(bar.row) ?? []), bar]);
  return Array.from({ length: height }, (_, row) => {
    const parts: string[] = [];
    for (let column = 0; column < week.length; column += 1) {
      const bar = barsOfRow.get(row)?.find(over(column));
      const { top = 0, lines = [] } = cells[column] ?? {};
      if (bar === undefined) parts.push(padLine(lines[row - top], options.dayWidth));
      else {
        parts.push(renderBar(bar, week, options));
        column = bar.to;
      }
    }
    return joinCells(parts, options.style);
  });
}

/** One text for each column. */
export function renderHeaderLine(
  texts: readonly { readonly text: string; readonly bold: boolean }[],
  dayWidth: number,
  style: Style,
): string {
  const parts = texts.map(({ text, bold }) => padLine({ text: bold ? style.bold(text) : text, width: measureWidth(text) }, dayWidth));
  return joinCells(parts, style);
}

/** As much of a weekday's name as there is room for. */
export function formatWeekdayName(name: string, dayWidth: number): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return ` ${dayWidth < 10 ? title.slice(0, 3) : title}`;
}

/** The line between two weeks. */
export function renderSeparatorLine(dayWidth: number, style: Style): string {
  return style.dim(Array.from({ length: 7 }, () => "─".repeat(dayWidth)).join("┼"));
}

function padLine(line: StyledLine | undefined, dayWidth: number): string {
  return line === undefined ? " ".repeat(dayWidth) : line.text + " ".repeat(Math.max(0, dayWidth - line.width));
}

function joinCells(parts: readonly string[], style: Style): string {
  return parts.join(style.dim("│")).trimEnd();
}

/** An event drawn across its days: `╞ ■ Spring Fair 09:00 ═════╡`, with arrows where it goes on in another week. */
function renderBar({ event, from, to }: EventBar, week: WeekDays, { dayWidth, style }: WeekRenderOptions): string {
  const [first, last] = [week[from]?.date ?? "", week[to]?.date ?? ""];
  const { symbol, colorize } = getEventMarker(event, style);
  const left = event.firstDay < first ? "◂" : "╞";
  const right = event.lastDay > last ? "▸" : "╡";
  const time = event.startTime === undefined || event.firstDay < first ? "" : ` ${event.startTime}`;
  const title = formatEventTitle(event);
  const innerWidth = (to - from + 1) * (dayWidth + 1) - 3;
  const loose = measureWidth(title + time, innerWidth) + 4 <= innerWidth;
  const gap = innerWidth < 8 ? "" : " ";
  // With fewer columns the symbol alone is more readable.
  const shown = loose ? title + time : innerWidth < 4 ? "" : truncateText(title, innerWidth - 1 - gap.length);
  const margin = loose ? " " : "";
  const between = loose ? " " : shown === "" ? "" : gap;
  const fill = "═".repeat(Math.max(0, innerWidth - 1 - measureWidth(margin + between + shown + margin)));
  return colorize(`${left}${margin}${symbol}${between}${isolateRightToLeft(shown)}${margin}${fill}${right}`);
}
