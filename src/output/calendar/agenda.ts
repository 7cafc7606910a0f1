// The picture of a stretch of days as a list: a heading for each day, a line for each event, nothing cut.
import { isolated, textWidth, wrap } from "../width.ts";
import { type CalendarDay, daysBetween, type Happening, type Look } from "./day.ts";
import { hoursOn, titleOf } from "./entry.ts";
import { heading } from "./heading.ts";
import { markFor } from "./mark.ts";

/** Columns of `  20:00–23:00  ● `: what stands before every title. */
const hours = 11;
const indent = 2 + hours + 2 + 2;

/** Narrower than this, text is not readable, whatever the terminal. */
const leastText = 10;

// A line is wrapped behind the dot, never before it.
const separator = "\u00a0· ";

/** The days as lines; of those without events only today, or all where `empty` asks for them. */
export function agendaPicture(days: readonly CalendarDay[], look: Look, empty: boolean): string {
  const shown = days.filter(({ happenings, today }) => empty || today || happenings.length > 0);
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  const title = first === last ? first : `${first} to ${last}`;
  const width = look.wide ? Number.POSITIVE_INFINITY : look.width;
  return [heading(title, look.width, look), ...shown.flatMap((day) => ["", ...dayLines(day, width, look)])].join("\n");
}

function dayLines(day: CalendarDay, width: number, look: Look): readonly string[] {
  const { style } = look;
  const name = `${day.weekday.charAt(0).toUpperCase()}${day.weekday.slice(1)} ${day.date}`;
  const head = day.today ? style.bold(`${name}  [today]`) : style.bold(name);
  return [head, ...day.happenings.flatMap((happening) => eventLines(happening, day, Math.max(width - indent, leastText), look))];
}

/** The title, and behind it, or below where that is too long, what else is known. */
function eventLines(happening: Happening, { date }: CalendarDay, room: number, { style }: Look): readonly string[] {
  const { sign, paint } = markFor(happening, style);
  const title = titleOf(happening);
  const details = detailsOn(happening, date).map(isolated).join(separator);
  const start = `  ${style.dim(hoursOn(happening, date).padEnd(hours))}  ${paint(sign)} `;
  const together = details !== "" && textWidth(`${title}${separator}${details}`) <= room;
  const titles = wrap(title, room).map((line) => paint(isolated(line)));
  if (together) return [`${start}${titles.join("")}${style.dim(` · ${blank(details)}`)}`];
  const below = details === "" ? [] : wrap(details, room).map((line) => style.dim(blank(line)));
  return [...titles, ...below].map((line, index) => (index === 0 ? start : " ".repeat(indent)) + line);
}

function detailsOn(happening: Happening, date: string): readonly string[] {
  const { firstDay, lastDay, long, venue, categories, elsewhere, featured } = happening;
  const count = daysBetween(firstDay, lastDay) + 1;
  // Of a night that ends after midnight the hours say enough.
  const day = long && count > 1 ? `day ${daysBetween(firstDay, date) + 1} of ${count}` : "";
  return [day, venue, categories.map(({ name }) => name).join(", "), elsewhere ?? "", featured ? "featured" : ""].filter(
    (text) => text !== "",
  );
}

function blank(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
