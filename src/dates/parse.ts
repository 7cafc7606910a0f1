// The date grammar: text to a moment. It is closed and has no locale; other texts are refused with what to write instead.
import { CalError, usageError } from "../errors.ts";
import { type DateUnit, getBoundary, getLastDay, parseAnchor, parseCalendarDate, parseTime, type Side, type Weekday } from "./day.ts";
import { type Duration, formatDuration, parseOffset } from "./duration.ts";
import { findDateSuggestion } from "./suggest.ts";
import { Temporal } from "./temporal.ts";
import { findZone, requireZone, resolveWallTime, wallToEpoch } from "./zone.ts";

/** What an expression is relative to. */
export interface DateReference {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone of texts without one. */
  readonly zone: string;
  /** Monday by default. */
  readonly weekStart?: Weekday;
}

/** How much of the calendar the text named; `time` is a single moment. */
export type Precision = DateUnit | "time";

/** What an expression of the date grammar means: an instant, and the zone whose clocks show it. */
export interface Moment {
  /** `YYYY-MM-DD HH:MM:SS` on the clocks of `zone`: the form that the calendar interface takes (section 4.2). */
  readonly wall: string;
  /** An IANA name, `UTC`, or an offset as `+HH:MM`. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly epoch: number;
  /** Whether the text itself fixed the instant, by a zone or by epoch seconds. Then a change of zone converts it (`convertToZone`). */
  readonly ownZone: boolean;
  readonly precision: Precision;
  /** Whole sentences for stderr. */
  readonly warnings: readonly string[];
}

type ParseDateOptions = DateReference & { readonly side: Side };

/** Parses an expression of the date grammar. A usage error, with what to write instead, where it is none or there is no such time. */
export function parseDate(text: string, options: ParseDateOptions): Moment {
  // An hour may be apart from its am or pm.
  const normalized = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/(^|[ @t])(\d{1,2}(?::\d{2})?) ([ap]m)\b/gi, "$1$2$3");
  const moment = parseExpression(normalized, options);
  if (moment !== undefined) return moment;
  const canParse = (other: string) => {
    try {
      return parseExpression(other, options) !== undefined;
    } catch (error) {
      if (error instanceof CalError && error.kind === "usage") return false;
      throw error;
    }
  };
  const { reason, hint } = findDateSuggestion(normalized, canParse);
  throw usageError(`"${text}" is not a date: ${reason}`, hint);
}

/** Undefined where the text is no expression of the grammar. A usage error where there is no such zone or time. */
function parseExpression(
  text: string,
  { now: epoch, zone: defaultZone, side, weekStart = "monday" }: ParseDateOptions,
): Moment | undefined {
  const { body, zone } = splitZone(text);
  const ownZone = zone !== undefined;
  const now = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(requireZone(zone ?? defaultZone).name);
  const expression = body.toLowerCase();
  const epochSeconds = /^@(-?\d{1,12})$/.exec(expression)?.[1];
  if (epochSeconds !== undefined) {
    const at = Temporal.Instant.fromEpochMilliseconds(Number(epochSeconds) * 1000).toZonedDateTimeISO(now.timeZoneId);
    return createMoment(at, { ownZone: true, precision: "time", warnings: [] });
  }
  const [, head = "", offset, timeAfterOffset, time = timeAfterOffset] =
    /^(\d{4}(?:-\d{2}){0,2}|[a-z]+(?:-[a-z]+)?|)(?: ?([+-][^ @]+)(?:[ @](.+))?|[ @t](.+))?$/.exec(
      expression.replace(/^(\d\w*)-ago$/, "-$1"),
    ) ?? [];
  const shift = offset === undefined ? {} : parseOffset(offset);
  if (shift === undefined) return undefined;
  if (head === "now" || (head === "" && offset !== undefined)) {
    if (time !== undefined) return undefined;
    const later = addToZonedDateTime(now, shift);
    return createMoment(later.at, { ownZone, precision: "time", warnings: later.warnings });
  }
  const today = now.toPlainDate();
  const span = parseCalendarDate(head, today) ?? parseAnchor(head, today, weekStart);
  if (span === undefined) return undefined;
  const { hours = 0, minutes = 0, seconds = 0, ...calendarShift } = shift;
  const shiftsClock = hours !== 0 || minutes !== 0 || seconds !== 0;
  if (time !== undefined) {
    const clock = parseTime(time);
    if (clock === undefined || shiftsClock || (span.unit !== "day" && span.endOnly === undefined)) return undefined;
    const { at, warnings } = resolveWallTime(getLastDay(span, calendarShift).toPlainDateTime(clock), now.timeZoneId, "refuse");
    return createMoment(at, { ownZone, precision: "time", warnings });
  }
  const at = getBoundary(span, shiftsClock ? "start" : side, now.timeZoneId, calendarShift).add({ hours, minutes, seconds });
  return createMoment(at, { ownZone, precision: shiftsClock || span.endOnly ? "time" : span.unit, warnings: [] });
}

