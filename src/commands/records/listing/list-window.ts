// Which dates a list asks for. The date grammar is loaded only where a date was typed.
import { flagName } from "../../../spec/field.ts";
import type { Scene } from "../site.ts";
import type { Limits } from "./limits.ts";
import { type Window, windowOf } from "./window.ts";

/** The flags that give a span of time. */
const spanFlags: readonly string[] = ["start-date", "end-date", "running", "all-dates", "on", "today", "week", "month", "next"];

const noWindow: Window = { filters: {}, notices: [] };

/** The window of the date flags, and the other dates among the filters in the interface's form. */
export async function readWindow({ resource, invocation: { flags }, site, context, problems }: Scene): Promise<Window> {
  const dated = resource.filters.filter(({ format }) => format === "date-time");
  if (dated.length === 0) return noWindow;
  const others = dated.filter(({ name }) => name !== "start_date" && name !== "end_date");
  if (![...spanFlags, ...others.map(flagName)].some((name) => flags[name] !== undefined)) {
    const hides = site.kind.window === "inside" && flags["include"] === undefined;
    return hides ? { ...noWindow, notices: ["this site lists events from today on; --all-dates lists all"] } : noWindow;
  }
  const reference = { now: context.clock.now(), zone: site.zone };
  const { spanOf } = await import("./span.ts");
  const found = spanOf(flags, reference, problems);
  for (const warning of found?.warnings ?? []) await context.warn(warning);
  const window = found === undefined ? noWindow : windowOf(found.span, site.zone, site.kind);
  const limits = (await import("./limits.ts")).limitsOf(others, flags, site.kind, reference, problems);
  for (const warning of limits?.warnings ?? []) await context.warn(warning);
  const whole = limits === undefined ? window : both(window, limits, site.zone);
  return site.kind.window === "inside" && whole.keep !== undefined && flags["strict-dates"] !== undefined ? unstrict(whole) : whole;
}

/** A limit takes the place of the window's own on the same side: it is asked for widely, and both are kept to here. */
function both(window: Window, limits: Limits, zone: string): Window {
  const keeps = [window.keep, limits.keep].filter((keep) => keep !== undefined);
  return {
    ...window,
    filters: { ...window.filters, ...limits.filters },
    ...(keeps.length === 0 ? {} : { keep: (record) => keeps.every((keep) => keep(record)) }),
    notices: [...window.notices, limits.says],
    told: { ...window.told, ...limits.told, zone },
  };
}

/** Such a site takes the days that it is asked for as UTC's then, and would leave out what is meant. */
function unstrict(window: Window): Window {
  const notice = "--strict-dates is not sent: cal takes dates to the second by itself";
  return { ...window, unsent: "strict_dates", notices: [...window.notices, notice] };
}
