// The times of an iCalendar event: DATE, DATE-TIME and DURATION (RFC 5545, 3.3.4 to 3.3.6).
import { epochToWall, shiftDays, wallToEpoch } from "../dates/zone.ts";
import type { Component, IcalProperty } from "./components.ts";
import { type IcalZone, parseWall, resolveZone, zoneWallToEpoch } from "./zones.ts";

/** A wall time with its zone, or a date. */
export interface IcalTime {
  /** `YYYY-MM-DD HH:MM:SS`; the midnight of a date. */
  readonly wall: string;
  readonly isDate: boolean;
  readonly zone: IcalZone;
}

/** What the file and the command line say about zones. */
export interface ZoneContext {
  readonly timezones: ReadonlyMap<string, Component>;
  /** The zone of floating times. */
  readonly eventZone: string;
  /** Zones by TZID, as they are met. */
  readonly zones: Map<string, IcalZone>;
}

const utc: IcalZone = { kind: "named", name: "UTC" };

/** One value of DTSTART, DTEND, RECURRENCE-ID, EXDATE or RDATE. Undefined where it is no time. The form of the value counts, not VALUE. */
export function readTime(value: unknown, { parameters }: IcalProperty, context: ZoneContext): IcalTime | undefined {
  const text = String(value).trim();
  const wall = parseWall(text);
  if (wall === undefined) return undefined;
  if (!/T/i.test(text)) return { wall, isDate: true, zone: { kind: "floating" } };
  // A time with both TZID and Z is in the zone: programs that write this mean its wall time.
  const tzid = parameters["tzid"];
  if (tzid === undefined && /Z$/i.test(text)) return { wall, isDate: false, zone: utc };
  return { wall, isDate: false, zone: tzid === undefined ? { kind: "floating" } : findOrResolve(tzid, context) };
}

function findOrResolve(tzid: string, { zones, timezones }: ZoneContext): IcalZone {
  const known = zones.get(tzid);
  if (known !== undefined) return known;
  const zone = resolveZone(tzid, timezones);
  zones.set(tzid, zone);
  return zone;
}

/** The instant in milliseconds since 1970; of a date its midnight in the zone of floating times. */
export function toEpoch({ wall, zone }: IcalTime, { eventZone }: ZoneContext): number {
  return zoneWallToEpoch(wall, zone, eventZone) ?? Number.NaN;
}

/** How a time stands in a key, so that the zone of floating times changes no key: the UTC instant, a date, or the wall time of a floating time. */
export function formatTimeKey(time: IcalTime, context: ZoneContext): string {
  if (time.isDate) return compact(time.wall).slice(0, 8);
  if (time.zone.kind === "floating") return compact(time.wall);
  return `${compact(epochToWall(toEpoch(time, context), "UTC") ?? time.wall)}Z`;
}

/** The instant on the clocks of a zone. */
export function fromEpoch(epoch: number, zone: IcalZone, context: ZoneContext): IcalTime | undefined {
  const name = zone.kind === "named" ? zone.name : zone.kind === "floating" ? context.eventZone : "UTC";
  const wall = epochToWall(epoch, name);
  return wall === undefined ? undefined : { wall, isDate: false, zone: zone.kind === "custom" ? utc : zone };
}

/** The length of a DURATION: days and weeks are days of the calendar, the rest is exact. */
interface IcalDuration {
  readonly days: number;
  readonly milliseconds: number;
}

/** `P1DT2H`, `PT15M`, `P2W`. Undefined where it is none, is negative, or longer than 100 years. */
export function parseIcalDuration(text: string): IcalDuration | undefined {
  // Synology writes PT1W: weeks and days after the T.
  const match = /^\+?PT?(?:(\d{1,4})W)?(?:(\d{1,5})D)?T?(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const duration = { days: weeks * 7 + days, milliseconds: (hours * 3600 + minutes * 60 + seconds) * 1000 };
  return duration.days * 86_400_000 + duration.milliseconds > 36_525 * 86_400_000 ? undefined : duration;
}

/** The end of something that begins at `start`. */
export function addIcalDuration(start: IcalTime, { days, milliseconds }: IcalDuration, context: ZoneContext): IcalTime | undefined {
  const shifted = { ...start, wall: shiftDays(start.wall, days) };
  if (milliseconds === 0) return shifted;
  if (!start.isDate) {
    const zone = start.zone.kind === "custom" ? utc : start.zone;
    return fromEpoch(toEpoch(shifted, context) + milliseconds, zone, context);
  }
  // A date with hours: whole days are counted.
  return { ...start, wall: shiftDays(shifted.wall, Math.ceil(milliseconds / 86_400_000)) };
}

/** Milliseconds between two wall times, as if there were no changes of the clocks. */
export function subtractWalls(later: string, earlier: string): number {
  return (wallToEpoch(later, "UTC") ?? Number.NaN) - (wallToEpoch(earlier, "UTC") ?? Number.NaN);
}

export function addToWall(wall: string, milliseconds: number): string | undefined {
  return epochToWall((wallToEpoch(wall, "UTC") ?? Number.NaN) + milliseconds, "UTC");
}

function compact(wall: string): string {
  return wall.replaceAll(/[-:]/g, "").replace(" ", "T");
}

/** Start and end as fields of an event. */
export function formatTimes(start: IcalTime, end: IcalTime, context: ZoneContext): Readonly<Record<string, unknown>> {
  if (start.isDate) {
    const first = start.wall.slice(0, 10);
    const last = shiftDays(end.wall, -1).slice(0, 10);
    return { start_date: first, end_date: last < first ? first : last, all_day: true };
  }
  const name = start.zone.kind === "named" ? start.zone.name : context.eventZone;
  const epochs = [toEpoch(start, context), toEpoch(end, context)] as const;
  // A calendar takes the earlier of a wall time that happens twice; where the later is meant, the event is kept in UTC.
  const isExact = epochs.every((epoch) => wallToEpoch(epochToWall(epoch, name) ?? "", name) === epoch);
  const zone = isExact ? name : "UTC";
  const [startDate, endDate] = epochs.map((epoch) => epochToWall(epoch, zone));
  return { start_date: startDate, end_date: endDate, all_day: false, timezone: zone };
}
