// The picture of a stretch of days as a list: a heading for each day, a line for each event, nothing cut.
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

/** Columns of `  20:00–23:00  ● `: what stands before every title. */
const hoursWidth = 11;
const titleIndent = 2 + hoursWidth + 2 + 2;

/** Narrower than this, text is not readable, whatever the terminal. */
const minTextWidth = 10;

// A line is wrapped behind the dot, never before it.
const detailSeparator = "\u00a0· ";

/** The days as lines; of those without events only today, or all where `empty` asks for them. */
export function renderAgenda(days: readonly CalendarDay[], look: CalendarViewOptions, empty: boolean): string {
  const shown = days.filter(({ calendarEvents, today }) => empty || today || calendarEvents.length > 0);
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const title = first === last ? first : `${first} to ${last}`;
  const width = look.wide ? Number.POSITIVE_INFINITY : look.width;
  return [renderHeading(title, look.width, look), ...shown.flatMap((day) => ["", ...renderAgendaDay(day, width, look)])].join("\n");
}

function renderAgendaDay(day: CalendarDay, width: number, look: CalendarViewOptions): readonly string[] {
  const { style } = look;
  const name = `${day.weekday.charAt(0).toUpperCase()}${day.weekday.slice(1)} ${day.date}`;
  const head = day.today ? style.bold(`${name}  [today]`) : style.bold(name);
  return [
    head,
    ...day.calendarEvents.flatMap((happening) => renderAgendaEvent(happening, day, Math.max(width - titleIndent, minTextWidth), look)),
  ];
}

/** The title, and behind it, or below where that is too long, what else is known. */
function renderAgendaEvent(
  happening: CalendarEvent,
  { date }: CalendarDay,
  room: number,
  { style }: CalendarViewOptions,
): readonly string[] {
  const { symbol, colorize } = getEventMarker(happening, style);
  const title = formatEventTitle(happening);
  const details = getEventDetails(happening, date).map(isolateRightToLeft).join(detailSeparator);
  const start = `  ${style.dim(formatHoursOnDay(happening, date).padEnd(hoursWidth))}  ${colorize(symbol)} `;
  const together = details !== "" && measureWidth(`${title}${detailSeparator}${details}`) <= room;
  const titles = wrapToWidth(title, room).map((line) => colorize(isolateRightToLeft(line)));
  if (together) return [`${start}${titles.join("")}${style.dim(` · ${replaceNoBreakSpaces(details)}`)}`];
  const below = details === "" ? [] : wrapToWidth(details, room).map((line) => style.dim(replaceNoBreakSpaces(line)));
  return [...titles, ...below].map((line, index) => (index === 0 ? start : " ".repeat(titleIndent)) + line);
}

function getEventDetails(happening: CalendarEvent, date: string): readonly string[] {
  const { firstDay, lastDay, shownAsBar, venue, categories, startInEventZone, featured } = happening;
  const count = countDaysBetween(firstDay, lastDay) + 1;
  // Of a night that ends after midnight the hours say enough.
  const day = shownAsBar && count > 1 ? `day ${countDaysBetween(firstDay, date) + 1} of ${count}` : "";
  return [day, venue, categories.map(({ name }) => name).join(", "), startInEventZone ?? "", featured ? "featured" : ""].filter(
    (text) => text !== "",
  );
}

function replaceNoBreakSpaces(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
