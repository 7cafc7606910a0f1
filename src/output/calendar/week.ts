// The picture of a week: seven columns with hours, titles and venues, or a list where there is no room for columns.
import { renderAgenda } from "./agenda.ts";
import type { CalendarDay, CalendarViewOptions } from "./day.ts";
import { renderEventBlock, type StyledLine } from "./entry.ts";
import { renderHeading } from "./heading.ts";
import { renderLegend } from "./mark.ts";
import { formatWeekdayName, renderHeaderLine, renderSeparatorLine, renderWeekLines } from "./week-lines.ts";

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
