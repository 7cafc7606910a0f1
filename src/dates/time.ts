// The time of day as it is typed: HH:MM[:SS], 7pm, 7:30pm, noon, midnight.
import { Temporal } from "./temporal.ts";

/** Reads a time of day in lower case; midnight is the first moment of its day, parts of a second are dropped. Undefined where it is none. */
export function parseTime(text: string): Temporal.PlainTime | undefined {
  if (text === "noon") return new Temporal.PlainTime(12);
  if (text === "midnight") return new Temporal.PlainTime(0);
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?$/.exec(text) ?? [];
  if (hours !== undefined) return new Temporal.PlainTime(Number(hours), Number(minutes), Number(seconds));
  const [, hour, past = "0", half] = /^(0?[1-9]|1[0-2])(?::([0-5]\d))?(am|pm)$/.exec(text) ?? [];
  if (hour === undefined) return undefined;
  return new Temporal.PlainTime((Number(hour) % 12) + (half === "pm" ? 12 : 0), Number(past));
}
