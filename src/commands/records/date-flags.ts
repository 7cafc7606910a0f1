// The date flags of a list: --start-date and --end-date, --running, the range flags, and limits such as --starts-before.
import type { Input } from "../../api/request.ts";
import type { Flags } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { type DateReference, parseDate } from "../../dates/parse.ts";
import { getTodayRange, parseMonthRange, parseNextRange, parseRange, parseWeekRange, type Range } from "../../dates/range.ts";
import { type Field, getFieldFlagName } from "../../model/resource.ts";
import { type Problems, type RecordCommand, tryParseFlag } from "./command.ts";
import { createDateWindow, type DateWindow, getQueryDayAfter, getQueryDayBefore, instantOf, type Span } from "./date-window.ts";

/** The window of the date flags; `limitFields` are the filters that are limits. */
export async function parseDateWindow(command: RecordCommand, limitFields: readonly Field[]): Promise<DateWindow> {
  const { invocation, context, settings, serverProfile, problems } = command;
  const { flags } = invocation;
  const reference = { now: context.clock.now(), zone: settings.tz.value };
  const parsed = parseSpan(flags, reference, problems);
  for (const warning of parsed?.warnings ?? []) await context.warn(warning);
  const spanWindow: DateWindow =
    parsed === undefined ? { filters: {}, notices: [] } : createDateWindow(parsed.span, reference.zone, serverProfile);
  const limits = limitFields.flatMap((field) => {
    const text = flags[getFieldFlagName(field)];
    return text === undefined ? [] : (parseDateLimit(field, String(text), reference, problems) ?? []);
  });
  for (const warning of limits.flatMap(({ warnings }) => warnings)) await context.warn(warning);
  const window = limits.length === 0 ? spanWindow : addDateLimits(spanWindow, limits, command);
  if (serverProfile.window !== "inside" || window.matches === undefined || flags["strict-dates"] === undefined) return window;
  // With that filter such a site takes the days that it is asked for as days of UTC, and would leave out matching events.
  const notice = "--strict-dates is not sent: cal takes dates to the second by itself";
  return { ...window, omittedFilter: "strict_dates", notices: [...window.notices, notice] };
}

/** Each range flag, by its name; a flag without its value is "today". */
const rangeParsers: Readonly<Record<string, (value: string | undefined, reference: DateReference) => Range>> = {
  on: (value, reference) => parseRange(value ?? "today", reference),
  today: (_value, reference) => getTodayRange(reference),
  week: parseWeekRange,
  month: parseMonthRange,
  next: (value, reference) => parseNextRange(value ?? "", reference),
};

/** The flags that are a range by themselves. */
export const rangeFlags = Object.keys(rangeParsers);

/** The span of the flags and what is worth a warning; undefined where there is no date flag. */
export function parseSpan(
  flags: Flags,
  reference: DateReference,
  problems: Problems,
): { readonly span: Span; readonly warnings: readonly string[] } | undefined {
  const ranges = rangeFlags.filter((name) => flags[name] !== undefined && flags[name] !== false);
  const sides = ["start-date", "end-date"].filter((name) => flags[name] !== undefined);
  const allDates = flags["all-dates"] === true ? ["all-dates"] : [];
  if (ranges.length + Math.min(sides.length, 1) + allDates.length > 1) {
    problems.push(`${[...ranges, ...sides, ...allDates].map((name) => `--${name}`).join(" and ")} exclude each other`);
    return undefined;
  }
  const [name] = ranges;
  if (name !== undefined) {
    const value = flags[name];
    const range = tryParseFlag(name, problems, () => rangeParsers[name]?.(typeof value === "string" ? value : undefined, reference));
    return range && { span: { from: range.from.epoch, to: range.to.epoch, running: true }, warnings: range.from.warnings };
  }
  const running = flags["running"] === true;
  if (sides.length === 0 && !running) return undefined;
  // --running alone means the events that run now.
  const fallback = sides.length === 0 ? "now" : undefined;
  const parseSide = (side: "start" | "end") => {
    const text = flags[`${side}-date`] ?? fallback;
    return text === undefined ? undefined : tryParseFlag(`${side}-date`, problems, () => parseDate(String(text), { ...reference, side }));
  };
  const [from, to] = [parseSide("start"), parseSide("end")];
  if (from !== undefined && to !== undefined && to.epoch < from.epoch) problems.push("--end-date is before --start-date");
  return {
    span: { ...(from === undefined ? {} : { from: from.epoch }), ...(to === undefined ? {} : { to: to.epoch }), running },
    warnings: [...(from?.warnings ?? []), ...(to?.warnings ?? [])],
  };
}

// --starts-before, --starts-after, --ends-before and --ends-after, to the second.

/** A limit for one date of an event. "Before" a day, a month or a year means before its start, "after" it means after its end. */
interface DateLimit {
  readonly filter: string;
  readonly key: "start_date" | "end_date";
  readonly isBefore: boolean;
  readonly epoch: number;
  readonly wall: string;
  readonly warnings: readonly string[];
}

function parseDateLimit(field: Field, text: string, reference: DateReference, problems: Problems): DateLimit | undefined {
  const isBefore = field.name.endsWith("_before");
  const moment = tryParseFlag(getFieldFlagName(field), problems, () => parseDate(text, { ...reference, side: isBefore ? "start" : "end" }));
  if (moment === undefined) return undefined;
  const { epoch, wall, warnings } = moment;
  return { filter: field.name, key: field.name.startsWith("starts") ? "start_date" : "end_date", isBefore, epoch, wall, warnings };
}

/** A limit replaces the filter of the window on the same side, and the records have to match both. */
function addDateLimits(window: DateWindow, limits: readonly DateLimit[], { settings, serverProfile }: RecordCommand): DateWindow {
  const zone = settings.tz.value;
  const walls = Object.fromEntries(limits.map(({ filter, wall }) => [filter, wall]));
  const descriptions = limits.map(
    ({ key, isBefore, wall }) => `${key === "start_date" ? "start" : "end"} ${isBefore ? "before" : "after"} ${wall}`,
  );
  const common = {
    notices: [...window.notices, `events that ${descriptions.join(" and ")} (${zone})`],
    envelopeWindow: { ...window.envelopeWindow, ...walls, zone },
  };
  // Such a server compares to the second.
  if (serverProfile.window !== "inside") return { ...window, ...common, filters: { ...window.filters, ...walls } };
  const days: Input = Object.fromEntries(
    limits.map(({ filter, isBefore, epoch }) => [filter, isBefore ? getQueryDayAfter(epoch) : getQueryDayBefore(epoch)]),
  );
  const matches = (record: DataRecord) =>
    window.matches?.(record) !== false && limits.every((limit) => satisfiesLimit(record, limit, zone));
  return { ...window, ...common, filters: { ...window.filters, ...days }, matches };
}

/** A record without the date is not left out. */
function satisfiesLimit(record: DataRecord, { key, isBefore, epoch }: DateLimit, zone: string): boolean {
  const instant = instantOf(record, key, zone);
  return instant === undefined || (isBefore ? instant < epoch : instant > epoch);
}
