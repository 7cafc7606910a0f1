// What `cal month`, `cal week` and `cal agenda` share: which days, which events, and how they are shown.
import type { Context } from "../context.ts";
import { type Weekday, weekdays } from "../dates/day.ts";
import type { DateReference } from "../dates/parse.ts";
import { parseMonthRange, parseRange, parseWeekRange } from "../dates/range.ts";
import { CalError, usageError } from "../errors.ts";
import { events } from "../model/events.ts";
import { serverProfiles } from "../model/server-profiles.ts";
import type { CalendarDay, CalendarViewOptions } from "../output/calendar/day.ts";
import type { Report } from "../output/report.ts";
import { resolveStyle } from "../terminal/style.ts";
import type { Handler, Invocation } from "./command.ts";
import type { Problems } from "./records/command.ts";
import { parseFlagValues } from "./records/input.ts";
import { resolveLinks } from "./records/links.ts";
import { parseSpan } from "./records/list-span.ts";
import { fieldNames } from "./records/refs.ts";
import {
  dayColumns,
  epochToDay,
  expandToWholeDays,
  groupEventsByDay,
  readEventsInSpan,
  type TimeSpan,
  toDayRecord,
  toTimeSpan,
  type ViewDay,
} from "./view-events.ts";

/** A view of the calendar. */
interface CalendarView {
  readonly name: string;
  /** The days that were asked for; throws, or tells in `problems`, what can't be read. */
  readonly parseSpan: (invocation: Invocation, reference: DateReference, problems: Problems) => TimeSpan | undefined;
  readonly loadRenderer: () => Promise<RenderDays>;
}

/** The handler of a view. */
function createViewHandler({ name, parseSpan: read, loadRenderer }: CalendarView): Handler {
  return async (invocation, context) => {
    const { namespace, server, tz } = await context.settings();
    const weekStart = resolveWeekStart(invocation.flags["week-start"], context.env);
    const now = context.clock.now();
    const problems: Problems = [...invocation.problems];
    const typed = parseFlagValues(events.filters, invocation.flags, problems);
    const stretch = tryParse(() => read(invocation, { now, zone: tz.value, weekStart }, problems), problems);
    if (problems.length > 0 || stretch === undefined) throw usageError(problems, { text: "see", command: `cal ${name} --help` });
    for (const warning of stretch.warnings) await context.warn(warning);
    const site = { client: await context.client(), namespace: namespace.value, serverProfile: serverProfiles[server.value] };
    const filters = await resolveLinks(site, events.filters, typed);
    const drawn = await shouldRenderText(context);
    if (!drawn)
      await context.notice(
        `events that run from ${epochToDay(stretch.from, stretch.zone)} to ${epochToDay(stretch.to, stretch.zone)} (${stretch.zone})`,
      );
    const days = groupEventsByDay(await readEventsInSpan(site, filters, stretch, context), stretch, now);
    if (!drawn) return createListReport(days, stretch.zone, context);
    return createTextReport(days, await loadRenderer(), { zone: stretch.zone, weekdays: rotateWeekdays(weekStart) }, context);
  };
}

