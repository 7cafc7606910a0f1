// `cal month`, `cal week` and `cal agenda`: the events of some days, drawn as a calendar where a table would be, else as a list of days.
import { addCallScope } from "../config/hint-commands.ts";
import type { Context, Flags } from "../context.ts";
import { isRecord } from "../data-record.ts";
import { type Weekday, weekdays } from "../dates/day.ts";
import { type DateReference, parseDate } from "../dates/parse.ts";
import { parseMonthRange, parseRange, parseWeekRange } from "../dates/range.ts";
import { CalError, usageError } from "../errors.ts";
import { events } from "../model/events.ts";
import { serverProfiles } from "../model/server-profiles.ts";
import type { CalendarDay, CalendarViewOptions } from "../output/calendar/day.ts";
import { resolveStyle } from "../terminal/style.ts";
import type { Handler, Invocation } from "./command.ts";
import { fieldNames, type Problems } from "./records/command.ts";
import { parseSpan, rangeFlags } from "./records/date-flags.ts";
import { parseFlagValues } from "./records/input.ts";
import { resolveLinks } from "./records/links.ts";
import { createWithoutFilter } from "./records/without.ts";
import {
  dayColumns,
  epochToDay,
  expandToWholeDays,
  groupEventsByDay,
  readEventsInSpan,
  type TimeSpan,
  toDayRecord,
  toTimeSpan,
} from "./view-events.ts";

/** Shows a month as a grid; without an argument the current one. */
export const month = createViewHandler({
  name: "month",
  parseTimeSpan: ({ args }, reference) => toTimeSpan(parseMonthRange(args[0], reference)),
  loadRenderer: async () => (await import("../output/calendar/month.ts")).renderMonth,
});

/** Shows the week of a day as seven columns; without an argument that of today. */
export const week = createViewHandler({
  name: "week",
  parseTimeSpan: ({ args }, reference) => toTimeSpan(parseWeekRange(args[0], reference)),
  loadRenderer: async () => (await import("../output/calendar/week.ts")).renderWeek,
});

/** Lists the days of a range; by default the next fourteen. */
export const agenda = createViewHandler({
  name: "agenda",
  parseTimeSpan: parseAgendaSpan,
  loadRenderer: async () => {
    const { renderAgenda } = await import("../output/calendar/agenda.ts");
    return (days, options) => renderAgenda(days, options, false);
  },
});

interface CalendarView {
  readonly name: string;
  /** The days that were asked for; throws, or adds to `problems`, what can't be read. */
  readonly parseTimeSpan: (invocation: Invocation, reference: DateReference, problems: Problems) => TimeSpan | undefined;
  readonly loadRenderer: () => Promise<(days: readonly CalendarDay[], options: CalendarViewOptions) => string>;
}

/** Columns of a calendar that is not drawn on a terminal. */
const defaultWidth = 80;

function createViewHandler({ name, parseTimeSpan, loadRenderer }: CalendarView): Handler {
  return async (invocation, context) => {
    const { globals, io, env } = context;
    const { namespace, server, tz, format } = await context.settings();
    const weekStart = resolveWeekStart(invocation.flags["week-start"], env);
    const now = context.clock.now();
    const problems: Problems = [...invocation.problems];
    const filterInput = parseFlagValues(events.filters, invocation.flags, problems);
    let span: TimeSpan | undefined;
    try {
      span = parseTimeSpan(invocation, { now, zone: tz.value, weekStart }, problems);
    } catch (error) {
      // A date that is the only problem keeps its own hint.
      if (problems.length === 0 || !(error instanceof CalError)) throw error;
      problems.push(error.message);
    }
    if (problems.length > 0 || span === undefined) throw usageError(problems, { text: "see", command: `cal ${name} --help` });
    for (const warning of span.warnings) await context.warn(warning);
    const site = { client: await context.client(), namespace: namespace.value, serverProfile: serverProfiles[server.value] };
    const filters = await resolveLinks(site, events.filters, filterInput);
    const matches = createWithoutFilter(events, invocation.flags);
    const { zone } = span;
    if (await shouldRenderText(context)) {
      const days = groupEventsByDay(await readEventsInSpan(site, filters, span, context, matches), span, now);
      const renderDays = await loadRenderer();
      const text = renderDays(days, {
        zone,
        weekdays: rotateWeekdays(weekStart),
        width: io.stdout.columns ?? defaultWidth,
        wide: globals["wide"] === true,
        style: await resolveStyle(io.stdout, env, globals),
        agendaCommand: addCallScope("cal agenda", context),
      });
      return { kind: "text", text: `${text}\n` };
    }
    await context.notice(`events that run from ${epochToDay(span.from, zone)} to ${epochToDay(span.to, zone)} (${zone})`);
    const days = groupEventsByDay(await readEventsInSpan(site, filters, span, context, matches), span, now);
    if (format?.value === "markdown" || format?.value === "html") {
      const { createProgramme } = await import("./programme.ts");
      const { formatProgramme } = await import("../output/programme.ts");
      return { kind: "text", text: formatProgramme(createProgramme(days, zone), format.value) };
    }
    if (format?.value === "ids" || format?.value === "count" || format?.value === "ics") {
      // Of the events, each once.
      const records = [...new Set(days.flatMap((day) => day.calendarEvents.map(({ record }) => record)))];
      return { kind: "list", columns: events.columns, fieldNames: fieldNames(events), records };
    }
    return { kind: "list", columns: dayColumns, fieldNames: ["events"], records: days.map((day) => toDayRecord(day, zone)) };
  };
}

