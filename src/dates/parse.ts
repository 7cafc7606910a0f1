// The date grammar: text to a moment. Closed and free of locale; whatever it does not know is refused with what to write.
import { usage } from "../errors.ts";
import { readAnchor, readDate, type Weekday } from "./day.ts";
import { type Duration, negated, readUnits } from "./duration.ts";
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

/** Reads an expression of the date grammar; usage error, with what to write instead, where it can't be read or there is no such time. */
export function parseDate(text: string, options: Reference & { readonly side: Side }): Moment {
  const typed = text.trim().replace(/\s+/g, " ");
  const { body, zone } = withoutZone(typed);
  const { name } = requireZone(zone ?? options.zone);
  const now = Temporal.Instant.fromEpochMilliseconds(options.now).toZonedDateTimeISO(name);
  const { side, weekStart = "monday" } = options;
  const moment = read(body.toLowerCase(), { now, weekStart, side, ownZone: zone !== undefined });
  if (moment !== undefined) return moment;
  const { why, write } = refusal(typed);
  throw usage(`"${text}" is not a date: ${why}`, write);
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
  const [, head = "", offset, time] = /^(\d{4}(?:-\d{2}){0,2}|[a-z]+(?:-[a-z]+)?|)(?: ?([+-].+)|[ @t](.+))?$/.exec(forward) ?? [];
  const shift = offset === undefined ? {} : readOffset(offset);
  if (shift === undefined) return undefined;
  if (head !== "now" && (head !== "" || offset === undefined)) return readDays(head, shift, time, reading);
  const { at, warnings } = addTo(now, shift);
  return time === undefined ? momentOf(at, { ownZone, precision: "time", warnings }) : undefined;
}

function readOffset(text: string): Duration | undefined {
  const duration = readUnits(text.slice(1));
  return duration !== undefined && text.startsWith("-") ? negated(duration) : duration;
}

function readDays(head: string, shift: Duration, time: string | undefined, reading: Reading): Moment | undefined {
  const { now, weekStart, side, ownZone } = reading;
  const zone = now.timeZoneId;
  const days = readDate(head) ?? readAnchor(head, now.toPlainDate(), weekStart);
  if (days === undefined) return undefined;
  if (time !== undefined) {
    const clock = readTime(time);
    if (clock === undefined || (days.length !== "day" && days.end === undefined)) return undefined;
    const { at, warnings } = settle(lastDay(days).toPlainDateTime(clock), zone, "refuse");
    return momentOf(at, { ownZone, precision: "time", warnings });
  }
  const { hours = 0, minutes = 0, seconds = 0, ...calendar } = shift;
  const toTheClock = hours !== 0 || minutes !== 0 || seconds !== 0;
  const at = edgeOf(days, toTheClock ? "start" : side, zone, calendar).add({ hours, minutes, seconds });
  return momentOf(at, { ownZone, precision: toTheClock || days.end ? "time" : days.length, warnings: [] });
}
