// An event that is moved as a whole: its start and its end, on the clock of its own zone.
import { usageError } from "../errors.ts";
import { type Duration, formatDuration } from "./duration.ts";
import { addToZonedDateTime, convertToZone, createMoment, type Moment, toZonedDateTime, wallToMoment } from "./parse.ts";
import { Temporal } from "./temporal.ts";
import { wallToEpoch } from "./zone.ts";

/**
 * Both wall times (`YYYY-MM-DD HH:MM:SS`) so much later. Years to days are days on the calendar, as many for the end as for the start,
 * so that a month does not change the length; hours to seconds are exact. Usage error where the clocks skip one of the two, or one can't be read.
 */
export function shiftTimes({ start, end }: EventTimes<string>, zone: string, offset: Duration): EventTimes<Moment> {
  const { years = 0, months = 0, weeks = 0, days: single = 0, hours = 0, minutes = 0, seconds = 0 } = offset;
  const held = (wall: string): Moment => {
    const moment = wallToMoment(wall, zone);
    if (moment === undefined) throw usageError(`"${wall}" is no time on the clocks of ${zone}`);
    return moment;
  };
  const times = { start: toZonedDateTime(held(start)), end: toZonedDateTime(held(end)) };
  const first = Temporal.PlainDate.from(start.slice(0, 10));
  const { days } = first.until(first.add({ years, months, weeks, days: single }));
  const moved = (at: Temporal.ZonedDateTime): Moment => {
    const later = addToZonedDateTime(at, { days, hours, minutes, seconds }, "refuse");
    return convertToZone(createMoment(later.at, { ownZone: false, precision: "time", warnings: later.warnings }), zone);
  };
  return { start: moved(times.start), end: moved(times.end) };
}

// What a calendar makes of a start and an end: it is told wall times only, and of one that happens twice it takes the earlier (RFC 5545, 3.3.5).

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
