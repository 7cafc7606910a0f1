// The date grammar: text to a moment. Closed and free of locale; whatever it does not know is refused with what to write.
import { CalError, usageError } from "../errors.ts";
import { getBoundary, getLastDay, parseAnchor, parseCalendarDate, parseTime, type Side, type Weekday } from "./day.ts";
import { type Duration, parseOffset } from "./duration.ts";
import { findDateSuggestion } from "./suggest.ts";
import { Temporal } from "./temporal.ts";
import { findZone, requireZone, resolveWallTime, wallToEpoch } from "./zone.ts";

/** What a text is read against. */
export interface DateReference {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone of texts that carry none. */
  readonly zone: string;
  /** Monday unless given. */
  readonly weekStart?: Weekday;
}

/** A text without its zone, and all that it is read against. */
interface ParseContext {
  readonly now: Temporal.ZonedDateTime;
  readonly weekStart: Weekday;
  readonly side: Side;
  readonly ownZone: boolean;
}

/** An hour and its half of the day, which may stand apart. */
const spacedAmPmPattern = /(^|[ @t])(\d{1,2}(?::\d{2})?) ([ap]m)\b/gi;

type ParseDateOptions = DateReference & { readonly side: Side };

/** Reads an expression of the date grammar; usage error, with what to write instead, where it can't be read or there is no such time. */
export function parseDate(text: string, options: ParseDateOptions): Moment {
  const typed = text.trim().replace(/\s+/g, " ").replace(spacedAmPmPattern, "$1$2$3");
  const moment = parseExpression(typed, options);
  if (moment !== undefined) return moment;
  const { reason, hint } = findDateSuggestion(typed, (other) => canParse(other, options));
  throw usageError(`"${text}" is not a date: ${reason}`, hint);
}

function parseExpression(text: string, options: ParseDateOptions): Moment | undefined {
  const { body, zone } = splitZone(text);
  const { name } = requireZone(zone ?? options.zone);
  const now = Temporal.Instant.fromEpochMilliseconds(options.now).toZonedDateTimeISO(name);
  const { side, weekStart = "monday" } = options;
  return parseWithoutZone(body.toLowerCase(), { now, weekStart, side, ownZone: zone !== undefined });
}

/** Whether a text would be taken: what is suggested must be. */
function canParse(text: string, options: ParseDateOptions): boolean {
  try {
    return parseExpression(text, options) !== undefined;
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage") return false;
    throw error;
  }
}

/** Takes the zone off the end: right after the time or the day it belongs to, or after a space. */
function splitZone(text: string): { body: string; zone?: string } {
  const attached = /^(.*(?:\d:\d{2}(?::\d{2}(?:\.\d+)?)?|\d[ap]m|noon|midnight|\d{4}-\d{2}-\d{2})) ?(z|[+-]\d{2}:?\d{2})$/i.exec(text);
  if (attached?.[1] !== undefined && attached[2] !== undefined) return { body: attached[1], zone: attached[2] };
  const [, body, word] = /^(.+) ([a-z]\S*|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  if (body === undefined || word === undefined) return { body: text };
  if (word.includes("/")) requireZone(word);
  return findZone(word) === undefined ? { body: text } : { body, zone: word };
}

function parseWithoutZone(text: string, reading: ParseContext): Moment | undefined {
  const { now, ownZone } = reading;
  const seconds = /^@(-?\d{1,12})$/.exec(text)?.[1];
  if (seconds !== undefined) {
    const at = Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000).toZonedDateTimeISO(now.timeZoneId);
    return createMoment(at, { ownZone: true, precision: "time", warnings: [] });
  }
  const forward = text.replace(/^(\d\w*)-ago$/, "-$1");
  const [, head = "", offset, after, at = after] =
    /^(\d{4}(?:-\d{2}){0,2}|[a-z]+(?:-[a-z]+)?|)(?: ?([+-][^ @]+)(?:[ @](.+))?|[ @t](.+))?$/.exec(forward) ?? [];
  const shift = offset === undefined ? {} : parseOffset(offset);
  if (shift === undefined) return undefined;
  if (head !== "now" && (head !== "" || offset === undefined)) return resolveDayExpression(head, shift, at, reading);
  if (at !== undefined) return undefined;
  const later = addToZonedDateTime(now, shift);
  return createMoment(later.at, { ownZone, precision: "time", warnings: later.warnings });
}