/** A date alone is told with its own hint, with other problems as one of them. */
function tryParse<T>(read: () => T, problems: Problems): T | undefined {
  try {
    return read();
  } catch (error) {
    if (problems.length === 0 || !(error instanceof CalError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

// `cal month [YYYY-MM]`: a month as a grid.

/** Shows a month; the current one unless given. */
export const month = createViewHandler({
  name: "month",
  parseSpan: ({ args }, reference) => toTimeSpan(parseMonthRange(args[0], reference)),
  loadRenderer: async () => (await import("../output/calendar/month.ts")).renderMonth,
});

// `cal week [date]`: seven days side by side.

/** Shows the week of a day; of today unless given. */
export const week = createViewHandler({
  name: "week",
  parseSpan: ({ args }, reference) => toTimeSpan(parseWeekRange(args[0], reference)),
  loadRenderer: async () => (await import("../output/calendar/week.ts")).renderWeek,
});

// `cal agenda`: the days of a range as a list, the next fourteen unless given.

/** Shows a range of days. */
export const agenda = createViewHandler({
  name: "agenda",
  parseSpan: parseAgendaSpan,
  loadRenderer: async () => {
    const { renderAgenda } = await import("../output/calendar/agenda.ts");
    return (days, look) => renderAgenda(days, look, false);
  },
});

/** A date without a flag is what --on takes; of --next all days are whole, while a moment that was typed stays one. */
function parseAgendaSpan({ args, flags }: Invocation, reference: DateReference, problems: Problems): TimeSpan | undefined {
  const [when] = args;
  if (when !== undefined && flags["on"] !== undefined) problems.push(`${JSON.stringify(when)} and --on exclude each other`);
  const found = parseSpan(when === undefined ? flags : { ...flags, on: when }, reference, problems);
  const { from, to } = found?.span ?? {};
  if (found !== undefined && from !== undefined && to !== undefined)
    return {
      ...(flags["next"] === undefined ? { from, to } : expandToWholeDays({ from, to }, reference)),
      zone: reference.zone,
      warnings: found.warnings,
    };
  const today = parseRange("today", reference);
  return toTimeSpan({ from: today.from, to: parseRange("today+13d", reference).to });
}

// What a view answers with: a picture where a table would be, else its days as data.

/** Draws days as lines, the last one without its end. */
type RenderDays = (days: readonly CalendarDay[], look: CalendarViewOptions) => string;

/** Off a terminal a picture has this many columns. */
const defaultWidth = 80;

/** Whether a picture is wanted: the format is a table, and nothing of it was chosen. */
export async function shouldRenderText(context: Context): Promise<boolean> {
  const { format } = await context.settings();
  const chosen = ["fields", "field", "columns"].some((name) => context.globals[name] !== undefined);
  return !chosen && (format?.value ?? (context.io.stdout.isTTY ? "table" : "tsv")) === "table";
}

/** The picture. */
async function createTextReport(
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
async function createListReport(days: readonly ViewDay[], zone: string, context: Context): Promise<Report> {
  const { format } = await context.settings();
  if (format?.value === "ids" || format?.value === "count") {
    const records = [...new Set(days.flatMap((day) => day.viewEvents.map(({ record }) => record)))];
    return { kind: "list", columns: events.columns, fieldNames: fieldNames(events), records };
  }
  return { kind: "list", columns: dayColumns, fieldNames: ["events"], records: days.map((day) => toDayRecord(day, zone)) };
}

// The first day of the week: as typed, else as the user's locale has it.

/** The value of `--week-start`, else what the locale of LC_ALL, LC_TIME or LANG says, else Monday. */
export function resolveWeekStart(typed: unknown, env: Context["env"]): Weekday {
  return weekdays.find((day) => day === typed) ?? getLocaleWeekStart(env["LC_ALL"] || env["LC_TIME"] || env["LANG"] || "") ?? "monday";
}

/** The days of the week in the order in which they stand in a row. */
export function rotateWeekdays(start: Weekday): readonly Weekday[] {
  const at = weekdays.indexOf(start);
  return [...weekdays.slice(at), ...weekdays.slice(0, at)];
}

/** Reads `en_US.UTF-8`; undefined for `C`, for what is no locale, and where Node doesn't know. */
function getLocaleWeekStart(name: string): Weekday | undefined {
  const tag = name.replace(/[.@].*$/, "").replaceAll("_", "-");
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
  try {
    const firstDay = getLocaleFirstDay(new Intl.Locale(tag));
    return typeof firstDay === "number" ? weekdays[firstDay - 1] : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Older engines have a property, newer ones a method; Monday is 1. */
function getLocaleFirstDay(locale: Intl.Locale): unknown {
  const info: unknown =
    "getWeekInfo" in locale && typeof locale.getWeekInfo === "function"
      ? locale.getWeekInfo()
      : "weekInfo" in locale
        ? locale.weekInfo
        : undefined;
  return typeof info === "object" && info !== null && "firstDay" in info ? info.firstDay : undefined;
}
