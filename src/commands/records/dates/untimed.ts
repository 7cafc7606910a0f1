// A date without a time of an event that has times: its first or its last moment is taken, which is told, for a start of 10:00 was meant to stay.
import { wallText } from "../../../api/compare.ts";
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { kebab } from "../../../spec/field.ts";
import { named } from "../after.ts";
import type { Call } from "../call.ts";
import type { Untimed } from "./settled.ts";

/** What is said of them: on a create only of the start, of a record that has been read where it had another time. Nothing of what lasts all day. */
export function untimedWarnings(
  { resource, invocation }: Call,
  values: Input,
  untimed: readonly Untimed[],
  record?: DataRecord,
): readonly string[] {
  // Without the record nobody knows whether it lasts all day.
  const unread = record === undefined && invocation.flags["raw"] === true;
  if (unread || (values["all_day"] ?? record?.["all_day"]) === true) return [];
  return untimed.flatMap((date) => {
    if (record !== undefined) return changed(date, record, named(resource, record));
    return date.name === "start_date"
      ? [`${date.text} has no time, so the ${resource.singular} starts ${minute(date)}; give a time, or --all-day`]
      : [];
  });
}

function changed(date: Untimed, record: DataRecord, name: string): readonly string[] {
  const { typed, settled, text } = date;
  const was = wallText(record[date.name]);
  const verb = ({ start_date: ["starts", "started"], end_date: ["ends", "ended"] } as const)[date.name];
  if (verb === undefined || was === undefined || was.slice(11) === settled.wall.slice(11)) return [];
  const time = was.slice(11, 16);
  const keeps = `--${kebab(date.name)} "${typed.wall.slice(0, 10)} ${time}${isAbroad(date) ? ` ${settled.zone}` : ""}"`;
  return [`${name}: ${text} has no time, so it ${verb[0]} ${minute(date)}; it ${verb[1]} at ${time}: ${keeps}`];
}

function minute(date: Untimed): string {
  return date.settled.wall.slice(0, 16) + (isAbroad(date) ? ` (${date.settled.zone})` : "");
}

function isAbroad({ typed, settled }: Untimed): boolean {
  return typed.zone !== settled.zone;
}
