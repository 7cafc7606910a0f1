// `--start-time`: another time on the same day. The length stays.

import { normalizeDateTime } from "../../api/reply.ts";
import type { Input } from "../../api/request.ts";
import type { DataRecord } from "../../data-record.ts";
import { wallToEpoch } from "../../dates/zone.ts";
import { toProblem, usageError } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { isAllDay } from "./all-day.ts";
import type { Problems, RecordCommand } from "./command.ts";
import { loadDateParser } from "./dates.ts";
import { formatRecordName } from "./messages.ts";

const millisecondsPerDay = 86_400_000;

/** Adds what is wrong with the flag, before any record is read. */
export async function validateStartTime({ flags }: Invocation, input: Input, problems: Problems): Promise<void> {
  const text = flags["start-time"];
  if (text === undefined) return;
  if ((await parseClock(String(text))) === undefined)
    problems.push({ message: `--start-time takes a time, not ${JSON.stringify(text)}`, hint: "write 19:30 or 7:30pm" });
  const others = ["start-date", "end-date", "duration", "timezone", "shift", "all-day"].filter(
    (name) => flags[name] !== undefined || input[name.replace("-", "_")] !== undefined,
  );
  for (const name of others)
    problems.push(`--start-time and --${name} exclude each other: --start-time keeps the date, the length and the zone of the record`);
  if (flags["raw"] === true) problems.push("--start-time needs the record to be read, and --raw does not read it");
}

async function parseClock(text: string): Promise<string | undefined> {
  const { day } = await loadDateParser();
  return day.parseTime(
    text
      .toLowerCase()
      .replace(/ (?=[ap]m$)/, "")
      .trim(),
  );
}

/** The values with both dates and their zone; as they are without the flag. Rejects with kind `usage` for a time that does not exist. */
export async function applyStartTime(command: RecordCommand, values: Input, record: DataRecord, zone: string): Promise<Input> {
  const { resource, invocation, context } = command;
  const text = invocation.flags["start-time"];
  if (text === undefined) return values;
  const name = formatRecordName(resource, record);
  if (isAllDay(values, record))
    throw usageError(`${name} lasts all day, so it has no start time`, "give all: --no-all-day, --start-date and --duration");
  const [start, end] = [normalizeDateTime(record["start_date"]), normalizeDateTime(record["end_date"])];
  if (start === undefined || end === undefined)
    throw usageError(`${name} has no dates that --start-time can keep`, "give both: --start-date and --end-date");
  const { parse } = await loadDateParser();
  try {
    const newStart = parse.parseDate(`${start.slice(0, 10)} ${await parseClock(String(text))}`, {
      now: context.clock.now(),
      zone,
      side: "start",
    });
    const newEnd = parse.addDuration(newStart, getLength(start, end, zone));
    for (const warning of [...newStart.warnings, ...parse.getDurationWarnings({ start: newStart, end: newEnd })])
      await context.warn(warning);
    return { ...values, start_date: newStart.wall, end_date: newEnd.wall, timezone: zone };
  } catch (error) {
    throw usageError(`--start-time: ${name}: ${toProblem(error).message}`, toProblem(error).hint);
  }
}

/** Less than a day is time that passes. Days are those of the calendar, also where clocks change between them. */
function getLength(start: string, end: string, zone: string) {
  const between = (ownZone: string) => (wallToEpoch(end, ownZone) ?? 0) - (wallToEpoch(start, ownZone) ?? 0);
  const onClock = between("UTC");
  const days = Math.floor(onClock / millisecondsPerDay);
  const rest = days < 1 ? between(zone) : onClock - days * millisecondsPerDay;
  return { days: Math.max(0, days), seconds: Math.max(0, rest) / 1000 };
}
