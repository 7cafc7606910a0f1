// What a view answers with: a picture where a table would be, else its days as data.
import type { Context } from "../../context.ts";
import type { CalendarDay, CalendarViewOptions } from "../../output/calendar/day.ts";
import type { Report } from "../../output/report.ts";
import { events } from "../../spec/events.ts";
import { resolveStyle } from "../../terminal/style.ts";
import { fieldNames } from "../records/known.ts";
import { dayColumns, toDayRecord } from "./data.ts";
import type { ViewDay } from "./placing.ts";

/** Draws days as lines, the last one without its end. */
export type RenderDays = (days: readonly CalendarDay[], look: CalendarViewOptions) => string;

/** Off a terminal a picture has this many columns. */
const defaultWidth = 80;

/** Whether a picture is wanted: the format is a table, and nothing of it was chosen. */
export async function shouldRenderText(context: Context): Promise<boolean> {
  const { format } = await context.settings();
  const chosen = ["fields", "field", "columns"].some((name) => context.globals[name] !== undefined);
  return !chosen && (format?.value ?? (context.io.stdout.isTTY ? "table" : "tsv")) === "table";
}

/** The picture. */
export async function createTextReport(
  days: readonly CalendarDay[],
  draw: RenderDays,
  look: Pick<CalendarViewOptions, "zone" | "weekdays">,
  context: Context,
): Promise<Report> {
  const { globals, io, env } = context;
  const text = draw(days, {
    ...look,
    width: io.stdout.columns ?? defaultWidth,
    wide: globals["wide"] === true,
    style: await resolveStyle(io.stdout, env, globals),
  });
  return { kind: "text", text: `${text}\n` };
}

/** The days as a list. Ids and counts are those of the events, each once. */
export async function createListReport(days: readonly ViewDay[], zone: string, context: Context): Promise<Report> {
  const { format } = await context.settings();
  if (format?.value === "ids" || format?.value === "count") {
    const records = [...new Set(days.flatMap((day) => day.viewEvents.map(({ record }) => record)))];
    return { kind: "list", columns: events.columns, fieldNames: fieldNames(events), records };
  }
  return { kind: "list", columns: dayColumns, fieldNames: ["events"], records: days.map((day) => toDayRecord(day, zone)) };
}
