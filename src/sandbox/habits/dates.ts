// Dates as PHP reads them, as far as it was recorded: more than one form, days that roll over, words, seconds since 1970.
import { instant, stamp, toWall } from "../zone.ts";

/** A date that was read: its wall-clock text, and the UTC text where it named a distance from UTC. */
export interface ReadDate {
  readonly wall: string;
  readonly utc?: string;
}

const words: Readonly<Record<string, number>> = { now: 0, today: 0, tomorrow: 1, yesterday: -1 };
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** Reads a date; `now` is the wall-clock time that words start from. Undefined where it is none, or the first moment of 1970, which PHP takes for none. */
export function readDate(text: string, now: string): ReadDate | undefined {
  const trimmed = text.trim();
  const read = written(trimmed) ?? spoken(trimmed.toLowerCase(), now);
  return read === undefined || read.wall === "" || read.wall === "1970-01-01 00:00:00" ? undefined : read;
}

const clock = String.raw`(?:[T ]+(\d{1,2})(?::(\d\d))?(?::(\d\d))?(?:\.\d+)? ?(am|pm)?)?`;
const zone = String.raw`(?: ?(Z|[+-]\d\d:?\d\d))?`;
const forms: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${clock}${zone}$`, "i"), order: [1, 2, 3] },
  { pattern: new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4})${clock}${zone}$`, "i"), order: [3, 1, 2] },
  { pattern: new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${clock}${zone}$`, "i"), order: [3, 2, 1] },
];

function written(text: string): ReadDate | undefined {
  if (/^\d{1,11}$/.test(text)) return { wall: stamp(Number(text) * 1000) };
  for (const { pattern, order } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [year = 0, month = 0, day = 0] = order.map((group) => Number(match[group]));
    if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
    const wall = stamp(Date.UTC(year, month - 1, day, hours(match), Number(match[5] ?? 0), Number(match[6] ?? 0)));
    const distance = match[8];
    return distance === undefined ? { wall } : { wall, utc: stamp(instant(wall) - minutes(distance) * 60_000) };
  }
  return undefined;
}

function hours(match: RegExpExecArray): number {
  const half = match[7]?.toLowerCase();
  const hour = Number(match[4] ?? 0);
  return half === undefined ? hour : (hour % 12) + (half === "pm" ? 12 : 0);
}

function minutes(distance: string): number {
  if (distance.toUpperCase() === "Z") return 0;
  const [, sign, hour, minute] = /^([+-])(\d\d):?(\d\d)$/.exec(distance) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

function spoken(text: string, now: string): ReadDate | undefined {
  const midnight = instant(`${now.slice(0, 10)} 00:00:00`);
  const step = /^([+-]?\d{1,6}) (minute|hour|day|week)s?$/.exec(text);
  if (step?.[2] !== undefined) return { wall: stamp(instant(now) + Number(step[1]) * (units[step[2]] ?? 0)) };
  const next = weekdays.indexOf(/^next ([a-z]+)$/.exec(text)?.[1] ?? "");
  if (next >= 0) return { wall: stamp(midnight + (((next - new Date(midnight).getUTCDay() + 6) % 7) + 1) * 86_400_000) };
  const [word = "", ...rest] = text.split(" ");
  if (!Object.hasOwn(words, word)) return undefined;
  if (word === "now") return { wall: now };
  const date = stamp(midnight + (words[word] ?? 0) * 86_400_000).slice(0, 10);
  return rest.length === 0 ? { wall: `${date} 00:00:00` } : written(`${date} ${rest.join(" ")}`);
}

/** The day (`YYYY-MM-DD`) that a list filter's date means. Recorded: a date that names its zone is taken on its UTC day. */
export function dayOf(date: ReadDate): string {
  return (date.utc ?? date.wall).slice(0, 10);
}

/** What `strict_dates` makes of a date: recorded, a time without a zone is taken for UTC and put on the site's clock. */
export function strictly(date: ReadDate, siteZone: string): string {
  return toWall(date.utc ?? date.wall, siteZone);
}
