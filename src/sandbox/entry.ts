// Reading the fields of a record, and what links records to each other.
import type { ResourceName } from "../model/resource.ts";
import type { Entry, FieldValue, StoreReader, StoreWriter } from "./store.ts";

/** A field as text; "" where it is not set. */
export function getTextField(entry: Entry, name: string): string {
  const value = entry.fields[name];
  return value === undefined ? "" : String(value);
}

/** A field as a truth; the interface types some of them as strings. */
export function getBooleanField(entry: Entry, name: string): boolean {
  const value = entry.fields[name];
  return value === true || value === "true" || value === "1";
}

/** The ids in a field; empty where it is not set. */
export function getIdListField(entry: Entry, name: string): readonly number[] {
  return toIds(entry.fields[name]);
}

/** The ids in a value; one number is a list of one. */
export function toIds(value: FieldValue | undefined): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" ? value : [];
}

/** The field of an event that holds the ids of each other resource. */
export const linkFields = { venues: "venue", organizers: "organizer", categories: "categories", tags: "tags" } as const;

/** A resource whose records events are linked to. */
export type LinkedResourceName = keyof typeof linkFields;

/** Events that name a record. */
export function findLinkedEvents(data: StoreReader, resource: LinkedResourceName, id: number): readonly Entry[] {
  return data.all("events").filter((event) => getIdListField(event, linkFields[resource]).includes(id));
}

/** How many published events have a term. */
export function countPublishedEvents(data: StoreReader, resource: LinkedResourceName, id: number): number {
  return findLinkedEvents(data, resource, id).filter(({ status }) => status === "publish").length;
}

/** A category and everything below it. */
export function getCategorySubtreeIds(data: StoreReader, id: number, seen: ReadonlySet<number> = new Set()): readonly number[] {
  if (seen.has(id)) return [];
  const known = new Set([...seen, id]);
  const children = data.all("categories").filter((category) => category.fields["parent"] === id);
  return [id, ...children.flatMap((child) => getCategorySubtreeIds(data, child.id, known))];
}

// Slugs as WordPress makes them: accents dropped, other scripts kept percent-encoded in lower case.

const transliterations: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l", đ: "d", þ: "th", ð: "d", ı: "i" };

/** The slug of a title, or the canonical form of a slug that was sent; "" where nothing is left. */
export function slugify(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:[a-z]+|#\d+);/gi, "")
    .replace(/\p{Surrogate}/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßæøœłđþðı]/g, (letter) => transliterations[letter] ?? letter)
    .replace(/[\s./\u00a0\u2013\u2014]+/g, "-")
    .replace(/[\u2018\u2019\u201c\u201d\u00a1\u00bf]/g, "")
    .replace(/[\0-\x7f]/g, (character) => (/[a-z0-9_-]/.test(character) ? character : ""));
  const encoded = [...plain].map((character) => (character > "\x7f" ? encodeURIComponent(character).toLowerCase() : character));
  return truncateSlug(encoded, 200).replace(/-+/g, "-").replace(/^-|-$/g, "");
}

/** Whole characters only: half a percent-encoded one would be no slug. */
function truncateSlug(characters: readonly string[], length: number): string {
  let text = "";
  for (const character of characters) {
    if (text.length + character.length > length) break;
    text += character;
  }
  return text;
}

/** The slug itself, or the first of `-2`, `-3`... that is not taken. */
export function createUniqueSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
  return slug;
}

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

// The times of an event that follow from the ones that were given.

/** Wall-clock times and the zone they are in. */
interface EventTimes {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
  readonly all_day: boolean;
}

/** The fields of an event for these times: an event that lasts all day fills its days, and both ends are told in UTC too. */
export function createTimeFields({ start_date, end_date, timezone, all_day }: EventTimes): Readonly<Record<string, FieldValue>> {
  const start = all_day ? `${start_date.slice(0, 10)} 00:00:00` : start_date;
  const end = all_day ? `${end_date.slice(0, 10)} 23:59:59` : end_date;
  return {
    start_date: start,
    end_date: end,
    timezone,
    all_day,
    utc_start_date: toUtc(start, timezone),
    utc_end_date: toUtc(end, timezone),
  };
}

// What happens around a record that goes for good: events lose it, its children move up.

/** Removes a record for good. */
export function deletePermanently(draft: StoreWriter, resource: ResourceName, entry: Entry): void {
  if (resource !== "events") {
    const field = linkFields[resource];
    for (const event of findLinkedEvents(draft, resource, entry.id)) {
      draft.put("events", { ...event, fields: { ...event.fields, [field]: getIdListField(event, field).filter((id) => id !== entry.id) } });
    }
  }
  if (resource === "categories") {
    for (const child of draft.all("categories").filter(({ fields }) => fields["parent"] === entry.id)) {
      draft.put("categories", { ...child, fields: { ...child.fields, parent: entry.fields["parent"] ?? 0 } });
    }
  }
  draft.remove(resource, entry.id);
}
