// The date grammar: text to a moment. Closed and free of locale; whatever it does not know is refused with what to write.
import { CalError, usage } from "../errors.ts";
import { readAnchor, readDate, type Weekday } from "./day.ts";
import { type Duration, readOffset } from "./duration.ts";
import { addTo, type Moment, momentOf } from "./moment.ts";
import { refusal } from "./refusal.ts";
import { settle } from "./settle.ts";
import { edgeOf, lastDay, type Side } from "./stretch.ts";
import { Temporal } from "./temporal.ts";
import { readTime } from "./time.ts";
import { readZone, requireZone } from "./zone.ts";

/** What a text is read against. */
export interface Reference {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone of texts that carry none. */
  readonly zone: string;
  /** Monday unless given. */
  readonly weekStart?: Weekday;
}

/** A text without its zone, and all that it is read against. */
interface Reading {
  readonly now: Temporal.ZonedDateTime;
  readonly weekStart: Weekday;
  readonly side: Side;
  readonly ownZone: boolean;
}

/** An hour and its half of the day, which may stand apart. */
const halves = /(^|[ @t])(\d{1,2}(?::\d{2})?) ([ap]m)\b/gi;

type Options = Reference & { readonly side: Side };

/** Reads an expression of the date grammar; usage error, with what to write instead, where it can't be read or there is no such time. */
export function parseDate(text: string, options: Options): Moment {
  const typed = text.trim().replace(/\s+/g, " ").replace(halves, "$1$2$3");
  const moment = readWhole(typed, options);
  if (moment !== undefined) return moment;
  const { why, write } = refusal(typed, (other) => isRead(other, options));
  throw usage(`"${text}" is not a date: ${why}`, write);
}

function readWhole(text: string, options: Options): Moment | undefined {
  const { body, zone } = withoutZone(text);
  const { name } = requireZone(zone ?? options.zone);
  const now = Temporal.Instant.fromEpochMilliseconds(options.now).toZonedDateTimeISO(name);
  const { side, weekStart = "monday" } = options;
  return read(body.toLowerCase(), { now, weekStart, side, ownZone: zone !== undefined });
}

/** Whether a text would be taken: what is suggested must be. */
function isRead(text: string, options: Options): boolean {
  try {
    return readWhole(text, options) !== undefined;
  } catch (error) {
    if (error instanceof CalError && error.kind === "usage") return false;
    throw error;
  }
}

/** Takes the zone off the end: right after the time or the day it belongs to, or after a space. */
function withoutZone(text: string): { body: string; zone?: string } {
  const attached = /^(.*(?:\d:\d{2}(?::\d{2}(?:\.\d+)?)?|\d[ap]m|noon|midnight|\d{4}-\d{2}-\d{2})) ?(z|[+-]\d{2}:?\d{2})$/i.exec(text);
  if (attached?.[1] !== undefined && attached[2] !== undefined) return { body: attached[1], zone: attached[2] };
  const [, body, word] = /^(.+) ([a-z]\S*|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  if (body === undefined || word === undefined) return { body: text };
  if (word.includes("/")) requireZone(word);
  return readZone(word) === undefined ? { body: text } : { body, zone: word };
}

function read(text: string, reading: Reading): Moment | undefined {
  const { now, ownZone } = reading;
  const seconds = /^@(-?\d{1,12})$/.exec(text)?.[1];
  if (seconds !== undefined) {
    const at = Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000).toZonedDateTimeISO(now.timeZoneId);
    return momentOf(at, { ownZone: true, precision: "time", warnings: [] });
  }
  const forward = text.replace(/^(\d\w*)-ago$/, "-$1");
  const [, head = "", offset, after, at = after] =
    /^(\d{4}(?:-\d{2}){0,2}|[a-z]+(?:-[a-z]+)?|)(?: ?([+-][^ @]+)(?:[ @](.+))?|[ @t](.+))?$/.exec(forward) ?? [];
  const shift = offset === undefined ? {} : readOffset(offset);
  if (shift === undefined) return undefined;
  if (head !== "now" && (head !== "" || offset === undefined)) return readDays(head, shift, at, reading);
  if (at !== undefined) return undefined;
  const later = addTo(now, shift);
  return momentOf(later.at, { ownZone, precision: "time", warnings: later.warnings });
}

function readDays(head: string, shift: Duration, time: string | undefined, reading: Reading): Moment | undefined {
  const { now, weekStart, side, ownZone } = reading;
  const zone = now.timeZoneId;
  const days = readDate(head) ?? readAnchor(head, now.toPlainDate(), weekStart);
  if (days === undefined) return undefined;
  const { hours = 0, minutes = 0, seconds = 0, ...calendar } = shift;
  const toTheClock = hours !== 0 || minutes !== 0 || seconds !== 0;
  if (time !== undefined) {
    const clock = readTime(time);
    if (clock === undefined || toTheClock || (days.length !== "day" && days.end === undefined)) return undefined;
    const { at, warnings } = settle(lastDay(days, calendar).toPlainDateTime(clock), zone, "refuse");
    return momentOf(at, { ownZone, precision: "time", warnings });
  }
  const at = edgeOf(days, toTheClock ? "start" : side, zone, calendar).add({ hours, minutes, seconds });
  return momentOf(at, { ownZone, precision: toTheClock || days.end ? "time" : days.length, warnings: [] });
}
