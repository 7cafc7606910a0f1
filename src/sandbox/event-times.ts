// The times of an event that follow from the ones that were given.
import type { FieldValue } from "./store/tables.ts";
import { toUtc } from "./zone.ts";

/** Wall-clock times and the zone they are in. */
export interface EventTimes {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
  readonly all_day: boolean;
}

/** The fields of an event for these times: an event that lasts all day fills its days, and both ends are told in UTC too. */
export function createTimeFields({ start_date, end_date, timezone, all_day }: EventTimes): Readonly<Record<string, FieldValue>> {
  const start = all_day ? `${start_date.slice(0, 10)} 00:00:00` : start_date;
  const end = all_day ? `${end_date.slice(0, 10)} 23:59:59` : end_date;
  return {
    start_date: start,
    end_date: end,
    timezone,
    all_day,
    utc_start_date: toUtc(start, timezone),
    utc_end_date: toUtc(end, timezone),
  };
}
