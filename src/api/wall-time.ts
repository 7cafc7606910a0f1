// Wall-clock times as servers return them.
import { valueToText } from "../http/json.ts";

/** `2027-01-10T10:00` and `2027-01-10 10:00:00` are the same wall clock time; undefined for other forms, and for a time with a zone. */
export function normalizeDateTime(value: unknown): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/.exec(valueToText(value).trim()) ?? [];
  return day === undefined ? undefined : `${day} ${(time ?? "00:00:00").padEnd(8, ":00")}`;
}