/** Whether people see text: the format is a table, and no columns or fields were chosen. */
export async function shouldRenderText(context: Context): Promise<boolean> {
  const { format } = await context.settings();
  const choosesFields = ["fields", "field"].some((flag) => context.globals[flag] !== undefined);
  return !choosesFields && (format?.value ?? (context.io.stdout.isTTY ? "table" : "tsv")) === "table";
}

/** One argument counts as `--on`, two are the first and the last moment. With `--next` all days are whole; a moment in another flag stays a moment. */
function parseAgendaSpan({ args, flags }: Invocation, reference: DateReference, problems: Problems): TimeSpan | undefined {
  const [first, last] = args;
  if (first !== undefined && flags["on"] !== undefined) problems.push(`${JSON.stringify(first)} and --on exclude each other`);
  if (first !== undefined && last !== undefined) return parseFirstAndLast(first, last, flags, reference, problems);
  const found = parseSpan(first === undefined ? flags : { ...flags, on: first }, reference, problems);
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

/** From the start of one date to the end of another. */
function parseFirstAndLast(first: string, last: string, flags: Flags, reference: DateReference, problems: Problems): TimeSpan {
  const from = parseDate(first, { ...reference, side: "start" });
  const to = parseDate(last, { ...reference, side: "end" });
  const ranges = rangeFlags.filter((name) => name !== "on" && flags[name] !== undefined);
  problems.push(...ranges.map((name) => `${JSON.stringify(`${first} ${last}`)} and --${name} exclude each other`));
  if (to.epoch < from.epoch)
    problems.push({
      message: `the last day (${last}) is before the first one (${first})`,
      hint: "a day of the week is the next one from today; write dates: YYYY-MM-DD",
    });
  return toTimeSpan({ from, to });
}

/** The value of `--week-start`, else what the locale of LC_ALL, LC_TIME or LANG says, else Monday. */
export function resolveWeekStart(flag: unknown, env: Context["env"]): Weekday {
  return weekdays.find((day) => day === flag) ?? getLocaleWeekStart(env["LC_ALL"] || env["LC_TIME"] || env["LANG"] || "") ?? "monday";
}

/** The days of the week, `start` first. */
export function rotateWeekdays(start: Weekday): readonly Weekday[] {
  const at = weekdays.indexOf(start);
  return [...weekdays.slice(at), ...weekdays.slice(0, at)];
}

/** Reads `en_US.UTF-8`; undefined for `C`, for what is no locale, and where Node doesn't know. */
function getLocaleWeekStart(name: string): Weekday | undefined {
  const tag = name.replace(/[.@].*$/, "").replaceAll("_", "-");
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    // Newer engines have a method, older ones a property. Monday is 1.
    const old: unknown = "weekInfo" in locale ? locale.weekInfo : undefined;
    const info: unknown = "getWeekInfo" in locale && typeof locale.getWeekInfo === "function" ? locale.getWeekInfo() : old;
    return isRecord(info) && typeof info["firstDay"] === "number" ? weekdays[info["firstDay"] - 1] : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
