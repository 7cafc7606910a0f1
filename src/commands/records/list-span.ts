// The date flags of a list, read into one span of time: --start-date and --end-date, --running, and the range flags.
import type { Input } from "../../api/request.ts";
import type { Flags } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { type DateReference, parseDate } from "../../dates/parse.ts";
import { getTodayRange, parseMonthRange, parseNextRange, parseRange, parseWeekRange, type Range } from "../../dates/range.ts";
import { type Field, getFieldFlagName } from "../../model/resource.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import type { Invocation } from "../command.ts";
import { type Problems, tryParseFlag } from "./command.ts";
import { getQueryDayAfter, getQueryDayBefore, instantOf, type Span } from "./list-window.ts";

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

// --starts-before, --starts-after, --ends-before and --ends-after: what lies wholly beside a moment, to the second.

/** A typed limit. Before a day, a month or a year is before its first moment, after it is after its last one. */
interface DateBound {
  readonly name: string;
  readonly key: "start_date" | "end_date";
  readonly isBefore: boolean;
  readonly epoch: number;
  readonly wall: string;
}

/** The limits of a list, bound to a kind of server. */
export interface DateBounds {
  readonly filters: Input;
  /** Absent where the server is trusted to compare to the second. */
  readonly matches?: (record: DataRecord) => boolean;
  /** What was understood, as a sentence. */
  readonly description: string;
  /** The moments by the names of the filters, for `--envelope`. */
  readonly envelopeWindow: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Reads the limits among the flags; undefined where there are none. */
export function parseDateBounds(
  fields: readonly Field[],
  flags: Invocation["flags"],
  { window }: ServerProfile,
  reference: DateReference,
  problems: Problems,
): DateBounds | undefined {
  const warnings: string[] = [];
  const limits = fields.flatMap((field) => {
    const text = flags[getFieldFlagName(field)];
    return text === undefined ? [] : (parseDateBound(field, String(text), reference, problems, warnings) ?? []);
  });
  if (limits.length === 0) return undefined;
  const envelopeWindow = Object.fromEntries(limits.map(({ name, wall }) => [name, wall]));
  const description = `events that ${limits.map(formatDateBound).join(" and ")} (${reference.zone})`;
  if (window !== "inside") return { filters: envelopeWindow, description, envelopeWindow, warnings };
  const days = limits.map(({ name, isBefore, epoch }) => [name, isBefore ? getQueryDayAfter(epoch) : getQueryDayBefore(epoch)] as const);
  const matches = (record: DataRecord) => limits.every((limit) => satisfiesBound(record, limit, reference.zone));
  return { filters: Object.fromEntries(days), matches, description, envelopeWindow, warnings };
}

function parseDateBound(
  field: Field,
  text: string,
  reference: DateReference,
  problems: Problems,
  warnings: string[],
): DateBound | undefined {
  const isBefore = field.name.endsWith("_before");
  const moment = tryParseFlag(getFieldFlagName(field), problems, () => parseDate(text, { ...reference, side: isBefore ? "start" : "end" }));
  if (moment === undefined) return undefined;
  warnings.push(...moment.warnings);
  const key = field.name.startsWith("starts") ? "start_date" : "end_date";
  return { name: field.name, key, isBefore, epoch: moment.epoch, wall: moment.wall };
}

function formatDateBound({ key, isBefore, wall }: DateBound): string {
  return `${key === "start_date" ? "start" : "end"} ${isBefore ? "before" : "after"} ${wall}`;
}

/** A record without the date is not for us to leave out. */
function satisfiesBound(record: DataRecord, { key, isBefore, epoch }: DateBound, zone: string): boolean {
  const instant = instantOf(record, key, zone);
  return instant === undefined || (isBefore ? instant < epoch : instant > epoch);
}