function resolveDayExpression(head: string, shift: Duration, time: string | undefined, reading: ParseContext): Moment | undefined {
  const { now, weekStart, side, ownZone } = reading;
  const zone = now.timeZoneId;
  const days = parseCalendarDate(head) ?? parseAnchor(head, now.toPlainDate(), weekStart);
  if (days === undefined) return undefined;
  const { hours = 0, minutes = 0, seconds = 0, ...calendar } = shift;
  const toTheClock = hours !== 0 || minutes !== 0 || seconds !== 0;
  if (time !== undefined) {
    const clock = parseTime(time);
    if (clock === undefined || toTheClock || (days.unit !== "day" && days.endOnly === undefined)) return undefined;
    const { at, warnings } = resolveWallTime(getLastDay(days, calendar).toPlainDateTime(clock), zone, "refuse");
    return createMoment(at, { ownZone, precision: "time", warnings });
  }
  const at = getBoundary(days, toTheClock ? "start" : side, zone, calendar).add({ hours, minutes, seconds });
  return createMoment(at, { ownZone, precision: toTheClock || days.endOnly ? "time" : days.unit, warnings: [] });
}

// A moment of the date grammar: an instant together with the clock it is read on.

/** How much of the calendar the text named; `time` is a single moment. */
export type Precision = "year" | "month" | "week" | "day" | "time";

/** What an expression of the date grammar means. */
export interface Moment {
  /** `YYYY-MM-DD HH:MM:SS` on the clocks of `zone`: the form that the calendar interface is sent (section 4.2). */
  readonly wall: string;
  /** An IANA name, `UTC`, or an offset as `+HH:MM`. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly epoch: number;
  /** Whether the text itself fixed the instant, by a zone or by epoch seconds. Then a change of zone converts it (`inZone`). */
  readonly ownZone: boolean;
  readonly precision: Precision;
  /** Whole sentences for stderr. */
  readonly warnings: readonly string[];
}

/** What a moment has beyond its instant and zone. */
type MomentDetails = Pick<Moment, "ownZone" | "precision" | "warnings">;

/** Makes a moment, cut to the second; usage error where its year is outside 0001 to 9999. */
export function createMoment(at: Temporal.ZonedDateTime, details: MomentDetails): Moment {
  if (at.year < 1 || at.year > 9999) throw usageError("the date leaves the years 0001 to 9999", "take a smaller offset, or write the date");
  const second = at.round({ smallestUnit: "second", roundingMode: "floor" });
  const wall = second.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
  return { wall, zone: at.timeZoneId, epoch: second.epochMilliseconds, ...details };
}

/** The moment as Temporal knows it. */
export function toZonedDateTime(moment: Moment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.epoch).toZonedDateTimeISO(moment.zone);
}

/** The same instant on the clocks of another zone; warns where the wall time alone would no longer tell which instant it is. */
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

/** Adds to an instant. Years to days keep the wall clock, hours to seconds are exact; a time that the clocks skip is moved forward, with a warning, or a usage error. */
export function addToZonedDateTime(
  at: Temporal.ZonedDateTime,
  duration: Duration,
  gap: "refuse" | "forward" = "forward",
): { at: Temporal.ZonedDateTime; warnings: readonly string[] } {
  const { hours = 0, minutes = 0, seconds = 0, ...calendar } = duration;
  const clock = { hours, minutes, seconds };
  if (Object.values(calendar).every((count) => count === 0)) return { at: at.add(clock), warnings: [] };
  const day = resolveWallTime(at.toPlainDateTime().add(calendar), at.timeZoneId, gap);
  return { at: day.at.add(clock), warnings: day.warnings };
}

/** The moment of a wall time that a record has, as `wallToEpoch` takes it; undefined where either can't be read. */
export function wallToMoment(wall: string, zone: string): Moment | undefined {
  const epoch = wallToEpoch(wall, zone);
  if (epoch === undefined) return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(requireZone(zone).name);
  return createMoment(at, { ownZone: false, precision: "time", warnings: [] });
}

/** The moment that is so much later (a start and a duration give an end); its warnings are those of the addition only, and of `inZone`. */
export function addDuration(moment: Moment, duration: Duration): Moment {
  const { at, warnings } = addToZonedDateTime(toZonedDateTime(moment), duration);
  return convertToZone(createMoment(at, { ownZone: moment.ownZone, precision: "time", warnings }), moment.zone);
}
