// Which dates a list asks for. The date grammar is loaded only where a date was typed.
import { getFieldFlagName } from "../../../spec/field.ts";
import type { Scene } from "../site.ts";
import type { DateBounds } from "./limits.ts";
import { createDateWindow, type DateWindow } from "./window.ts";

/** The flags that give a span of time. */
const spanFlags: readonly string[] = ["start-date", "end-date", "running", "all-dates", "on", "today", "week", "month", "next"];

const emptyWindow: DateWindow = { filters: {}, notices: [] };

/** The window of the date flags, and the other dates among the filters in the interface's form. */
export async function resolveDateWindow({ resource, invocation: { flags }, site, context, problems }: Scene): Promise<DateWindow> {
  const dated = resource.filters.filter(({ format }) => format === "date-time");
  if (dated.length === 0) return emptyWindow;
  const others = dated.filter(({ name }) => name !== "start_date" && name !== "end_date");
  if (![...spanFlags, ...others.map(getFieldFlagName)].some((name) => flags[name] !== undefined)) {
    const hides = site.serverProfile.window === "inside" && flags["include"] === undefined;
    return hides ? { ...emptyWindow, notices: ["this site lists events from today on; --all-dates lists all"] } : emptyWindow;
  }
  const reference = { now: context.clock.now(), zone: site.zone };
  const { parseSpan } = await import("./span.ts");
  const found = parseSpan(flags, reference, problems);
  for (const warning of found?.warnings ?? []) await context.warn(warning);
  const window = found === undefined ? emptyWindow : createDateWindow(found.span, site.zone, site.serverProfile);
  const limits = (await import("./limits.ts")).parseDateBounds(others, flags, site.serverProfile, reference, problems);
  for (const warning of limits?.warnings ?? []) await context.warn(warning);
  const whole = limits === undefined ? window : mergeDateBounds(window, limits, site.zone);
  return site.serverProfile.window === "inside" && whole.matches !== undefined && flags["strict-dates"] !== undefined
    ? dropStrictDates(whole)
    : whole;
}

/** A limit takes the place of the window's own on the same side: it is asked for widely, and both are kept to here. */
function mergeDateBounds(window: DateWindow, limits: DateBounds, zone: string): DateWindow {
  const keeps = [window.matches, limits.matches].filter((keep) => keep !== undefined);
  return {
    ...window,
    filters: { ...window.filters, ...limits.filters },
    ...(keeps.length === 0 ? {} : { matches: (record) => keeps.every((keep) => keep(record)) }),
    notices: [...window.notices, limits.description],
    envelopeWindow: { ...window.envelopeWindow, ...limits.envelopeWindow, zone },
  };
}

/** Such a site takes the days that it is asked for as UTC's then, and would leave out what is meant. */
function dropStrictDates(window: DateWindow): DateWindow {
  const notice = "--strict-dates is not sent: cal takes dates to the second by itself";
  return { ...window, omittedFilter: "strict_dates", notices: [...window.notices, notice] };
}
