// What a view answers with: a picture where a table would be, else its days as data.
import type { Context } from "../../context.ts";
import type { CalendarDay, Look } from "../../output/calendar/day.ts";
import type { Report } from "../../output/report.ts";
import { events } from "../../spec/events.ts";
import { styleFor } from "../../terminal/style.ts";
import { knownNames } from "../records/known.ts";
import { dayColumns, dayData } from "./data.ts";
import type { PlacedDay } from "./placing.ts";

/** Draws days as lines, the last one without its end. */
export type Draw = (days: readonly CalendarDay[], look: Look) => string;

/** Off a terminal a picture has this many columns. */
const usual = 80;

/** Whether a picture is wanted: the format is a table, and nothing of it was chosen. */
export async function wantsPicture(context: Context): Promise<boolean> {
  const { format } = await context.settings();
  const chosen = ["fields", "field", "columns"].some((name) => context.globals[name] !== undefined);
  return !chosen && (format?.value ?? (context.io.stdout.isTTY ? "table" : "tsv")) === "table";
}

/** The picture. */
export async function picture(
  days: readonly CalendarDay[],
  draw: Draw,
  look: Pick<Look, "zone" | "weekdays">,
  context: Context,
): Promise<Report> {
  const { globals, io, env } = context;
  const text = draw(days, {
    ...look,
    width: io.stdout.columns ?? usual,
    wide: globals["wide"] === true,
    style: await styleFor(io.stdout, env, globals),
  });
  return { kind: "text", text: `${text}\n` };
}

/** The days as a list. Ids and counts are those of the events, each once. */
export async function dayList(days: readonly PlacedDay[], zone: string, context: Context): Promise<Report> {
  const { format } = await context.settings();
  if (format?.value === "ids" || format?.value === "count") {
    const records = [...new Set(days.flatMap((day) => day.events.map(({ record }) => record)))];
    return { kind: "list", columns: events.columns, known: knownNames(events), records };
  }
  return { kind: "list", columns: dayColumns, known: ["events"], records: days.map((day) => dayData(day, zone)) };
}
