// The date grammar: text to a moment. Closed and free of locale; whatever it does not know is refused with what to write.
import { CalError, usageError } from "../errors.ts";
import { parseAnchor, parseCalendarDate, type Weekday } from "./day.ts";
import { type Duration, parseOffset } from "./duration.ts";
import { addToZonedDateTime, createMoment, type Moment } from "./moment.ts";
import { findDateSuggestion } from "./refusal.ts";
import { resolveWallTime } from "./settle.ts";
import { getBoundary, getLastDay, type Side } from "./stretch.ts";
import { Temporal } from "./temporal.ts";
import { parseTime } from "./time.ts";
import { findZone, requireZone } from "./zone.ts";

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
