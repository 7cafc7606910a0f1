// Where a wall time lies in a zone whose clocks skip an hour and show another one twice.
import { usage } from "../errors.ts";
import type { Temporal } from "./temporal.ts";

/** A wall time for messages and for the wire: `YYYY-MM-DD HH:MM:SS`. */
function show(at: Temporal.PlainDateTime): string {
  return at.toString({ smallestUnit: "second" }).replace("T", " ");
}

/**
 * The instant of a wall time. Of one that the clocks show twice it is the earlier, with a warning;
 * one that they skip is a usage error that names the nearest times, or is moved forward with a warning.
 */
export function settle(
  wall: Temporal.PlainDateTime,
  zone: string,
  gap: "refuse" | "forward",
): { at: Temporal.ZonedDateTime; warnings: readonly string[] } {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = wall.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) return { at: earlier, warnings: [] };
  if (earlier.toPlainDateTime().equals(wall)) {
    const twice = `${show(wall)} happens twice in ${zone}: the earlier is taken`;
    return { at: earlier, warnings: [`${twice}; write ${show(wall)}${later.offset} for the later`] };
  }
  if (gap === "forward") {
    return { at: later, warnings: [`${show(wall)} does not exist in ${zone}: ${show(later.toPlainDateTime())} is taken`] };
  }
  throw skipped(show(wall), earlier);
}

function skipped(what: string, before: Temporal.ZonedDateTime): Error {
  const zone = before.timeZoneId;
  const change = before.getTimeZoneTransition("next") ?? before;
  const last = show(change.subtract({ seconds: 1 }).toPlainDateTime());
  const next = show(change.toPlainDateTime());
  return usage(`${what} does not exist in ${zone}: its clocks go from ${last} to ${next}`, `write "${last}" or "${next}"`);
}

/** The first moment of a day, which is not always midnight; usage error for a day that the zone's calendar skips. */
export function dayStart(day: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  const start = day.toZonedDateTime(zone);
  if (start.toPlainDate().equals(day)) return start;
  throw skipped(day.toString(), start.subtract({ seconds: 1 }));
}
