// Wall-clock times and UTC, with the zones of the platform. Times are texts: `YYYY-MM-DD HH:MM:SS`.

const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();

function getDateTimeFormat(zone: string): Intl.DateTimeFormat {
  const known = dateTimeFormats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    timeZoneName: "short",
  });
  dateTimeFormats.set(zone, format);
  return format;
}

/** Minutes of a zone written as a fixed distance: `UTC+5.5`, `UTC-3`, `+02:00`. */
function parseFixedOffsetMinutes(zone: string): number | undefined {
  const match = /^(?:UTC)?([+-])(\d{1,2})(?::(\d\d)|(\.\d+))?$/.exec(zone);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0) + Number(match[4] ?? 0) * 60;
  return match[1] === "-" ? -minutes : minutes;
}

/** Whether it is a zone that times can be read in. */
export function isTimeZone(zone: string): boolean {
  if (parseFixedOffsetMinutes(zone) !== undefined) return true;
  try {
    return getDateTimeFormat(zone) !== undefined;
  } catch {
    return false;
  }
}

/** Milliseconds since 1970 of a UTC text; NaN where it is no such day or time. */
export function parseUtcTime(utc: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(utc);
  if (match === null) return Number.NaN;
  const time = Date.parse(`${utc.replace(" ", "T")}Z`);
  // Date.parse rolls 30 February over; such a day is none.
  return formatUtcTime(time) === utc ? time : Number.NaN;
}

/** The UTC text of milliseconds since 1970; "" where that is no time. */
export function formatUtcTime(time: number): string {
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(0, 19).replace("T", " ") : "";
}

function getUtcOffset(time: number, zone: string): number {
  const fixed = parseFixedOffsetMinutes(zone);
  if (fixed !== undefined) return fixed * 60_000;
  const part: Record<string, number> = {};
  for (const { type, value } of getDateTimeFormat(zone).formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

/** A wall-clock time as UTC. In the gap of a summer time change the clock has gone on by an hour; in the overlap the earlier time counts. */
export function toUtc(wall: string, zone: string): string {
  const time = parseUtcTime(wall);
  if (Number.isNaN(time)) return "";
  const early = time - getUtcOffset(time - 86_400_000, zone);
  return formatUtcTime(
    getUtcOffset(early, zone) === time - early ? early : time - getUtcOffset(time + 86_400_000, zone) + getDstGap(time, zone),
  );
}

function getDstGap(time: number, zone: string): number {
  const before = getUtcOffset(time - 86_400_000, zone);
  const late = time - getUtcOffset(time + 86_400_000, zone);
  return getUtcOffset(late, zone) === before ? getUtcOffset(time + 86_400_000, zone) - before : 0;
}

/** A UTC time on the wall clock of a zone. */
export function toWallTime(utc: string, zone: string): string {
  const time = parseUtcTime(utc);
  return Number.isNaN(time) ? "" : formatUtcTime(time + getUtcOffset(time, zone));
}

/** `EST`, `JST`; a zone without letters of its own is called by its name. */
export function getTimeZoneAbbreviation(utc: string, zone: string): string {
  if (parseFixedOffsetMinutes(zone) !== undefined) return zone;
  const known = timeZoneAbbreviations[zone]?.[getUtcOffset(parseUtcTime(utc), zone) / 3_600_000];
  if (known !== undefined) return known;
  return (
    getDateTimeFormat(zone)
      .formatToParts(parseUtcTime(utc))
      .find(({ type }) => type === "timeZoneName")?.value ?? zone
  );
}

/** The platform knows American letters only. */
const timeZoneAbbreviations: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "Asia/Tokyo": { 9: "JST" },
  "Asia/Kolkata": { 5.5: "IST" },
  "Europe/Paris": { 1: "CET", 2: "CEST" },
};
