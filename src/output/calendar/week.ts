// The picture of a week: seven columns with hours, titles and venues, or a list where there is no room for columns.
import { agendaPicture } from "./agenda.ts";
import type { CalendarDay, Look } from "./day.ts";
import { entryBlock, type Line } from "./entry.ts";
import { heading } from "./heading.ts";
import { legend } from "./mark.ts";
import { headLine, ruleLine, weekdayName, weekLines } from "./week-lines.ts";

/** Columns of a day from which `● 20:00–23:00` fits. */
const least = 13;

const space: Line = { text: "", width: 0 };

/** Seven days as lines. */
export function weekPicture(days: readonly CalendarDay[], look: Look): string {
  const { style } = look;
  const cell = Math.floor((look.width - 6) / 7);
  if (cell < least) return agendaPicture(days, look, true);
  const names = days.map(({ weekday, today }) => ({
    text: `${weekdayName(weekday, cell)}${today && cell > 16 ? ", today" : ""}`,
    bold: true,
  }));
  const dates = days.map(({ date, today }) => ({ text: today ? `[${date}]` : ` ${date}`, bold: today }));
  const linesOf = ({ date, happenings }: CalendarDay) =>
    happenings
      .filter(({ long }) => !long)
      .flatMap((one, index) => [...(index === 0 ? [] : [space]), ...entryBlock(one, date, cell, style)]);
  const lines = [
    heading(`Week of ${days[0]?.date ?? ""}`, cell * 7 + 6, look),
    headLine(names, cell, style),
    headLine(dates, cell, style),
    ruleLine(cell, style),
    ...weekLines(days, { cell, style, most: Number.POSITIVE_INFINITY, linesOf }),
  ];
  return [...lines, "", ...legend(days, look.width, style)].join("\n").trimEnd();
}
