// When a repeated event takes place: `--every` or `--rule`, `--count` or `--until`, `--except` and `--at`, on the clock of the event.
import type { DateReference, Moment } from "../../dates/parse.ts";
import { epochToWall, wallToEpoch } from "../../dates/zone.ts";
import { CalError, messageOf, usageError } from "../../errors.ts";
import { type Invocation, parseNames } from "../command.ts";
import { type Problems, tryParseFlag } from "../records/command.ts";
import { loadDateParser } from "../records/dates.ts";

/** A rule, and where it ends. */
export interface Recurrence {
  /** The value of RRULE without COUNT and UNTIL. */
  readonly rule: string;
  /** How many new events. */
  readonly count?: number | undefined;
  /** The same, where days of `--except` count too: COUNT of a rule. */
  readonly countsExceptions: boolean;
  /** The last wall time, on the clock of the event. */
  readonly until?: string | undefined;
  readonly exceptions: readonly Exception[];
  /** Times of day, `HH:MM:SS`, in their order. Empty: the time of the event. */
  readonly times: readonly string[];
}

/** Occurrences that start between two wall times, both included, are left out. */
interface Exception {
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

/** Reads the flags, and adds what is wrong with them. `now` and `zone` are those of the event, as far as they are known. */
export async function readRecurrence({ flags }: Invocation, reference: DateReference, problems: Problems): Promise<Recurrence | undefined> {
  const { every, rule, count, until, "start-time": startTime, at } = flags;
  const before = problems.length;
  if ((every === undefined) === (rule === undefined))
    problems.push(
      every === undefined
        ? { message: "--every or --rule is required: how often the event is repeated", hint: 'write --every week, or --every "2nd tue"' }
        : "--every and --rule exclude each other",
    );
  if (count !== undefined && until !== undefined) problems.push("--count and --until exclude each other");
  if (at !== undefined && startTime !== undefined)
    problems.push("--at and --start-time exclude each other: --at takes one time or several");
  if (typeof count === "number" && count < 1) problems.push("--count takes a number from 1: how many events are created");
  const parsed =
    rule === undefined ? await readEvery(every, problems) : await readRule(String(rule), reference.zone, at !== undefined, problems);
  if (parsed !== undefined) {
    const hasEnd = parsed.count !== undefined || parsed.until !== undefined;
    if (hasEnd && (count !== undefined || until !== undefined))
      problems.push(`--rule has its own end, so it excludes --${count === undefined ? "until" : "count"}`);
    if (!hasEnd && count === undefined && until === undefined)
      problems.push({
        message: "--count or --until is required: how many events, or until when",
        hint: "write --count 10, or --until 2027-06-30",
      });
  }
  const end = await readUntil(until, reference, problems);
  const exceptions = await readExceptions(flags["except"], reference, problems);
  const times = await readTimes(at ?? startTime, at === undefined ? "start-time" : "at", problems);
  if (parsed === undefined || problems.length > before) return undefined;
  return {
    ...parsed,
    ...(typeof count === "number" && { count }),
    ...(end !== undefined && { until: end }),
    countsExceptions: parsed.count !== undefined,
    exceptions,
    times,
  };
}

type ParsedRule = Pick<Recurrence, "rule" | "count" | "until">;

async function readEvery(text: unknown, problems: Problems): Promise<ParsedRule | undefined> {
  if (text === undefined) return undefined;
  const { parseEvery } = await import("../../dates/every.ts");
  const rule = tryParseFlag("every", problems, () => parseEvery(String(text)));
  return rule === undefined ? undefined : { rule };
}

/** A value of RRULE. COUNT counts the event that is repeated, as RFC 5545 says. */
async function readRule(text: string, zone: string, hasTimes: boolean, problems: Problems): Promise<ParsedRule | undefined> {
  const { findRuleProblems } = await import("../../ical/rules.ts");
  const rule = text
    .trim()
    .replace(/^RRULE:/i, "")
    .replace(/;$/, "");
  const found = findRuleProblems(rule);
  if (hasTimes && /(?:^|;)(?:BYHOUR|BYMINUTE|BYSECOND|FREQ=(?:HOURLY|MINUTELY|SECONDLY))/i.test(rule))
    problems.push("--at and times in --rule exclude each other");
  if (found.length > 0) {
    problems.push({ message: `--rule: ${found.join("; ")}`, hint: 'write --rule "FREQ=WEEKLY;BYDAY=TU,TH"' });
    return undefined;
  }
  const getPart = (name: string) => new RegExp(`(?:^|;)${name}=([^;]*)`, "i").exec(rule)?.[1];
  const [count, until] = [getPart("COUNT"), getPart("UNTIL")];
  const endless = rule
    .split(";")
    .filter((part) => !/^(?:COUNT|UNTIL)=/i.test(part))
    .join(";");
  if (count === "1") problems.push("--rule: COUNT=1 is the event itself: it counts too, so COUNT=2 creates one event");
  return {
    rule: endless,
    ...(count !== undefined && { count: Number(count) - 1 }),
    ...(until !== undefined && { until: toUntil(until, zone) }),
  };
}

/** UNTIL as a wall time of the event: a day counts as a whole. */
function toUntil(text: string, zone: string): string {
  const [, year = "", month = "", day = "", time, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z)?)?$/i.exec(text) ?? [];
  const wall = `${year}-${month}-${day} ${(time ?? "235959").replace(/(\d\d)(\d\d)(\d\d)/, "$1:$2:$3")}`;
  return utc === undefined ? wall : (epochToWall(wallToEpoch(wall, "UTC") ?? Number.NaN, zone) ?? wall);
}

