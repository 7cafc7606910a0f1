// What a calendar makes of a start and an end: it is told wall times only, and of one that happens twice it takes the earlier (RFC 5545, 3.3.5).
import { usageError } from "../errors.ts";
import { formatDuration } from "./duration.ts";
import { type Moment, toZonedDateTime } from "./moment.ts";
import { wallToEpoch } from "./wall.ts";

/** When something starts and ends. */
export interface EventTimes<T> {
  readonly start: T;
  readonly end: T;
}

/**
 * Warns where the calendar's event is not as long as the one that is meant. Usage error, with times that can be told,
 * where it would end no later than it starts though the one that is meant has a length.
 */
export function getDurationWarnings({ start, end }: EventTimes<Moment>): readonly string[] {
  const meant = end.epoch - start.epoch;
  const told = getCalendarEpoch(end) - getCalendarEpoch(start);
  if (meant <= 0 || told === meant) return [];
  if (told > 0) return [`the event lasts ${formatDuration(told)} on the calendar, not ${formatDuration(meant)}`];
  throw usageError(
    `${end.wall} happens twice in ${end.zone}, and a calendar takes the earlier, which is not after the start`,
    `keep the event in UTC: --timezone UTC --start-date "${formatWithOffset(start)}" --end-date "${formatWithOffset(end)}"`,
  );
}

function getCalendarEpoch({ wall, zone, epoch }: Moment): number {
  return wallToEpoch(wall, zone) ?? epoch;
}

function formatWithOffset(moment: Moment): string {
  return moment.wall + toZonedDateTime(moment).offset;
}
