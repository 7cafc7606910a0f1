// The date flags of a list, read into one span of time: --start-date and --end-date, --running, and the range flags.

import type { Flags } from "../../../context.ts";
import { type DateReference, parseDate } from "../../../dates/parse.ts";
import { getTodayRange, parseMonthRange, parseNextRange, parseRange, parseWeekRange, type Range } from "../../../dates/range.ts";
import { type Problems, tryParseFlag } from "../call.ts";
import type { Span } from "./window.ts";

/** Each range flag, by its name; a flag without its value is "today". */
const rangeParsers: Readonly<Record<string, (value: string | undefined, reference: DateReference) => Range>> = {
  on: (value, reference) => parseRange(value ?? "today", reference),
  today: (_value, reference) => getTodayRange(reference),
  week: parseWeekRange,
  month: parseMonthRange,
  next: (value, reference) => parseNextRange(value ?? "", reference),
};

/** The span and what is worth a warning; undefined where no date was given. */
export function parseSpan(
  flags: Flags,
  reference: DateReference,
  problems: Problems,
): { readonly span: Span; readonly warnings: readonly string[] } | undefined {
  const given = Object.keys(rangeParsers).filter((name) => flags[name] !== undefined && flags[name] !== false);
  const sides = ["start-date", "end-date"].filter((name) => flags[name] !== undefined);
  if (given.length + Math.min(sides.length, 1) + (flags["all-dates"] === true ? 1 : 0) > 1) {
    problems.push(
      `${[...given, ...sides, ...(flags["all-dates"] === true ? ["all-dates"] : [])].map((name) => `--${name}`).join(" and ")} exclude each other`,
    );
    return undefined;
  }
  const [name] = given;
  if (name !== undefined)
    return spanFromRange(
      tryParseFlag(name, problems, () => rangeParsers[name]?.(typeof flags[name] === "string" ? flags[name] : undefined, reference)),
    );
  return sides.length === 0 && flags["running"] !== true ? undefined : spanFromDates(flags, reference, problems);
}

function spanFromRange(range: Range | undefined) {
  if (range === undefined) return undefined;
  return { span: { from: range.from.epoch, to: range.to.epoch, running: true }, warnings: range.from.warnings };
}

/** --running alone means what runs now. */
function spanFromDates(flags: Flags, reference: DateReference, problems: Problems) {
  const running = flags["running"] === true;
  const start = flags["start-date"] ?? (running && flags["end-date"] === undefined ? "now" : undefined);
  const end = flags["end-date"] ?? (running && flags["start-date"] === undefined ? "now" : undefined);
  const from =
    start === undefined ? undefined : tryParseFlag("start-date", problems, () => parseDate(String(start), { ...reference, side: "start" }));
  const to =
    end === undefined ? undefined : tryParseFlag("end-date", problems, () => parseDate(String(end), { ...reference, side: "end" }));
  if (from !== undefined && to !== undefined && to.epoch < from.epoch) problems.push("--end-date is before --start-date");
  return {
    span: { ...(from === undefined ? {} : { from: from.epoch }), ...(to === undefined ? {} : { to: to.epoch }), running },
    warnings: [...(from?.warnings ?? []), ...(to?.warnings ?? [])],
  };
}
