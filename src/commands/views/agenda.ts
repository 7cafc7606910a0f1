// `cal agenda`: the days of a range as a list, the next fourteen unless given.
import type { DateReference } from "../../dates/parse.ts";
import { parseRange } from "../../dates/range.ts";
import type { Invocation } from "../command.ts";
import type { Problems } from "../records/call.ts";
import { parseSpan } from "../records/listing/span.ts";
import { expandToWholeDays, type TimeSpan, toTimeSpan } from "./stretch.ts";
import { createViewHandler } from "./view.ts";

/** Shows a range of days. */
export const agenda = createViewHandler({
  name: "agenda",
  parseSpan: parseAgendaSpan,
  loadRenderer: async () => {
    const { renderAgenda } = await import("../../output/calendar/agenda.ts");
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
