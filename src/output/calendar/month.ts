// The picture of a month: weeks under weekdays, events of several days as bars, as much of the titles as there is room for.
import type { Style } from "../../terminal/style.ts";
import { measureWidth } from "../width.ts";
import {
  type CalendarDay,
  type CalendarEvent,
  type CalendarViewOptions,
  formatEventTitle,
  formatTimeOnDay,
  renderEventLine,
  renderHeading,
  renderLegend,
  renderMoreLine,
  renderSymbolLine,
  type StyledLine,
} from "./day.ts";
import {
  formatWeekdayName,
  renderHeaderLine,
  renderSeparatorLine,
  renderWeekLines,
  type WeekDays,
  type WeekRenderOptions,
} from "./week.ts";

/** Columns of a day at least, for `[15]`. */
const minDayWidth = 4;

/** Columns of a day from which it has room for titles; below it has signs. */
const minWidthForTitles = 7;

/** Lines of a day before the rest is counted only. */
const maxDayLines = 6;

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The days of a month as lines. */
export function renderMonth(days: readonly CalendarDay[], look: CalendarViewOptions): string {
  const { style, weekdays, wide, width } = look;
  const dayWidth = getDayWidth(days, look);
  const crowded: string[] = [];
  const plan: WeekRenderOptions = {
    dayWidth,
    style,
    maxLines: wide ? Number.POSITIVE_INFINITY : maxDayLines,
    renderDay: (day, room, hidden) => {
      if (!isFullyShown(day, room, hidden, dayWidth)) crowded.push(day.date);
      return renderMonthDay(day, room, hidden, dayWidth, style);
    },
  };
  const names = weekdays.map((name) => ({ text: formatWeekdayName(name, dayWidth), bold: true }));
  const lines = [renderHeading(formatMonthTitle(days[0]?.date ?? ""), dayWidth * 7 + 6, look), renderHeaderLine(names, dayWidth, style)];
  for (const week of splitIntoWeeks(days, weekdays)) {
    const numbers = week.map((day) => ({ text: formatDayNumber(day, dayWidth), bold: day?.today === true }));
    lines.push(renderSeparatorLine(dayWidth, style), renderHeaderLine(numbers, dayWidth, style), ...renderWeekLines(week, plan));
  }
  return [...lines, "", ...renderLegend(days, width, style), ...formatMoreHint(crowded[0]).map(style.dim)].join("\n").trimEnd();
}

/** How to see what a day has no room for; short enough for every terminal that has room for a month. */
function formatMoreHint(date: string | undefined): readonly string[] {
  return date === undefined ? [] : [`+n more: cal agenda ${date}`];
}

/** Whether all of a day is drawn, and nothing is counted only. */
function isFullyShown({ calendarEvents }: CalendarDay, room: number, hidden: number, cell: number): boolean {
  return hidden === 0 && calendarEvents.filter(({ shownAsBar }) => !shownAsBar).length <= (cell < minWidthForTitles ? cell : room);
}

/** What is not drawn as a bar, and the number of what has no room. */
function renderMonthDay(day: CalendarDay, room: number, hidden: number, cell: number, style: Style): readonly StyledLine[] {
  const short = day.calendarEvents.filter(({ shownAsBar }) => !shownAsBar);
  if (cell < minWidthForTitles) {
    const signs = short.length === 0 ? [] : [renderSymbolLine(short, cell, style)];
    return hidden === 0 ? signs : [...signs, renderMoreLine(hidden, cell)];
  }
  const fits = isFullyShown(day, room, hidden, cell);
  const shown = fits ? short : short.slice(0, room - 1);
  const lines = shown.map((happening) => renderEventLine(happening, day.date, cell, style));
  return fits ? lines : [...lines, renderMoreLine(hidden + short.length - shown.length, cell)];
}

/** The days in rows of seven; undefined before the first and after the last. */
function splitIntoWeeks(days: readonly CalendarDay[], weekdays: readonly string[]): readonly WeekDays[] {
  const before = weekdays.indexOf(days[0]?.weekday ?? "");
  const cells = [...Array.from({ length: Math.max(0, before) }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_none, column) => cells[week * 7 + column]),
  );
}

/** What seven columns and six lines between them leave to each; with --wide what the longest line needs. */
function getDayWidth(days: readonly CalendarDay[], { width, wide }: CalendarViewOptions): number {
  const even = Math.max(minDayWidth, Math.floor((width - 6) / 7));
  const line = (date: string) => (happening: CalendarEvent) =>
    measureWidth(` ● ${formatTimeOnDay(happening, date)} ${formatEventTitle(happening)}`) + (happening.shownAsBar ? 4 : 0);
  return wide ? Math.max(even, ...days.flatMap(({ date, calendarEvents }) => calendarEvents.map(line(date)))) : even;
}

/** Today has brackets around its number. */
function formatDayNumber(day: CalendarDay | undefined, cell: number): string {
  if (day === undefined) return "";
  const number = String(Number(day.date.slice(8))).padStart(2);
  return day.today ? `[${number}]${cell < 10 ? "" : " today"}` : ` ${number}`;
}

function formatMonthTitle(date: string): string {
  return `${monthNames[Number(date.slice(5, 7)) - 1] ?? ""} ${date.slice(0, 4)}`;
}
