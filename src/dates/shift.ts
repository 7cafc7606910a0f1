// The start and end of an event: both moved at once, and checked against what a calendar makes of their wall times.
import { usageError } from "../errors.ts";
import { type Duration, formatDuration } from "./duration.ts";
import { addToZonedDateTime, convertToZone, createMoment, type Moment, toZonedDateTime, wallToMoment } from "./parse.ts";
import { Temporal } from "./temporal.ts";
import { wallToEpoch } from "./zone.ts";

export interface EventTimes<T> {
  readonly start: T;
  readonly end: T;
}

/**
 * Moves both wall times (`YYYY-MM-DD HH:MM:SS`). Years to days are counted in days from the start, so that a month does not change the
 * duration; hours to seconds are exact. A usage error where the clocks skip one of the new times, or a wall time is invalid.
 */
export function shiftTimes({ start, end }: EventTimes<string>, zone: string, offset: Duration): EventTimes<Moment> {
  const { years = 0, months = 0, weeks = 0, days: offsetDays = 0, hours = 0, minutes = 0, seconds = 0 } = offset;
  const parse = (wall: string): Temporal.ZonedDateTime => {
    const moment = wallToMoment(wall, zone);
    if (moment === undefined) throw usageError(`"${wall}" is no time on the clocks of ${zone}`);
    return toZonedDateTime(moment);
  };
  const times = { start: parse(start), end: parse(end) };
  const first = Temporal.PlainDate.from(start.slice(0, 10));
  const { days } = first.until(first.add({ years, months, weeks, days: offsetDays }));
  const move = (time: Temporal.ZonedDateTime): Moment => {
    const { at, warnings } = addToZonedDateTime(time, { days, hours, minutes, seconds }, "refuse");
    return convertToZone(createMoment(at, { ownZone: false, precision: "time", warnings }), zone);
  };
  return { start: move(times.start), end: move(times.end) };
}

/**
 * Warns where the event has another duration on the calendar. A calendar gets wall times only, and of one that happens twice it takes the
 * earlier (RFC 5545, 3.3.5). A usage error, with times that avoid this, where the event would end no later than it starts.
 */
export function getDurationWarnings({ start, end }: EventTimes<Moment>): readonly string[] {
  const getCalendarEpoch = ({ wall, zone, epoch }: Moment) => wallToEpoch(wall, zone) ?? epoch;
  const intended = end.epoch - start.epoch;
  const actual = getCalendarEpoch(end) - getCalendarEpoch(start);
  if (intended <= 0 || actual === intended) return [];
  if (actual > 0) return [`the event lasts ${formatDuration(actual)} on the calendar, not ${formatDuration(intended)}`];
  const format = (moment: Moment) => moment.wall + toZonedDateTime(moment).offset;
  throw usageError(
    `${end.wall} happens twice in ${end.zone}, and a calendar takes the earlier, which is not after the start`,
    `keep the event in UTC: --timezone UTC --start-date "${format(start)}" --end-date "${format(end)}"`,
  );
}
