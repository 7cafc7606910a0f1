// A moment of the date grammar: an instant together with the clock it is read on.
import { usageError } from "../errors.ts";
import type { Duration } from "./duration.ts";
import { resolveWallTime } from "./settle.ts";
import { Temporal } from "./temporal.ts";
import { wallToEpoch } from "./wall.ts";
import { requireZone } from "./zone.ts";

/** How much of the calendar the text named; `time` is a single moment. */
export type Precision = "year" | "month" | "week" | "day" | "time";

/** What an expression of the date grammar means. */
export interface Moment {
  /** `YYYY-MM-DD HH:MM:SS` on the clocks of `zone`: the form that the calendar interface is sent (section 4.2). */
  readonly wall: string;
  /** An IANA name, `UTC`, or an offset as `+HH:MM`. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly epoch: number;
  /** Whether the text itself fixed the instant, by a zone or by epoch seconds. Then a change of zone converts it (`inZone`). */
  readonly ownZone: boolean;
  readonly precision: Precision;
  /** Whole sentences for stderr. */
  readonly warnings: readonly string[];
}

/** What a moment has beyond its instant and zone. */
export type MomentDetails = Pick<Moment, "ownZone" | "precision" | "warnings">;

/** Makes a moment, cut to the second; usage error where its year is outside 0001 to 9999. */
export function createMoment(at: Temporal.ZonedDateTime, details: MomentDetails): Moment {
  if (at.year < 1 || at.year > 9999) throw usageError("the date leaves the years 0001 to 9999", "take a smaller offset, or write the date");
  const second = at.round({ smallestUnit: "second", roundingMode: "floor" });
  const wall = second.toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
  return { wall, zone: at.timeZoneId, epoch: second.epochMilliseconds, ...details };
}

/** The moment as Temporal knows it. */
export function toZonedDateTime(moment: Moment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.epoch).toZonedDateTimeISO(moment.zone);
}

/** The same instant on the clocks of another zone; warns where the wall time alone would no longer tell which instant it is. */
export function convertToZone(moment: Moment, zone: string): Moment {
  const { name } = requireZone(zone);
  const { ownZone, precision, warnings } = moment;
  const at = toZonedDateTime(moment).withTimeZone(name);
  const converted = createMoment(at, { ownZone, precision, warnings });
  const first = at.toPlainDateTime().toZonedDateTime(name);
  if (first.epochMilliseconds === moment.epoch) return converted;
  const warning = `${converted.wall} happens twice in ${name}: the later is meant, but a calendar takes the earlier`;
  return { ...converted, warnings: [...warnings, warning] };
}

/** Adds to an instant. Years to days keep the wall clock, hours to seconds are exact; a time that the clocks skip is moved forward, with a warning, or a usage error. */
export function addToZonedDateTime(
  at: Temporal.ZonedDateTime,
  duration: Duration,
  gap: "refuse" | "forward" = "forward",
): { at: Temporal.ZonedDateTime; warnings: readonly string[] } {
  const { hours = 0, minutes = 0, seconds = 0, ...calendar } = duration;
  const clock = { hours, minutes, seconds };
  if (Object.values(calendar).every((count) => count === 0)) return { at: at.add(clock), warnings: [] };
  const day = resolveWallTime(at.toPlainDateTime().add(calendar), at.timeZoneId, gap);
  return { at: day.at.add(clock), warnings: day.warnings };
}

/** The moment of a wall time that a record has, as `wallToEpoch` takes it; undefined where either can't be read. */
export function wallToMoment(wall: string, zone: string): Moment | undefined {
  const epoch = wallToEpoch(wall, zone);
  if (epoch === undefined) return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(requireZone(zone).name);
  return createMoment(at, { ownZone: false, precision: "time", warnings: [] });
}

/** The moment that is so much later (a start and a duration give an end); its warnings are those of the addition only, and of `inZone`. */
export function addDuration(moment: Moment, duration: Duration): Moment {
  const { at, warnings } = addToZonedDateTime(toZonedDateTime(moment), duration);
  return convertToZone(createMoment(at, { ownZone: moment.ownZone, precision: "time", warnings }), moment.zone);
}
