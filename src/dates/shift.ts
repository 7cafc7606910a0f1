// An event that is moved as a whole: its start and its end, on the clock of its own zone.
import { usageError } from "../errors.ts";
import type { Duration } from "./duration.ts";
import { addToZonedDateTime, convertToZone, createMoment, type Moment, toZonedDateTime, wallToMoment } from "./moment.ts";
import { Temporal } from "./temporal.ts";
import type { EventTimes } from "./told.ts";

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
