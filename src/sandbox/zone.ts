// Wall-clock times and UTC, with the zones of the platform. Times are texts: `YYYY-MM-DD HH:MM:SS`.

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
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
  formats.set(zone, format);
  return format;
}

/** Minutes of a zone written as a fixed distance: `UTC+5.5`, `UTC-3`, `+02:00`. */
function fixedMinutes(zone: string): number | undefined {
  const match = /^(?:UTC)?([+-])(\d{1,2})(?::(\d\d)|(\.\d+))?$/.exec(zone);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0) + Number(match[4] ?? 0) * 60;
  return match[1] === "-" ? -minutes : minutes;
}

/** Whether it is a zone that times can be read in. */
export function isZone(zone: string): boolean {
  if (fixedMinutes(zone) !== undefined) return true;
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** Milliseconds since 1970 of a UTC text; NaN where it is no such day or time. */
export function instant(utc: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(utc);
  if (match === null) return Number.NaN;
  const time = Date.parse(`${utc.replace(" ", "T")}Z`);
  // Date.parse rolls 30 February over; such a day is none.
  return stamp(time) === utc ? time : Number.NaN;
}

/** The UTC text of milliseconds since 1970; "" where that is no time. */
export function stamp(time: number): string {
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(0, 19).replace("T", " ") : "";
}

function offset(time: number, zone: string): number {
  const fixed = fixedMinutes(zone);
  if (fixed !== undefined) return fixed * 60_000;
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

/** A wall-clock time as UTC. In the gap of a summer time change the clock has gone on by an hour; in the overlap the earlier time counts. */
export function toUtc(wall: string, zone: string): string {
  const time = instant(wall);
  if (Number.isNaN(time)) return "";
  const early = time - offset(time - 86_400_000, zone);
  return stamp(offset(early, zone) === time - early ? early : time - offset(time + 86_400_000, zone) + gap(time, zone));
}

function gap(time: number, zone: string): number {
  const before = offset(time - 86_400_000, zone);
  const late = time - offset(time + 86_400_000, zone);
  return offset(late, zone) === before ? offset(time + 86_400_000, zone) - before : 0;
}

/** A UTC time on the wall clock of a zone. */
export function toWall(utc: string, zone: string): string {
  const time = instant(utc);
  return Number.isNaN(time) ? "" : stamp(time + offset(time, zone));
}

/** `EST`, `JST`; a zone without letters of its own is called by its name. */
export function abbreviation(utc: string, zone: string): string {
  if (fixedMinutes(zone) !== undefined) return zone;
  const known = names[zone]?.[offset(instant(utc), zone) / 3_600_000];
  if (known !== undefined) return known;
  return (
    formatOf(zone)
      .formatToParts(instant(utc))
      .find(({ type }) => type === "timeZoneName")?.value ?? zone
  );
}

/** The platform knows American letters only. */
const names: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "Asia/Tokyo": { 9: "JST" },
  "Asia/Kolkata": { 5.5: "IST" },
  "Europe/Paris": { 1: "CET", 2: "CEST" },
};