async function readUntil(text: unknown, reference: DateReference, problems: Problems): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { parse } = await loadDateParser();
  return tryParseFlag("until", problems, () => toWall(parse.parseDate(String(text), { ...reference, side: "end" }), reference.zone));
}

/** The wall time of a moment on the clock of the event. */
function toWall({ epoch, wall }: Moment, zone: string): string {
  return epochToWall(epoch, zone) ?? wall;
}

async function readExceptions(value: Invocation["flags"][string] | undefined, reference: DateReference, problems: Problems) {
  const texts = parseNames(value);
  if (texts.length === 0) return [];
  const { parseRange } = await import("../../dates/range.ts");
  return texts.flatMap((text): readonly Exception[] => {
    const range = tryParseFlag("except", problems, () => parseRange(text, reference));
    return range === undefined ? [] : [{ text, from: toWall(range.from, reference.zone), to: toWall(range.to, reference.zone) }];
  });
}

async function readTimes(value: Invocation["flags"][string] | undefined, flag: string, problems: Problems): Promise<readonly string[]> {
  const texts = parseNames(value);
  if (value !== undefined && texts.length === 0) problems.push(`--${flag} is empty`);
  if (texts.length === 0) return [];
  const { day } = await loadDateParser();
  const times = texts.map((text) => day.parseTime(text.toLowerCase().replace(/ (?=[ap]m$)/, "")));
  for (const [at, time] of times.entries())
    if (time === undefined)
      problems.push({
        message: `--${flag} takes ${flag === "at" ? "times" : "a time"}, not ${JSON.stringify(texts[at])}`,
        hint: "write 19:30 or 7:30pm",
      });
  return [...new Set(times.flatMap((time) => time ?? []))].sort();
}

// The occurrences.

export interface Occurrences {
  /** The wall times of the new starts, in their order. */
  readonly starts: readonly string[];
  /** Those that were left out by `isSkipped`. */
  readonly skipped: readonly string[];
  /** The texts of exceptions that match no occurrence. */
  readonly unusedExceptions: readonly string[];
}

/** A rule that gives more is a mistake. */
const maxOccurrences = 10_000;

/**
 * The occurrences after the start of the event, a wall time on its own clock. `isSkipped` tells of a start whether it is left out because the
 * clocks skip it. Throws a usage error for a rule that gives none.
 */
export async function listOccurrences(
  { rule, count, countsExceptions, until, exceptions, times }: Recurrence,
  start: string,
  isSkipped: (start: string) => boolean,
): Promise<Occurrences> {
  const { expandRule } = await import("../../ical/rules.ts");
  const starts: string[] = [];
  const skipped: string[] = [];
  const used = new Set<Exception>();
  let left = count ?? Number.POSITIVE_INFINITY;
  /** False where this was the last one. */
  const add = (wall: string): boolean => {
    if (until !== undefined && wall > until) return false;
    if (wall <= start) return true;
    const exception = exceptions.find(({ from, to }) => wall >= from && wall <= to);
    if (exception !== undefined) {
      used.add(exception);
      if (countsExceptions) left -= 1;
    } else if (isSkipped(wall)) skipped.push(wall);
    else {
      starts.push(wall);
      left -= 1;
    }
    if (starts.length > maxOccurrences)
      throw usageError(
        `the rule gives more than ${maxOccurrences.toLocaleString("en-US")} events`,
        "give an earlier end: --until, or --count",
      );
    return left > 0;
  };
  const visit = (epoch: number): boolean => {
    const wall = epochToWall(epoch, "UTC");
    if (wall === undefined) return false;
    return times.length === 0 ? add(wall) : times.every((time) => add(`${wall.slice(0, 10)} ${time}`));
  };
  // On a clock without changes, so that a time that the clocks of the event skip is seen.
  const first = times.length === 0 ? start : `${start.slice(0, 10)} 00:00:00`;
  const last = until === undefined ? Date.UTC(9999, 11, 30) : (wallToEpoch(until, "UTC") ?? Number.NaN);
  try {
    if (left > 0) expandRule({ rule, start: first, zone: "UTC", last, withStart: false }, visit);
  } catch (error) {
    if (error instanceof CalError) throw error;
    throw usageError(`the rule ${rule} can't be expanded: ${messageOf(error)}`);
  }
  if (starts.length === 0 && skipped.length === 0)
    throw usageError(
      `the rule ${rule} gives no event after ${start.slice(0, 16)}${until === undefined ? "" : `, until ${until.slice(0, 16)}`}`,
    );
  return { starts, skipped, unusedExceptions: exceptions.filter((one) => !used.has(one)).map(({ text }) => text) };
}
