// What `cal month`, `cal week` and `cal agenda` share: which days, which events, and how they are shown.
import type { Reference } from "../../dates/parse.ts";
import { CalError, usage } from "../../errors.ts";
import { events } from "../../spec/events.ts";
import { serverKinds } from "../../spec/server-kinds.ts";
import type { Handler, Invocation } from "../command.ts";
import type { Problems } from "../records/call.ts";
import { typedValues } from "../records/given/given.ts";
import { resolveLinks } from "../records/links/links.ts";
import { type Draw, dayList, picture, wantsPicture } from "./look.ts";
import { placedDays } from "./placing.ts";
import { readRunning } from "./reading.ts";
import { dayOf, type Stretch } from "./stretch.ts";
import { weekFrom, weekStartOf } from "./week-start.ts";

/** A view of the calendar. */
export interface CalendarView {
  readonly name: string;
  /** The days that were asked for; throws, or tells in `problems`, what can't be read. */
  readonly stretch: (invocation: Invocation, reference: Reference, problems: Problems) => Stretch | undefined;
  readonly draw: () => Promise<Draw>;
}

/** The handler of a view. */
export function view({ name, stretch: read, draw }: CalendarView): Handler {
  return async (invocation, context) => {
    const { namespace, server, tz } = await context.settings();
    const weekStart = weekStartOf(invocation.flags["week-start"], context.env);
    const now = context.clock.now();
    const problems: Problems = [...invocation.problems];
    const typed = typedValues(events.filters, invocation.flags, problems);
    const stretch = attempt(() => read(invocation, { now, zone: tz.value, weekStart }, problems), problems);
    if (problems.length > 0 || stretch === undefined) throw usage(problems, `see: cal ${name} --help`);
    for (const warning of stretch.warnings) await context.warn(warning);
    const site = { client: await context.client(), namespace: namespace.value, kind: serverKinds[server.value] };
    const filters = await resolveLinks(site, events.filters, typed);
    const drawn = await wantsPicture(context);
    if (!drawn)
      await context.notice(
        `events that run from ${dayOf(stretch.from, stretch.zone)} to ${dayOf(stretch.to, stretch.zone)} (${stretch.zone})`,
      );
    const days = placedDays(await readRunning(site, filters, stretch, context), stretch, now);
    if (!drawn) return dayList(days, stretch.zone, context);
    return picture(days, await draw(), { zone: stretch.zone, weekdays: weekFrom(weekStart) }, context);
  };
}

/** A date alone is told with its own hint, with other problems as one of them. */
function attempt<T>(read: () => T, problems: Problems): T | undefined {
  try {
    return read();
  } catch (error) {
    if (problems.length === 0 || !(error instanceof CalError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}
