// The calendar as a list: a heading for each day, a line for each event, nothing cut.
import { isolateRightToLeft, measureWidth, wrapToWidth } from "../width.ts";
import {
  type CalendarDay,
  type CalendarEvent,
  type CalendarViewOptions,
  countDaysBetween,
  formatEventTitle,
  formatHoursOnDay,
  getEventMarker,
  renderHeading,
} from "./day.ts";

const hoursWidth = 11;

/** Columns of `  20:00–23:00  ● ` before every title. */
const titleIndent = 2 + hoursWidth + 2 + 2;

/** Narrower than this, text is not readable, whatever the terminal. */
const minTextWidth = 10;

// With the no-break space a line is wrapped after the dot, never before it.
const detailSeparator = "\u00a0· ";

/** The days as lines; of those without events only today, or all with `showEmpty`. */
export function renderAgenda(days: readonly CalendarDay[], options: CalendarViewOptions, showEmpty: boolean): string {
  const { style, wide, width } = options;
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const textWidth = Math.max((wide ? Number.POSITIVE_INFINITY : width) - titleIndent, minTextWidth);
  const lines = [renderHeading(first === last ? first : `${first} to ${last}`, width, options)];
  for (const { date, weekday, today, calendarEvents } of days) {
    if (!showEmpty && !today && calendarEvents.length === 0) continue;
    const name = `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${date}`;
    lines.push("", style.bold(today ? `${name}  [today]` : name));
    lines.push(...calendarEvents.flatMap((event) => renderAgendaEvent(event, date, textWidth, options)));
  }
  return lines.join("\n");
}

/** The title, and after it, or below where that is too long, what else is known. */
function renderAgendaEvent(event: CalendarEvent, date: string, width: number, { style }: CalendarViewOptions): readonly string[] {
  const { symbol, colorize } = getEventMarker(event, style);
  const title = formatEventTitle(event);
  const details = getEventDetails(event, date).map(isolateRightToLeft).join(detailSeparator);
  const start = `  ${style.dim(formatHoursOnDay(event, date).padEnd(hoursWidth))}  ${colorize(symbol)} `;
  const titleLines = wrapToWidth(title, width).map((line) => colorize(isolateRightToLeft(line)));
  const dimDetails = (text: string) => style.dim(text.replaceAll("\u00a0", " "));
  if (details !== "" && measureWidth(`${title}${detailSeparator}${details}`) <= width)
    return [`${start}${titleLines.join("")}${dimDetails(` · ${details}`)}`];
  const detailLines = details === "" ? [] : wrapToWidth(details, width).map(dimDetails);
  return [...titleLines, ...detailLines].map((line, index) => (index === 0 ? start : " ".repeat(titleIndent)) + line);
}

function getEventDetails(event: CalendarEvent, date: string): readonly string[] {
  const { firstDay, lastDay, shownAsBar, venue, categories, startInEventZone, featured } = event;
  const count = countDaysBetween(firstDay, lastDay) + 1;
  // The hours are enough for a night that ends after midnight.
  const day = shownAsBar && count > 1 ? `day ${countDaysBetween(firstDay, date) + 1} of ${count}` : "";
  const details = [day, venue, categories.map(({ name }) => name).join(", "), startInEventZone ?? "", featured ? "featured" : ""];
  return details.filter((text) => text !== "");
}
