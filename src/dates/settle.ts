// Where a wall time lies in a zone whose clocks skip an hour and show another one twice.
import { usageError } from "../errors.ts";
import type { Temporal } from "./temporal.ts";

/** A wall time for messages and for the wire: `YYYY-MM-DD HH:MM:SS`. */
function formatWallTime(at: Temporal.PlainDateTime): string {
  return at.toString({ smallestUnit: "second" }).replace("T", " ");
}

/**
 * The instant of a wall time. Of one that the clocks show twice it is the earlier, with a warning;
 * one that they skip is a usage error that names the nearest times, or is moved forward with a warning.
 */
export function resolveWallTime(
  wall: Temporal.PlainDateTime,
  zone: string,
  gap: "refuse" | "forward",
): { at: Temporal.ZonedDateTime; warnings: readonly string[] } {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = wall.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) return { at: earlier, warnings: [] };
  if (earlier.toPlainDateTime().equals(wall)) {
    const twice = `${formatWallTime(wall)} happens twice in ${zone}: the earlier is taken`;
    return { at: earlier, warnings: [`${twice}; write ${formatWallTime(wall)}${later.offset} for the later`] };
  }
  if (gap === "forward") {
    return {
      at: later,
      warnings: [`${formatWallTime(wall)} does not exist in ${zone}: ${formatWallTime(later.toPlainDateTime())} is taken`],
    };
  }
  throw skippedTimeError(formatWallTime(wall), earlier);
}

function skippedTimeError(what: string, before: Temporal.ZonedDateTime): Error {
  const zone = before.timeZoneId;
  const change = before.getTimeZoneTransition("next") ?? before;
  const last = formatWallTime(change.subtract({ seconds: 1 }).toPlainDateTime());
  const next = formatWallTime(change.toPlainDateTime());
  return usageError(`${what} does not exist in ${zone}: its clocks go from ${last} to ${next}`, `write "${last}" or "${next}"`);
}

/** The first moment of a day, which is not always midnight; usage error for a day that the zone's calendar skips. */
export function startOfDay(day: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  const start = day.toZonedDateTime(zone);
  if (start.toPlainDate().equals(day)) return start;
  throw skippedTimeError(day.toString(), start.subtract({ seconds: 1 }));
}