/** Splits off a zone at the end: directly after a time or a day, or after a space. */
function splitZone(text: string): { body: string; zone?: string } {
  const attached = /^(.*(?:\d:\d{2}(?::\d{2}(?:\.\d+)?)?|\d[ap]m|noon|midnight|\d{4}-\d{2}-\d{2})) ?(z|[+-]\d{2}:?\d{2})$/i.exec(text);
  if (attached?.[1] !== undefined && attached[2] !== undefined) return { body: attached[1], zone: attached[2] };
  const [, body, word] = /^(.+) ([a-z]\S*|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  if (body === undefined || word === undefined) return { body: text };
  if (word.includes("/")) requireZone(word);
  return findZone(word) === undefined ? { body: text } : { body, zone: word };
}

/** Rounds down to the second. A usage error where the year is outside 0001 to 9999. */
export function createMoment(at: Temporal.ZonedDateTime, details: Pick<Moment, "ownZone" | "precision" | "warnings">): Moment {
  if (at.year < 1 || at.year > 9999) throw usageError("the date leaves the years 0001 to 9999", "take a smaller offset, or write the date");
  const second = at.round({ smallestUnit: "second", roundingMode: "floor" });
  const wall = second.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
  return { wall, zone: at.timeZoneId, epoch: second.epochMilliseconds, ...details };
}

export function toZonedDateTime(moment: Moment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.epoch).toZonedDateTimeISO(moment.zone);
}

/** The same instant on the clocks of another zone. Warns where the wall time happens twice and does not tell which instant it is. */
export function convertToZone(moment: Moment, zone: string): Moment {
  const { name } = requireZone(zone);
  const { ownZone, precision, warnings } = moment;
  const at = toZonedDateTime(moment).withTimeZone(name);
  const converted = createMoment(at, { ownZone, precision, warnings });
  const first = at.toPlainDateTime().toZonedDateTime(name);
  if (first.epochMilliseconds === moment.epoch) return converted;
  const warning = `${converted.wall} happens twice in ${name}: the later is meant, but a calendar takes the earlier`;
  return { ...converted, warnings: [...warnings, warning] };
}

/** Years to days keep the wall clock, hours to seconds are exact. A time that the clocks skip is moved forward with a warning, or is a usage error. */
function addToZonedDateTime(
  at: Temporal.ZonedDateTime,
  { hours = 0, minutes = 0, seconds = 0, ...calendar }: Duration,
  gap: "refuse" | "forward" = "forward",
): { at: Temporal.ZonedDateTime; warnings: readonly string[] } {
  const clock = { hours, minutes, seconds };
  if (Object.values(calendar).every((count) => count === 0)) return { at: at.add(clock), warnings: [] };
  const day = resolveWallTime(at.toPlainDateTime().add(calendar), at.timeZoneId, gap);
  return { at: day.at.add(clock), warnings: day.warnings };
}

/** The moment of a record's wall time, as `wallToEpoch` reads it; undefined where the wall time or the zone is invalid. */
export function wallToMoment(wall: string, zone: string): Moment | undefined {
  const epoch = wallToEpoch(wall, zone);
  if (epoch === undefined) return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(requireZone(zone).name);
  return createMoment(at, { ownZone: false, precision: "time", warnings: [] });
}

/** The end from a start and a duration. Its warnings are those of the addition and of `convertToZone`, without those of the start. */
export function addDuration(moment: Moment, duration: Duration): Moment {
  const { at, warnings } = addToZonedDateTime(toZonedDateTime(moment), duration);
  return convertToZone(createMoment(at, { ownZone: moment.ownZone, precision: "time", warnings }), moment.zone);
}

// The start and end of an event together: moved, and checked against what a calendar makes of their wall times.

export interface EventTimes<T> {
  readonly start: T;
  readonly end: T;
}

/**
 * Moves both wall times (`YYYY-MM-DD HH:MM:SS`). Years to days are counted in days from the start, so that a month does not change the
 * duration; hours to seconds are exact. A usage error where the clocks skip one of the new times, or a wall time is invalid.
 */
export function shiftTimes({ start, end }: EventTimes<string>, zone: string, offset: Duration): EventTimes<Moment> {
  const { years = 0, months = 0, weeks = 0, days: offsetDays = 0, hours = 0, minutes = 0, seconds = 0 } = offset;
  const parse = (wall: string): Temporal.ZonedDateTime => {
    const moment = wallToMoment(wall, zone);
    if (moment === undefined) throw usageError(`"${wall}" does not exist on the clocks of ${zone}`);
    return toZonedDateTime(moment);
  };
  const times = { start: parse(start), end: parse(end) };
  const first = Temporal.PlainDate.from(start.slice(0, 10));
  const { days } = first.until(first.add({ years, months, weeks, days: offsetDays }));
  const move = (time: Temporal.ZonedDateTime): Moment => {
    const { at, warnings } = addToZonedDateTime(time, { days, hours, minutes, seconds }, "refuse");
    return convertToZone(createMoment(at, { ownZone: false, precision: "time", warnings }), zone);
  };
  return { start: move(times.start), end: move(times.end) };
}

/**
 * Warns where the event has another duration on the calendar. A calendar gets wall times only, and of one that happens twice it takes the
 * earlier (RFC 5545, 3.3.5). A usage error, with times that avoid this, where the event would end no later than it starts.
 */
export function getDurationWarnings({ start, end }: EventTimes<Moment>): readonly string[] {
  const getCalendarEpoch = ({ wall, zone, epoch }: Moment) => wallToEpoch(wall, zone) ?? epoch;
  const intended = end.epoch - start.epoch;
  const actual = getCalendarEpoch(end) - getCalendarEpoch(start);
  if (intended <= 0 || actual === intended) return [];
  if (actual > 0) return [`the event lasts ${formatDuration(actual)} on the calendar, not ${formatDuration(intended)}`];
  const format = (moment: Moment) => moment.wall + toZonedDateTime(moment).offset;
  throw usageError(
    `${end.wall} happens twice in ${end.zone}, and a calendar takes the earlier, which is not after the start`,
    `keep the event in UTC: --timezone UTC --start-date "${format(start)}" --end-date "${format(end)}"`,
  );
}
