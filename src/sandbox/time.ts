// Wall-clock times and UTC, with the time zones of the platform. Times are texts: `YYYY-MM-DD HH:MM:SS`.

const dayMs = 86_400_000;

/** Milliseconds since 1970 of a UTC text; NaN where there is no such day or time. */
export function parseUtcTime(utc: string): number {
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(utc) ? Date.parse(`${utc.replace(" ", "T")}Z`) : Number.NaN;
  // Date.parse turns 30 February into a day of March.
  return formatUtcTime(time) === utc ? time : Number.NaN;
}

/** The UTC text of milliseconds since 1970; "" where that is no time. */
export function formatUtcTime(time: number): string {
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(0, 19).replace("T", " ") : "";
}

/** A UTC time on the wall clock of a zone. */
export function toWallTime(utc: string, zone: string): string {
  const time = parseUtcTime(utc);
  return Number.isNaN(time) ? "" : formatUtcTime(time + getUtcOffset(time, zone));
}

/** A wall-clock time as UTC. A time that the clock skips is as long after the gap; of a time that comes twice the earlier one counts. */
export function toUtc(wall: string, zone: string): string {
  const time = parseUtcTime(wall);
  if (Number.isNaN(time)) return "";
  const before = getUtcOffset(time - dayMs, zone);
  const after = getUtcOffset(time + dayMs, zone);
  if (getUtcOffset(time - before, zone) === before) return formatUtcTime(time - before);
  const gap = getUtcOffset(time - after, zone) === before ? after - before : 0;
  return formatUtcTime(time - after + gap);
}

export function isTimeZone(zone: string): boolean {
  if (parseFixedOffset(zone) !== undefined) return true;
  try {
    return getDateTimeFormat(zone) !== undefined;
  } catch {
    return false;
  }
}

/** `EST`, `JST`; a zone without an abbreviation is called by its name. */
export function getTimeZoneAbbreviation(utc: string, zone: string): string {
  if (parseFixedOffset(zone) !== undefined) return zone;
  const time = parseUtcTime(utc);
  const known = timeZoneAbbreviations[zone]?.[getUtcOffset(time, zone) / 3_600_000];
  const parts = getDateTimeFormat(zone).formatToParts(time);
  return known ?? parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

/** The platform knows American abbreviations only. The keys are the offset in hours. */
const timeZoneAbbreviations: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "Asia/Tokyo": { 9: "JST" },
  "Asia/Kolkata": { 5.5: "IST" },
  "Europe/Paris": { 1: "CET", 2: "CEST" },
};

/** In milliseconds. */
function getUtcOffset(time: number, zone: string): number {
  const fixed = parseFixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const part: Record<string, number> = {};
  for (const { type, value } of getDateTimeFormat(zone).formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

/** In milliseconds: `UTC+5.5`, `UTC-3`, `+02:00`. */
function parseFixedOffset(zone: string): number | undefined {
  const match = /^(?:UTC)?([+-])(\d{1,2})(?::(\d\d)|(\.\d+))?$/.exec(zone);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0) + Number(match[4] ?? 0) * 60;
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}

const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();

/** Throws where there is no such zone. */
function getDateTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const known = dateTimeFormats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...numeric, timeZoneName: "short" });
  dateTimeFormats.set(timeZone, format);
  return format;
}
