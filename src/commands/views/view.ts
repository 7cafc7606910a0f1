// What `cal month`, `cal week` and `cal agenda` share: which days, which events, and how they are shown.
import type { DateReference } from "../../dates/parse.ts";
import { CalError, usageError } from "../../errors.ts";
import { events } from "../../spec/events.ts";
import { serverProfiles } from "../../spec/server-kinds.ts";
import type { Handler, Invocation } from "../command.ts";
import type { Problems } from "../records/call.ts";
import { parseFlagValues } from "../records/given/given.ts";
import { resolveLinks } from "../records/links/links.ts";
import { createListReport, createTextReport, type RenderDays, shouldRenderText } from "./look.ts";
import { groupEventsByDay } from "./placing.ts";
import { readEventsInSpan } from "./reading.ts";
import { epochToDay, type TimeSpan } from "./stretch.ts";
import { resolveWeekStart, rotateWeekdays } from "./week-start.ts";

/** A view of the calendar. */
export interface CalendarView {
  readonly name: string;
  /** The days that were asked for; throws, or tells in `problems`, what can't be read. */
  readonly parseSpan: (invocation: Invocation, reference: DateReference, problems: Problems) => TimeSpan | undefined;
  readonly loadRenderer: () => Promise<RenderDays>;
}

/** The handler of a view. */
export function createViewHandler({ name, parseSpan: read, loadRenderer }: CalendarView): Handler {
  return async (invocation, context) => {
    const { namespace, server, tz } = await context.settings();
    const weekStart = resolveWeekStart(invocation.flags["week-start"], context.env);
    const now = context.clock.now();
    const problems: Problems = [...invocation.problems];
    const typed = parseFlagValues(events.filters, invocation.flags, problems);
    const stretch = tryParse(() => read(invocation, { now, zone: tz.value, weekStart }, problems), problems);
    if (problems.length > 0 || stretch === undefined) throw usageError(problems, `see: cal ${name} --help`);
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
