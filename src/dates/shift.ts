// An event that is moved as a whole: its start and its end, on the clock of its own zone.
import type { Duration } from "./duration.ts";
import { addTo, inZone, type Moment, momentOf } from "./moment.ts";
import { settle } from "./settle.ts";
import { Temporal } from "./temporal.ts";
import { requireZone } from "./zone.ts";

/** When something starts and ends. */
export interface Times<T> {
  readonly start: T;
  readonly end: T;
}

/**
 * Both wall times (`YYYY-MM-DD HH:MM:SS`) so much later. Years to days are days on the calendar, as many for the end as for the start,
 * so that a month does not change the length; hours to seconds are exact. Usage error where the clocks skip one of the two.
 */
export function shifted({ start, end }: Times<string>, zone: string, offset: Duration): Times<Moment> {
  const { years = 0, months = 0, weeks = 0, days: single = 0, hours = 0, minutes = 0, seconds = 0 } = offset;
  const first = Temporal.PlainDate.from(start.slice(0, 10));
  const { days } = first.until(first.add({ years, months, weeks, days: single }));
  const { name } = requireZone(zone);
  const moved = (wall: string): Moment => {
    const { at } = settle(Temporal.PlainDateTime.from(wall.replace(" ", "T")), name, "forward");
    const later = addTo(at, { days, hours, minutes, seconds }, "refuse");
    return inZone(momentOf(later.at, { ownZone: false, precision: "time", warnings: later.warnings }), name);
  };
  return { start: moved(start), end: moved(end) };
}
