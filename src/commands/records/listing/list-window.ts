// Which dates a list asks for. The date grammar is loaded only where a date was typed.
import { kebab } from "../../../spec/field.ts";
import { attempt } from "../call.ts";
import type { Scene } from "../site.ts";
import { type Window, windowOf } from "./window.ts";

/** The flags that give a span of time. */
const spanFlags: readonly string[] = ["start-date", "end-date", "running", "all-dates", "on", "today", "week", "month", "next"];

const noWindow: Window = { filters: {}, notices: [] };

/** The window of the date flags, and the other dates among the filters in the interface's form. */
export async function readWindow({ resource, invocation: { flags }, site, context, problems }: Scene): Promise<Window> {
  const dated = resource.filters.filter(({ format }) => format === "date-time");
  if (dated.length === 0) return noWindow;
  const others = dated.filter(({ name }) => name !== "start_date" && name !== "end_date").map(({ name }) => name);
  const typedOthers = others.filter((name) => flags[kebab(name)] !== undefined);
  if (typedOthers.length === 0 && !spanFlags.some((name) => flags[name] !== undefined)) {
    const hides = site.kind.window === "inside" && flags["include"] === undefined;
    return hides ? { ...noWindow, notices: ["this site lists events from today on; --all-dates lists all"] } : noWindow;
  }
  const reference = { now: context.clock.now(), zone: site.zone };
  const { spanOf } = await import("./span.ts");
  const found = spanOf(flags, reference, problems);
  for (const warning of found?.warnings ?? []) await context.warn(warning);
  const window = found === undefined ? noWindow : windowOf(found.span, site.zone, site.kind);
  const { parseDate } = await import("../../../dates/parse.ts");
  const filters: Record<string, unknown> = { ...window.filters };
  for (const name of typedOthers) {
    const flag = kebab(name);
    const side = name.endsWith("before") ? "end" : "start";
    const moment = attempt(flag, problems, () => parseDate(String(flags[flag]), { ...reference, side }));
    if (moment !== undefined) filters[name] = moment.wall;
  }
  return { ...window, filters };
}
