// Between an instant and what the clock on the wall shows. Runs for every record of a list, so it is cached and free of Temporal.
import { usageError } from "../errors.ts";
import { findZone } from "./zone.ts";

const millisecondsPerDay = 86_400_000;
const minEpoch = Date.parse("0001-01-01T00:00:00Z");
const maxEpoch = Date.parse("9999-12-31T23:59:59Z");

function parseWallAsUtc(wall: string): number | undefined {
  const iso = `${wall.slice(0, 10)}T${wall.slice(11)}.000Z`;
  const utc = Date.parse(iso);
  const exact = wall.charAt(10) === " " && utc >= minEpoch && new Date(utc).toISOString() === iso;
  return exact ? utc : undefined;
}

/**
 * The instant, in milliseconds since 1970, at which the clocks of a zone show `YYYY-MM-DD HH:MM:SS`; undefined where either can't be read.
 * A time that the clocks skip is moved forward by what they skip; of a time that they show twice it is the earlier (as in RFC 5545, 3.3.5).
 */
export function wallToEpoch(wall: string, zone: string): number | undefined {
  const found = findZone(zone);
  const utc = parseWallAsUtc(wall);
  if (found === undefined || utc === undefined) return undefined;
  // No zone is more than a day from UTC, so these two offsets are those before and after any change near the wall time.
  const early = utc - found.offsetAt(utc - millisecondsPerDay);
  const late = utc - found.offsetAt(utc + millisecondsPerDay);
  const shows = (epoch: number): boolean => epoch + found.offsetAt(epoch) === utc;
  return !shows(early) && shows(late) ? late : early;
}

/** What the clocks of a zone show at an instant (milliseconds since 1970); undefined for an unknown zone or a year outside 0001 to 9999. */
export function epochToWall(epoch: number, zone: string): string | undefined {
  const found = findZone(zone);
  if (found === undefined) return undefined;
  const local = Math.floor(epoch / 1000) * 1000 + found.offsetAt(epoch);
  return local >= minEpoch && local <= maxEpoch ? new Date(local).toISOString().slice(0, 19).replace("T", " ") : undefined;
}

/** The same day or wall time, so many days later or earlier; usage error for what is no day, or where the year leaves 0001 to 9999. */
export function shiftDays(dayOrWall: string, days: number): string {
  const day = parseWallAsUtc(`${dayOrWall.slice(0, 10)} 00:00:00`);
  if (day === undefined) throw usageError(`"${dayOrWall}" is not a day`, "write YYYY-MM-DD");
  const shifted = epochToWall(day + days * millisecondsPerDay, "UTC");
  if (shifted === undefined) throw usageError(`${dayOrWall} and ${days} days leave the years 0001 to 9999`);
  return shifted.slice(0, 10) + dayOrWall.slice(10);
}
