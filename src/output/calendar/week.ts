// The picture of a week: seven columns with hours, titles and venues, or a list where there is no room for columns.
import { agendaPicture } from "./agenda.ts";
import type { CalendarDay, Look } from "./day.ts";
import { entryBlock, type Line } from "./entry.ts";
import { heading } from "./heading.ts";
import { legend } from "./mark.ts";
import { weekdayName } from "./month.ts";
import { headLine, ruleLine, weekLines } from "./week-lines.ts";

/** Columns of a day from which `● 20:00–23:00` fits. */
const least = 13;

const space: Line = { text: "", width: 0 };

/** Seven days as lines. */
export function weekPicture(days: readonly CalendarDay[], look: Look): string {
  const { style } = look;
  const cell = Math.floor((look.width - 6) / 7);
  if (cell < least) return agendaPicture(days, look, true);
  const paints = days.map(({ today }) => (today ? style.bold : (text: string) => text));
  const dates = days.map(({ date, today }) => (today ? `[${date}]` : ` ${date}`));
  const linesOf = ({ date, happenings }: CalendarDay) =>
    happenings
      .filter(({ long }) => !long)
      .flatMap((one, index) => [...(index === 0 ? [] : [space]), ...entryBlock(one, date, cell, style)]);
  return [
    heading(`Week of ${days[0]?.date ?? ""}`, cell * 7 + 6, look),
    headLine(
      days.map(({ weekday, today }) => `${weekdayName(weekday, Math.max(10, cell))}${today && cell > 16 ? ", today" : ""}`),
      cell,
      style,
      days.map(() => style.bold),
    ),
    headLine(dates, cell, style, paints),
    ruleLine(7, cell, style),
    ...weekLines(days, { cell, style, most: Number.POSITIVE_INFINITY, linesOf }),
    "",
    ...legend(days, look.width, style),
  ]
    .join("\n")
    .trimEnd();
}
