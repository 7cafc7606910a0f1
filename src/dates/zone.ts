// Time zones by name: what people type and what servers return. Runs for every record of a list, so it is cached and free of Temporal.

import { findClosest } from "../closest.ts";
import { type CalError, usageError } from "../errors.ts";

/** A zone that is known to exist. */
export interface Zone {
  /** An IANA name, `UTC`, or an offset as `+HH:MM`. */
  readonly name: string;
  /** How far its clocks are ahead of UTC at an instant; both in milliseconds. */
  offsetAt(epoch: number): number;
}

const millisecondsPerDay = 86_400_000;
const earliestTransition = Date.UTC(1800, 0);
// The three-letter names of the IANA database. Engines take others too (PST, IST, BST), of which several mean two zones or more: refused.
const allowedAbbreviations = ["UTC", "GMT", "UCT", "EST", "MST", "HST", "CET", "MET", "EET", "WET", "PRC", "ROC", "ROK"];
// Names in use that older engines know under a former spelling only.
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

/** Asks the engine twice a day at most: a day that begins and ends with the same offset is taken to keep it. */
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
    // No zone changed its clocks before 1800, and the engine writes the years before 1 without their sign.
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

/** Whether `readZone` would find it. */
export function isZone(text: string): boolean {
  return findZone(text) !== undefined;
}

/** The zone, or a usage error that suggests the zone that was meant. */
export function requireZone(text: string): Zone {
  const zone = findZone(text);
  if (zone === undefined) throw unknownZoneError(text);
  return zone;
}

function unknownZoneError(text: string): CalError {
  const word = text.trim().replaceAll(" ", "_");
  const names = listZoneNames();
  const city = names.find((name) => name.toLowerCase().endsWith(`/${word.toLowerCase()}`));
  const meant = city ?? (word.length > 3 ? findClosest(word, names) : undefined);
  const form = "write an IANA name such as Europe/Paris, or an offset such as +01:00";
  return usageError(`"${text}" is not a time zone`, meant === undefined ? form : `did you mean ${meant}?`);
}
