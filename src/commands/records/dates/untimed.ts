// A date without a time of an event that has times: its first or its last moment is taken, which is told, for a start of 10:00 was meant to stay.
import { normalizeDateTime } from "../../../api/compare.ts";
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { toKebabCase } from "../../../spec/field.ts";
import { formatRecordName } from "../after.ts";
import type { Call } from "../call.ts";
import type { DateOnlyInput } from "./settled.ts";

/** What is said of them: on a create only of the start, of a record that has been read where it had another time. Nothing of what lasts all day. */
export function formatDateOnlyWarnings(
  { resource, invocation }: Call,
  values: Input,
  untimed: readonly DateOnlyInput[],
  record?: DataRecord,
): readonly string[] {
  // Without the record nobody knows whether it lasts all day.
  const unread = record === undefined && invocation.flags["raw"] === true;
  if (unread || (values["all_day"] ?? record?.["all_day"]) === true) return [];
  return untimed.flatMap((date) => {
    if (record !== undefined) return formatTimeChangeWarning(date, record, formatRecordName(resource, record));
    return date.name === "start_date"
      ? [`${date.text} has no time, so the ${resource.singular} starts ${formatMinute(date)}; give a time, or --all-day`]
      : [];
  });
}

function formatTimeChangeWarning(date: DateOnlyInput, record: DataRecord, name: string): readonly string[] {
  const { inputMoment, storedMoment, text } = date;
  const was = normalizeDateTime(record[date.name]);
  const verb = ({ start_date: ["starts", "started"], end_date: ["ends", "ended"] } as const)[date.name];
  if (verb === undefined || was === undefined || was.slice(11) === storedMoment.wall.slice(11)) return [];
  const time = was.slice(11, 16);
  const keeps = `--${toKebabCase(date.name)} "${inputMoment.wall.slice(0, 10)} ${time}${hasOtherZone(date) ? ` ${storedMoment.zone}` : ""}"`;
  return [`${name}: ${text} has no time, so it ${verb[0]} ${formatMinute(date)}; it ${verb[1]} at ${time}: ${keeps}`];
}

function formatMinute(date: DateOnlyInput): string {
  return date.storedMoment.wall.slice(0, 16) + (hasOtherZone(date) ? ` (${date.storedMoment.zone})` : "");
}

function hasOtherZone({ inputMoment, storedMoment }: DateOnlyInput): boolean {
  return inputMoment.zone !== storedMoment.zone;
}
