// Events that last all day: they take whole days, and end at 23:59:59 of their last day. Servers add the rest of the day to any other end.

import { normalizeDateTime } from "../../api/reply.ts";
import type { Input } from "../../api/request.ts";
import type { DataRecord } from "../../data-record.ts";
import type { Duration } from "../../dates/duration.ts";
import type { Moment } from "../../dates/parse.ts";
import { shiftDays } from "../../dates/zone.ts";
import type { Problem } from "../../errors.ts";
import type { RecordCommand } from "./command.ts";
import { formatRecordName } from "./messages.ts";

type DateParser = typeof import("../../dates/parse.ts");

/** Whether the event lasts all day with these values; `record` is the event as it was read. */
export function isAllDay(values: Input, record?: DataRecord): boolean {
  return (values["all_day"] ?? record?.["all_day"]) === true;
}

export function hasTimeUnits({ hours = 0, minutes = 0, seconds = 0 }: Duration): boolean {
  return hours !== 0 || minutes !== 0 || seconds !== 0;
}

/** What is wrong with a duration of an event that lasts all day; undefined where it is a number of days. */
export function validateDays(text: string, duration: Duration): Problem | undefined {
  const isEmpty = Object.values(duration).every((count) => count === 0);
  if (!hasTimeUnits(duration) && !isEmpty) return undefined;
  return {
    message: `--duration ${text}: an event that lasts all day has a length in days, weeks, months or years`,
    hint: "write --duration 1d for one day; without --all-day it may last hours",
  };
}

/** The last second of an event that begins on the day of `start` and lasts so many days. */
export function addDays(parse: DateParser, start: Moment, duration: Duration): Moment | undefined {
  // In UTC every midnight exists.
  const first = parse.wallToMoment(`${start.wall.slice(0, 10)} 00:00:00`, "UTC");
  if (first === undefined) return undefined;
  return parse.wallToMoment(toEndOfDayBefore(parse.addDuration(first, duration).wall), start.zone);
}

function toEndOfDayBefore(wall: string): string {
  return `${shiftDays(wall.slice(0, 10), -1)} 23:59:59`;
}

/** The values with an end on the last day: a midnight after the first day is the end of the day before. */
export function moveEndToLastDay(values: Input, record?: DataRecord): Input {
  if (!isAllDay(values, record)) return values;
  const isNew = record?.["all_day"] !== true;
  const [start, end] = [
    normalizeDateTime(values["start_date"] ?? record?.["start_date"]),
    normalizeDateTime(values["end_date"] ?? (isNew ? record?.["end_date"] : undefined)),
  ];
  if (start === undefined || end === undefined || !end.endsWith(" 00:00:00") || end.slice(0, 10) <= start.slice(0, 10)) return values;
  return { ...values, end_date: toEndOfDayBefore(end) };
}

/** The same; reports a typed end that changes. */
export async function endOnLastDay(command: RecordCommand, values: Input, record?: DataRecord): Promise<Input> {
  const { resource, invocation, context } = command;
  const moved = moveEndToLastDay(values, record);
  const [typed, end] = [normalizeDateTime(values["end_date"]), normalizeDateTime(moved["end_date"])];
  if (typed !== undefined && end !== undefined && typed !== end && invocation.flags["shift"] === undefined) {
    const name = formatRecordName(resource, record ?? { [resource.titleField]: values[resource.titleField] });
    await context.notice(`${name} lasts all day: an end at ${typed.slice(0, 16)} is the end of ${end.slice(0, 10)}`);
  }
  return moved;
}
