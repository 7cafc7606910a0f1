// `--shift`: both dates of a record moved alike, from where the record has them.
import { normalizeDateTime } from "../../../api/compare.ts";
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { abbreviateUnits, type Duration, parseOffset } from "../../../dates/duration.ts";
import type { Moment } from "../../../dates/moment.ts";
import type { EventTimes } from "../../../dates/told.ts";
import { CalError, usageError } from "../../../errors.ts";
import type { Invocation } from "../../command.ts";
import { formatRecordName } from "../after.ts";
import type { Scene } from "../site.ts";

/** What is wrong with the flag, told before any record is read. */
export function validateShift(given: Input, { flags }: Invocation): readonly string[] {
  const typed = flags["shift"];
  if (typed === undefined) return [];
  const text = String(typed).trim();
  const [, sign = "", length = ""] = /^([+-]?)(.*)$/.exec(text) ?? [];
  const short = abbreviateUnits(length);
  const write = short === undefined ? "" : ` (write ${sign || "+"}${short})`;
  const others = ["start-date", "end-date", "duration", "timezone"].filter(
    (name) => given[name.replace("-", "_")] !== undefined || flags[name] !== undefined,
  );
  return [
    ...(parseOffset(text) === undefined ? [`--shift takes an offset such as +1h, -30m or +7d, not ${JSON.stringify(typed)}${write}`] : []),
    ...others.map((name) => `--shift and --${name} exclude each other: --shift moves both dates as the record has them, on its own clock`),
    ...(flags["raw"] === true ? ["--shift needs the record to be read, and --raw does not read it"] : []),
  ];
}

/** The moved dates with their zone, as they are sent; nothing without the flag. Rejects with kind `usage` for a time that there is not. */
export async function applyShift(scene: Scene, values: Input, record: DataRecord, zone: string): Promise<Input> {
  const { resource, invocation, context } = scene;
  const offset = parseOffset(String(invocation.flags["shift"] ?? "").trim());
  if (offset === undefined) return values;
  const [start, end] = [normalizeDateTime(record["start_date"]), normalizeDateTime(record["end_date"])];
  if (start === undefined || end === undefined)
    throw usageError(`${formatRecordName(resource, record)} has no dates that --shift can move`, "give both: --start-date and --end-date");
  const allDay = (values["all_day"] ?? record["all_day"]) === true;
  if (allDay && hasTimeUnits(offset))
    throw usageError(
      `${formatRecordName(resource, record)} lasts all day: --shift moves it by days, weeks, months or years`,
      "write --shift +1d",
    );
  // Days of an event that lasts all day are days, also where clocks skip a midnight.
  const moved = await shiftRecordTimes({ start, end }, allDay ? "UTC" : zone, offset);
  const { getDurationWarnings } = await import("../../../dates/told.ts");
  const length = getDurationWarnings(moved);
  for (const warning of [...moved.start.warnings, ...moved.end.warnings, ...length]) await context.warn(warning);
  return { ...values, start_date: moved.start.wall, end_date: moved.end.wall, timezone: zone };
}

async function shiftRecordTimes(times: EventTimes<string>, zone: string, offset: Duration): Promise<EventTimes<Moment>> {
  const { shiftTimes } = await import("../../../dates/shift.ts");
  try {
    return shiftTimes(times, zone, offset);
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    throw usageError(`--shift: ${error.message}`, "give the new times: --start-date and --end-date");
  }
}

function hasTimeUnits({ hours = 0, minutes = 0, seconds = 0 }: Duration): boolean {
  return hours !== 0 || minutes !== 0 || seconds !== 0;
}
