// Events as iCalendar (RFC 5545, with IMAGE of RFC 7986). The same data gives the same bytes: nothing is taken from the clock of this machine.
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { Temporal } from "../dates/temporal.ts";
import { findZone, shiftDays, wallToEpoch } from "../dates/zone.ts";
import { decodeEntities, replaceTags, toPlainText } from "../html-text.ts";

/** Transitions of a zone are written for these years. An event before or after them has its times in UTC. */
const firstYear = 2000;
const lastYear = 2037;

/** What the identity of an event is made of, beside its id. */
export interface CalendarSource {
  /** The host of the calendar: the UID of event 7 is `7@<host>`. */
  readonly host: string;
}

/** A calendar in chunks, an event as it arrives. The VTIMEZONE of a zone stands before the first event that uses it. */
export async function* formatCalendar(
  batches: AsyncIterable<readonly DataRecord[]>,
  source: CalendarSource,
): AsyncGenerator<string> {
  yield toLines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cal//cal//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"]);
  const written = new Set<string>();
  for await (const records of batches) {
    const lines: string[] = [];
    for (const record of records) {
      const zone = findUsedZone(record);
      if (zone !== undefined && !written.has(zone)) {
        written.add(zone);
        lines.push(...formatZone(zone));
      }
      lines.push(...formatEvent(record, zone, source));
    }
    if (lines.length > 0) yield toLines(lines);
  }
  yield toLines(["END:VCALENDAR"]);
}

/** The zone of an event that needs a VTIMEZONE. Undefined for all-day events, for UTC, and where the times are written in UTC. */
function findUsedZone(record: DataRecord): string | undefined {
  if (record["all_day"] === true) return undefined;
  const zone = findZone(getText(record, "timezone"))?.name;
  if (zone === undefined || !/^[A-Z]/i.test(zone) || zone === "UTC") return undefined;
  const years = ["start_date", "end_date"].map((name) => Number(getText(record, name).slice(0, 4)));
  return years.every((year) => year > firstYear && year <= lastYear) ? zone : undefined;
}

