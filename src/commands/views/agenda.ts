// `cal agenda`: the days of a range as a list, the next fourteen unless given.
import type { Reference } from "../../dates/parse.ts";
import { rangeOn } from "../../dates/range.ts";
import type { Invocation } from "../command.ts";
import type { Problems } from "../records/call.ts";
import { spanOf } from "../records/listing/span.ts";
import { type Stretch, stretchOf, wholeDays } from "./stretch.ts";
import { view } from "./view.ts";

/** Shows a range of days. */
export const agenda = view({
  name: "agenda",
  stretch,
  draw: async () => {
    const { agendaPicture } = await import("../../output/calendar/agenda.ts");
    return (days, look) => agendaPicture(days, look, false);
  },
});

/** A date without a flag is what --on takes; of --next all days are whole, while a moment that was typed stays one. */
function stretch({ args, flags }: Invocation, reference: Reference, problems: Problems): Stretch | undefined {
  const [when] = args;
  if (when !== undefined && flags["on"] !== undefined) problems.push(`${JSON.stringify(when)} and --on exclude each other`);
  const found = spanOf(when === undefined ? flags : { ...flags, on: when }, reference, problems);
  const { from, to } = found?.span ?? {};
  if (found !== undefined && from !== undefined && to !== undefined)
    return {
      ...(flags["next"] === undefined ? { from, to } : wholeDays({ from, to }, reference)),
      zone: reference.zone,
      warnings: found.warnings,
    };
  const today = rangeOn("today", reference);
  return stretchOf({ from: today.from, to: rangeOn("today+13d", reference).to });
}
