// Time zones by name, and between instants and wall times. Used for every record of a list: cached, and only types of Temporal are imported.
import { findClosest } from "../closest.ts";
import { usageError } from "../errors.ts";
import type { Temporal } from "./temporal.ts";

interface Zone {
  /** An IANA name, `UTC`, or an offset as `+HH:MM`. */
  readonly name: string;
  /** How far its clocks are ahead of UTC at an instant; both in milliseconds. */
  offsetAt(epoch: number): number;
}

const millisecondsPerDay = 86_400_000;
const earliestTransition = Date.UTC(1800, 0);
// The three-letter names of the IANA database. Engines know others too (PST, IST, BST); several of them are ambiguous, so they are refused.
const allowedAbbreviations = ["UTC", "GMT", "UCT", "EST", "MST", "HST", "CET", "MET", "EET", "WET", "PRC", "ROC", "ROK"];
// Current names that older engines list under a former spelling only.
const renamedZones = ["America/Nuuk", "Asia/Ho_Chi_Minh", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Yangon", "Atlantic/Faroe", "Europe/Kyiv"];
const cache = new Map<string, Zone | undefined>();

function listZoneNames(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone"), ...renamedZones];
}

function parseOffsetZone(text: string): Zone | undefined {
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2})|\.(\d{1,2}))?$/i.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes = "0", fraction = "0"] = match;
  const distance = Number(hours) * 60 + Number(minutes) + Math.round(Number(`0.${fraction}`) * 60);
  if (distance >= 24 * 60 || Number(minutes) > 59) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  const east = sign === "+" || distance === 0;
  const name = `${east ? "+" : "-"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
  return { name, offsetAt: () => (east ? distance : -distance) * 60_000 };
}

/** Asks the engine twice a day at most: where a day begins and ends with the same offset, it is assumed for the whole day. */
function createOffsetLookup(format: Intl.DateTimeFormat): (epoch: number) => number {
  const midnights = new Map<number, number>();
  const ask = (epoch: number): number => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = format.format(epoch).split(/\D+/).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epoch / 1000) * 1000;
  };
  const atMidnight = (day: number): number => {
    const known = midnights.get(day);
    if (known !== undefined) return known;
    const offset = ask(day * millisecondsPerDay);
    midnights.set(day, offset);
    return offset;
  };
  return (epoch) => {
    // No zone changed its clocks before 1800, and the engine formats years before 1 without their sign.
    const since = Math.max(epoch, earliestTransition);
    const day = Math.floor(since / millisecondsPerDay);
    const offset = atMidnight(day);
    return offset === atMidnight(day + 1) ? offset : ask(since);
  };
}

function findNamedZone(text: string): Zone | undefined {
  if (!/^[a-z]/i.test(text) || /^systemv\//i.test(text)) return undefined;
  if (/^[a-z]{3}$/i.test(text) && !allowedAbbreviations.includes(text.toUpperCase())) return undefined;
  try {
    const clock = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
    const format = new Intl.DateTimeFormat("en-US", { ...clock, hourCycle: "h23", timeZone: text });
    const engineName = format.resolvedOptions().timeZone;
    const typed = text.toLowerCase();
    const name = engineName === text ? text : (listZoneNames().find((known) => known.toLowerCase() === typed) ?? text);
    return { name, offsetAt: createOffsetLookup(format) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The zone of an IANA name in any case, `Z`, `UTC`, `UTC+5.5`, `UTC-3`, `+02:00` or `EST`; undefined where there is none. */
export function findZone(text: string): Zone | undefined {
  if (cache.has(text)) return cache.get(text);
  const zone = /^(z|utc)$/i.test(text) ? { name: "UTC", offsetAt: () => 0 } : (parseOffsetZone(text) ?? findNamedZone(text));
  cache.set(text, zone);
  return zone;
}

export function isZone(text: string): boolean {
  return findZone(text) !== undefined;
}

/** The zone, or a usage error that suggests a zone. */
export function requireZone(text: string): Zone {
  const zone = findZone(text);
  if (zone !== undefined) return zone;
  const word = text.trim().replaceAll(" ", "_");
  const names = listZoneNames();
  const city = names.find((name) => name.toLowerCase().endsWith(`/${word.toLowerCase()}`));
  const closest = city ?? (word.length > 3 ? findClosest(word, names) : undefined);
  const form = "write an IANA name such as Europe/Paris, or an offset such as +01:00";
  throw usageError(`"${text}" is not a time zone`, closest === undefined ? form : `did you mean ${closest}?`);
}

const minEpoch = Date.parse("0001-01-01T00:00:00Z");
const maxEpoch = Date.parse("9999-12-31T23:59:59Z");

function parseWallAsUtc(wall: string): number | undefined {
  const iso = `${wall.slice(0, 10)}T${wall.slice(11)}.000Z`;
  const utc = Date.parse(iso);
  const exact = wall.charAt(10) === " " && utc >= minEpoch && new Date(utc).toISOString() === iso;
  return exact ? utc : undefined;
}

/**
 * The instant, in milliseconds since 1970, at which the clocks of a zone show `YYYY-MM-DD HH:MM:SS`; undefined where either is invalid.
 * A time that the clocks skip is moved forward by the skipped time; of a time that they show twice it is the earlier (RFC 5545, 3.3.5).
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

/** The wall time of an instant (milliseconds since 1970); undefined for an unknown zone or a year outside 0001 to 9999. */
export function epochToWall(epoch: number, zone: string): string | undefined {
  const found = findZone(zone);
  if (found === undefined) return undefined;
  const local = Math.floor(epoch / 1000) * 1000 + found.offsetAt(epoch);
  return local >= minEpoch && local <= maxEpoch ? new Date(local).toISOString().slice(0, 19).replace("T", " ") : undefined;
}

/** Whether the clocks of a zone show this wall time at this instant, and at no later one. */
export function isUniqueWall(wall: string, epoch: number, zone: string): boolean {
  const offsetAt = findZone(zone)?.offsetAt ?? (() => 0);
  const setBack = offsetAt(epoch - millisecondsPerDay) - offsetAt(epoch + millisecondsPerDay);
  return epochToWall(epoch, zone) === wall && (setBack <= 0 || epochToWall(epoch + setBack, zone) !== wall);
}

/** The day or wall time, later or earlier by whole days. A usage error where it is no day, or the year leaves 0001 to 9999. */
export function shiftDays(dayOrWall: string, days: number): string {
  const day = parseWallAsUtc(`${dayOrWall.slice(0, 10)} 00:00:00`);
  if (day === undefined) throw usageError(`"${dayOrWall}" is not a day`, "write YYYY-MM-DD");
  const shifted = epochToWall(day + days * millisecondsPerDay, "UTC");
  if (shifted === undefined) throw usageError(`${dayOrWall} and ${days} days leave the years 0001 to 9999`);
  return shifted.slice(0, 10) + dayOrWall.slice(10);
}

function formatWallTime(at: Temporal.PlainDateTime): string {
  return at.toString({ smallestUnit: "second" }).replace("T", " ");
}

/**
 * The instant of a wall time. Of a time that the clocks show twice it is the earlier, with a warning. A time that they skip is a usage error
 * that names the nearest times, or is moved forward with a warning.
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

/** The first moment of a day, which is not always midnight. A usage error for a day that the zone's calendar skips. */
export function startOfDay(day: Temporal.PlainDate, zone: string): Temporal.ZonedDateTime {
  const start = day.toZonedDateTime(zone);
  if (start.toPlainDate().equals(day)) return start;
  throw skippedTimeError(day.toString(), start.subtract({ seconds: 1 }));
}