function formatEvent(record: DataRecord, zone: string | undefined, { host }: CalendarSource): readonly string[] {
  const modified = formatUtc(getText(record, "modified_utc")) ?? formatUtc(getText(record, "date_utc")) ?? "19700101T000000Z";
  const description = getText(record, "description");
  const [venue] = toRecords(record["venue"]);
  const status = getText(record, "status");
  const image = isRecord(record["image"]) ? getText(record["image"], "url") : "";
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(`${idOf(record) ?? ""}@${host}`)}`,
    `DTSTAMP:${modified}`,
    `LAST-MODIFIED:${modified}`,
    ...formatDates(record, zone),
    `SUMMARY:${escapeText(toPlainText(getText(record, "title")))}`,
    ...(description === "" ? [] : [`DESCRIPTION:${escapeText(toParagraphs(description))}`]),
    ...(/[<&]/.test(description) ? [`X-ALT-DESC;FMTTYPE=text/html:${escapeText(description)}`] : []),
    ...(venue === undefined ? [] : formatPlace(venue)),
    ...formatOrganizers(toRecords(record["organizer"])),
    ...formatNames("CATEGORIES", toRecords(record["categories"])),
    ...formatUri("URL", getText(record, "url")),
    ...formatUri("IMAGE;VALUE=URI", image),
    `STATUS:${status === "draft" || status === "pending" ? "TENTATIVE" : status === "trash" ? "CANCELLED" : "CONFIRMED"}`,
    ...(status === "private" ? ["CLASS:PRIVATE"] : []),
    "END:VEVENT",
  ];
}

/** DTSTART and DTEND. The end of an all-day event is the day after its last day (RFC 5545, 3.6.1). */
function formatDates(record: DataRecord, zone: string | undefined): readonly string[] {
  const [start, end] = [getText(record, "start_date"), getText(record, "end_date")];
  if (record["all_day"] === true) {
    const lastDay = end.slice(0, 10) < start.slice(0, 10) ? start.slice(0, 10) : end.slice(0, 10);
    return [`DTSTART;VALUE=DATE:${compact(start.slice(0, 10))}`, `DTEND;VALUE=DATE:${compact(shiftDays(lastDay, 1))}`];
  }
  const format = (name: string, wall: string) => {
    const epoch = formatEpoch(wallToEpoch(wall, getText(record, "timezone") || "UTC"));
    const utc = formatUtc(getText(record, `utc_${name === "DTSTART" ? "start" : "end"}_date`)) ?? epoch;
    // A wall time that occurs twice is its first occurrence (RFC 5545, 3.3.5); the second is written in UTC.
    return zone !== undefined && utc === epoch ? `${name};TZID=${zone}:${compact(wall)}` : `${name}:${utc ?? compact(wall)}`;
  };
  return [format("DTSTART", start), ...(end === "" ? [] : [format("DTEND", end)])];
}

function formatPlace(venue: DataRecord): readonly string[] {
  const parts = [["venue"], ["address"], ["zip", "city"], ["stateprovince", "state", "province"], ["country"]].map((names) =>
    (names[0] === "zip" ? names : names.filter((name) => getText(venue, name) !== "").slice(0, 1))
      .map((name) => toPlainText(getText(venue, name)))
      .filter((text) => text !== "")
      .join(" "),
  );
  const location = parts.filter((part) => part !== "").join(", ");
  const [latitude, longitude] = [venue["geo_lat"], venue["geo_lng"]].map((value) => (value === "" || value === null ? Number.NaN : Number(value)));
  const hasPosition = latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return [...(location === "" ? [] : [`LOCATION:${escapeText(location)}`]), ...(hasPosition ? [`GEO:${latitude};${longitude}`] : [])];
}

/** RFC 5545 has one organizer, with an address: the first that has one. The others are contacts, by name. */
function formatOrganizers(organizers: readonly DataRecord[]): readonly string[] {
  const main = organizers.find((one) => /^[^\s@]+@[^\s@]+$/.test(decodeEntities(getText(one, "email"))));
  return organizers.map((one) => {
    const name = toPlainText(getText(one, "organizer"));
    return one === main
      ? `ORGANIZER;CN=${quoteParameter(name)}:mailto:${decodeEntities(getText(one, "email"))}`
      : `CONTACT:${escapeText(name)}`;
  });
}

function formatNames(property: string, records: readonly DataRecord[]): readonly string[] {
  const names = records.map((one) => toPlainText(getText(one, "name"))).filter((name) => name !== "");
  return names.length === 0 ? [] : [`${property}:${names.map(escapeText).join(",")}`];
}

function formatUri(property: string, text: string): readonly string[] {
  const address = decodeEntities(text);
  return URL.canParse(address) ? [`${property}:${new URL(address).href}`] : [];
}

/** A VTIMEZONE: the clock at the beginning of the first year, and one observance for each kind of change, with all its dates. */
function formatZone(zone: string): readonly string[] {
  const begin = Temporal.ZonedDateTime.from({ year: firstYear, month: 1, day: 1, timeZone: zone });
  const kinds = new Map<string, { readonly from: number; readonly to: number; readonly dates: string[] }>();
  let before = begin;
  for (let next = begin.getTimeZoneTransition("next"); next !== null && next.year <= lastYear; next = next.getTimeZoneTransition("next")) {
    const [from, to] = [before.offsetNanoseconds / 1e9, next.offsetNanoseconds / 1e9];
    // An observance begins at the wall time before the change.
    const wall = next.toInstant().toZonedDateTimeISO(formatOffset(from, ":")).toPlainDateTime();
    const key = `${from} ${to}`;
    const kind = kinds.get(key) ?? { from, to, dates: [] };
    kinds.set(key, kind);
    kind.dates.push(compact(wall.toString({ smallestUnit: "second" })));
    before = next;
  }
  const offset = begin.offsetNanoseconds / 1e9;
  const first = { from: offset, to: offset, dates: [`${firstYear}0101T000000`] };
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${zone}`,
    ...[first, ...kinds.values()].flatMap(({ from, to, dates: [start = "", ...others] }) => {
      const name = to > from ? "DAYLIGHT" : "STANDARD";
      return [
        `BEGIN:${name}`,
        `DTSTART:${start}`,
        `TZOFFSETFROM:${formatOffset(from)}`,
        `TZOFFSETTO:${formatOffset(to)}`,
        ...(others.length === 0 ? [] : [`RDATE:${others.join(",")}`]),
        `END:${name}`,
      ];
    }),
    "END:VTIMEZONE",
  ];
}

/** `+0530` of seconds; seconds of an offset are left out, as no zone has had them since 1972. */
function formatOffset(seconds: number, separator = ""): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}

/** `2027-01-16 20:00:00` as `20270116T200000`. */
function compact(wall: string): string {
  return wall.replaceAll(/[-:]/g, "").replace(" ", "T");
}

function formatUtc(wall: string): string | undefined {
  return /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(wall) ? `${compact(wall)}Z` : undefined;
}

function formatEpoch(epoch: number | undefined): string | undefined {
  return epoch === undefined ? undefined : `${compact(new Date(epoch).toISOString().slice(0, 19))}Z`;
}

function toRecords(value: unknown): readonly DataRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

/** HTML as plain text with its paragraphs. */
function toParagraphs(html: string): string {
  const marked = replaceTags(html, (tag) => (/^<(?:br|\/p|\/div|\/h\d|\/li|\/tr)\b/i.test(tag) ? "\n" : ""));
  return decodeEntities(marked)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A text value (RFC 5545, 3.3.11). Control characters other than the line end can't be written. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

/** A parameter value in quotes, which can't hold a quote (RFC 5545, 3.2). */
function quoteParameter(text: string): string {
  return `"${text.replace(/["\u0000-\u001f\u007f]/g, "'")}"`;
}

/** Lines that end in CRLF, folded so that none has more than 75 octets, between whole characters (RFC 5545, 3.1). */
function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line;
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > 75) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += length;
  }
  return folded;
}
