// The calendar of a month: weeks under weekdays, events of several days as bars, as much of the titles as there is room for.
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

/** Room for `[15]`. */
const minDayWidth = 4;

/** Narrower days show symbols instead of titles. */
const minWidthForTitles = 7;

/** Of more lines a day shows only the number. */
const maxDayLines = 6;

const monthNames = "January February March April May June July August September October November December".split(" ");

export function renderMonth(days: readonly CalendarDay[], options: CalendarViewOptions): string {
  const { style, weekdays, wide, width } = options;
  const dayWidth = getDayWidth(days, options);
  let crowdedDay: string | undefined;
  const weekOptions: WeekRenderOptions = {
    dayWidth,
    style,
    maxLines: wide ? Number.POSITIVE_INFINITY : maxDayLines,
    renderDay: (day, lineCount, hiddenBars) => {
      if (!isFullyShown(day, lineCount, hiddenBars, dayWidth)) crowdedDay ??= day.date;
      return renderMonthDay(day, lineCount, hiddenBars, dayWidth, style);
    },
  };
  const first = days[0]?.date ?? "";
  const title = `${monthNames[Number(first.slice(5, 7)) - 1] ?? ""} ${first.slice(0, 4)}`;
  const names = weekdays.map((name) => ({ text: formatWeekdayName(name, dayWidth), bold: true }));
  const lines = [renderHeading(title, dayWidth * 7 + 6, options), renderHeaderLine(names, dayWidth, style)];
  for (const week of splitIntoWeeks(days, weekdays)) {
    const numbers = week.map((day) => ({ text: formatDayNumber(day, dayWidth), bold: day?.today === true }));
    lines.push(renderSeparatorLine(dayWidth, style), renderHeaderLine(numbers, dayWidth, style), ...renderWeekLines(week, weekOptions));
  }
  lines.push("", ...renderLegend(days, width, style));
  if (crowdedDay !== undefined) lines.push(style.dim(`+n more: ${options.agendaCommand} ${crowdedDay}`));
  return lines.join("\n").trimEnd();
}

/** Whether no event of the day is only counted. */
function isFullyShown({ calendarEvents }: CalendarDay, lineCount: number, hiddenBars: number, dayWidth: number): boolean {
  const entries = calendarEvents.filter(({ shownAsBar }) => !shownAsBar);
  return hiddenBars === 0 && entries.length <= (dayWidth < minWidthForTitles ? dayWidth : lineCount);
}

/** The events that are no bars, and the number of those that there is no room for. */
function renderMonthDay(day: CalendarDay, lineCount: number, hiddenBars: number, dayWidth: number, style: Style): readonly StyledLine[] {
  const entries = day.calendarEvents.filter(({ shownAsBar }) => !shownAsBar);
  if (dayWidth < minWidthForTitles) {
    const symbols = entries.length === 0 ? [] : [renderSymbolLine(entries, dayWidth, style)];
    return hiddenBars === 0 ? symbols : [...symbols, renderMoreLine(hiddenBars, dayWidth)];
  }
  const fits = isFullyShown(day, lineCount, hiddenBars, dayWidth);
  const shown = fits ? entries : entries.slice(0, lineCount - 1);
  const lines = shown.map((event) => renderEventLine(event, day.date, dayWidth, style));
  return fits ? lines : [...lines, renderMoreLine(hiddenBars + entries.length - shown.length, dayWidth)];
}

/** The days in rows of seven; undefined before the first and after the last. */
function splitIntoWeeks(days: readonly CalendarDay[], weekdays: readonly string[]): readonly WeekDays[] {
  const before = weekdays.indexOf(days[0]?.weekday ?? "");
  const cells = [...Array.from({ length: Math.max(0, before) }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_none, column) => cells[week * 7 + column]),
  );
}

/** The terminal divided into seven columns with six lines between them; with --wide the longest line. */
function getDayWidth(days: readonly CalendarDay[], { width, wide }: CalendarViewOptions): number {
  const even = Math.max(minDayWidth, Math.floor((width - 6) / 7));
  const line = (date: string) => (event: CalendarEvent) =>
    measureWidth(` ● ${formatTimeOnDay(event, date)} ${formatEventTitle(event)}`) + (event.shownAsBar ? 4 : 0);
  const widths = wide ? days.flatMap(({ date, calendarEvents }) => calendarEvents.map(line(date))) : [];
  return widths.reduce((widest, one) => Math.max(widest, one), even);
}

function formatDayNumber(day: CalendarDay | undefined, dayWidth: number): string {
  if (day === undefined) return "";
  const number = String(Number(day.date.slice(8))).padStart(2);
  return day.today ? `[${number}]${dayWidth < 10 ? "" : " today"}` : ` ${number}`;
}
