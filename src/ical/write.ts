// Events as iCalendar (RFC 5545, with IMAGE of RFC 7986). The same data gives the same bytes: nothing is taken from the clock of this machine.
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { Temporal } from "../dates/temporal.ts";
import { epochToWall, findZone, isUniqueWall, shiftDays, wallToEpoch } from "../dates/zone.ts";
import { decodeEntities, replaceTags, toPlainText } from "../html-text.ts";

/** The transitions of a zone are written from the first year to the last. An event of other years has its times in UTC. */
const firstYear = 2000;
const lastYear = 2037;

interface CalendarOptions {
  /** The host of the site: the UID of event 7 is `7@<host>`. */
  readonly host: string;
  /** Called for an event without a start that can be read: RFC 5545 has no such event, so it is left out. */
  readonly onUnreadable: (record: DataRecord) => void;
}

/** A zone in which times are written. */
interface CalendarZone {
  /** The name in the file. */
  readonly id: string;
  /** The name for the engine: an IANA name, or `+HH:MM`. */
  readonly name: string;
}

/** A calendar in chunks, as events arrive. The VTIMEZONE of a zone stands before the first event that uses it. */
export async function* formatCalendar(
  batches: AsyncIterable<readonly DataRecord[]>,
  { host, onUnreadable }: CalendarOptions,
): AsyncGenerator<string> {
  yield toLines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cal//cal//EN", "CALSCALE:GREGORIAN"]);
  const written = new Set<string>();
  for await (const records of batches) {
    const lines: string[] = [];
    for (const record of records) {
      const zone = findUsedZone(record);
      const dates = formatDates(record, zone);
      if (dates === undefined) onUnreadable(record);
      else {
        if (zone !== undefined && !written.has(zone.id)) lines.push(...formatZone(zone));
        if (zone !== undefined) written.add(zone.id);
        lines.push(...formatEvent(record, dates, host));
      }
    }
    if (lines.length > 0) yield toLines(lines);
  }
  yield toLines(["END:VCALENDAR"]);
}

/** The zone of an event that needs a VTIMEZONE. Undefined for all-day events, for UTC, and where the times are written in UTC. */
function findUsedZone(record: DataRecord): CalendarZone | undefined {
  if (record["all_day"] === true) return undefined;
  const text = getText(record, "timezone");
  const name = findZone(text)?.name;
  if (name === undefined || name === "UTC") return undefined;
  const years = ["start_date", "end_date"].map((key) => getText(record, key).slice(0, 4)).filter((year) => year !== "");
  if (years.some((year) => Number(year) <= firstYear || Number(year) > lastYear)) return undefined;
  // The name of an offset stays as the site has it, without the colon: a parameter has none.
  return { id: /^[+-]/.test(name) ? text.replace(":", "") : name, name };
}

function formatEvent(record: DataRecord, dates: readonly string[], host: string): readonly string[] {
  const modified = [getText(record, "modified_utc"), getText(record, "date_utc"), "1970-01-01 00:00:00"]
    .map((wall) => wallToEpoch(wall, "UTC"))
    .find((epoch) => epoch !== undefined);
  const description = getText(record, "description");
  const venues = toRecords(record["venue"]);
  const status = getText(record, "status");
  const image = isRecord(record["image"]) ? getText(record["image"], "url") : getText(record, "image");
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(`${idOf(record) ?? ""}@${host}`)}`,
    `DTSTAMP:${formatUtc(modified ?? 0)}`,
    `LAST-MODIFIED:${formatUtc(modified ?? 0)}`,
    ...dates,
    `SUMMARY:${escapeText(toPlainText(getText(record, "title")))}`,
    ...(description === "" ? [] : [`DESCRIPTION:${escapeText(toParagraphs(description))}`]),
    ...(/[<&]/.test(description) ? [`X-ALT-DESC;FMTTYPE=text/html:${escapeText(description)}`] : []),
    ...formatPlaces(venues),
    ...formatOrganizers(toRecords(record["organizer"])),
    ...formatCategories(toRecords(record["categories"])),
    ...formatUri("URL", getText(record, "url")),
    ...formatUri("IMAGE;VALUE=URI", image),
    `STATUS:${status === "draft" || status === "pending" ? "TENTATIVE" : status === "trash" ? "CANCELLED" : "CONFIRMED"}`,
    ...(status === "private" ? ["CLASS:PRIVATE"] : []),
    "END:VEVENT",
  ];
}

/**
 * DTSTART and DTEND; undefined where the start can't be read. The end of an all-day event is the day after its last day (RFC 5545, 3.6.1). An
 * end that is not after the start is left out: RFC 5545 has none, and an event without an end ends when it starts.
 */
function formatDates(record: DataRecord, zone: CalendarZone | undefined): readonly string[] | undefined {
  if (record["all_day"] === true) {
    const [first, last] = ["start_date", "end_date"].map((key) => readDay(getText(record, key)));
    if (first === undefined) return undefined;
    const lastDay = last !== undefined && last > first ? last : first;
    // There is no day after the last one, and an event without an end lasts one day.
    const end = lastDay === "9999-12-31" ? [] : [`DTEND;VALUE=DATE:${compact(shiftDays(lastDay, 1))}`];
    return [`DTSTART;VALUE=DATE:${compact(first)}`, ...end];
  }
  const start = readTime(record, "start_date", zone);
  const end = readTime(record, "end_date", zone);
  if (start === undefined) return undefined;
  return [`DTSTART${start.value}`, ...(end === undefined || end.order <= start.order ? [] : [`DTEND${end.value}`])];
}

/** The day of a date, where there is such a day. */
function readDay(date: string): string | undefined {
  const day = date.slice(0, 10);
  return wallToEpoch(`${day} 00:00:00`, "UTC") === undefined ? undefined : day;
}

/** The parameters and the value of a time, and a number that orders the times of one event. */
function readTime(record: DataRecord, key: "start_date" | "end_date", zone: CalendarZone | undefined) {
  const wall = getText(record, key);
  const utc = wallToEpoch(getText(record, `utc_${key}`), "UTC");
  const local = zone === undefined ? undefined : wallToEpoch(wall, zone.name);
  // Programs read a wall time that occurs twice or never in different ways: it is written in UTC.
  if (zone !== undefined && local !== undefined && (utc === undefined || utc === local) && isUniqueWall(wall, local, zone.name))
    return { value: `;TZID=${zone.id}:${compact(wall)}`, order: local };
  const instant = utc ?? wallToEpoch(wall, getText(record, "timezone"));
  if (instant !== undefined) return { value: `:${formatUtc(instant)}`, order: instant };
  const floating = wallToEpoch(wall, "UTC");
  return floating === undefined ? undefined : { value: `:${compact(wall)}`, order: floating };
}

/** LOCATION, and GEO of the first venue that has coordinates. */
function formatPlaces(venues: readonly DataRecord[]): readonly string[] {
  const location = venues
    .map(formatAddress)
    .filter((text) => text !== "")
    .join("; ");
  const position = venues.map(readPosition).find((found) => found !== undefined);
  return [...(location === "" ? [] : [`LOCATION:${escapeText(location)}`]), ...(position === undefined ? [] : [`GEO:${position}`])];
}

/** The name and the address of a venue in one line. */
function formatAddress(venue: DataRecord): string {
  const text = (key: string) => toPlainText(getText(venue, key));
  const town = [text("zip"), text("city")].filter((part) => part !== "").join(" ");
  const state = text("stateprovince") || text("state") || text("province");
  return [text("venue"), text("address"), town, state, text("country")].filter((part) => part !== "").join(", ");
}

/** Latitude and longitude with the six decimals that RFC 5545 has. */
function readPosition(venue: DataRecord): string | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN] = ["geo_lat", "geo_lng"].map((key) => {
    const value = venue[key];
    return typeof value === "number" ? value : Number(getText(venue, key) || Number.NaN);
  });
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return [latitude, longitude].map((degrees) => Number(degrees.toFixed(6))).join(";");
}

const emailPattern = /^([\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+)@([\p{L}\p{N}.-]+)$/u;

/** RFC 5545 has one organizer, with an address: the first that has one. The others are contacts, by name. */
function formatOrganizers(organizers: readonly DataRecord[]): readonly string[] {
  const readEmail = (organizer: DataRecord) => emailPattern.exec(decodeEntities(getText(organizer, "email")));
  const main = organizers.find((one) => readEmail(one) !== null);
  return organizers.flatMap((one) => {
    const name = toPlainText(getText(one, "organizer"));
    const [, user = "", host = ""] = (one === main && readEmail(one)) || [];
    const address = `mailto:${encodeURIComponent(user).replaceAll("%2B", "+")}@${host}`;
    if (one === main) return [`ORGANIZER${name === "" ? "" : `;CN=${quoteParameter(name)}`}:${address}`];
    return name === "" ? [] : [`CONTACT:${escapeText(name)}`];
  });
}

function formatCategories(categories: readonly DataRecord[]): readonly string[] {
  const names = categories.map((one) => toPlainText(getText(one, "name"))).filter((name) => name !== "");
  return names.length === 0 ? [] : [`CATEGORIES:${names.map(escapeText).join(",")}`];
}

function formatUri(property: string, text: string): readonly string[] {
  const address = decodeEntities(text);
  return /^https?:/i.test(address) && URL.canParse(address) ? [`${property}:${new URL(address).href}`] : [];
}

/** A change of the clock, at the wall time before it. Offsets are in seconds. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly wall: Temporal.PlainDateTime;
}

/** Changes of following years with one rule: the same weekday of a week of a month. */
interface YearlyRule {
  readonly changes: Change[];
  /** Counted from the start of the month; -1 is the last one. */
  weeks: readonly number[];
}

/** A VTIMEZONE: the clock at the beginning of the first year, then its changes. */
function formatZone({ id, name }: CalendarZone): readonly string[] {
  const begin = Temporal.ZonedDateTime.from({ year: firstYear, month: 1, day: 1, timeZone: name });
  const rules: YearlyRule[] = [];
  let before = begin;
  for (let next = begin.getTimeZoneTransition("next"); next !== null && next.year <= lastYear; next = next.getTimeZoneTransition("next")) {
    const [from, to] = [before.offsetNanoseconds / 1e9, next.offsetNanoseconds / 1e9];
    addChange(rules, { from, to, wall: next.toInstant().toZonedDateTimeISO(formatOffset(from, ":")).toPlainDateTime() });
    before = next;
  }
  const offset = begin.offsetNanoseconds / 1e9;
  const atBegin = { from: offset, to: offset, wall: begin.toPlainDateTime() };
  return ["BEGIN:VTIMEZONE", `TZID:${id}`, ...formatObservance(atBegin), ...rules.flatMap(formatRule), "END:VTIMEZONE"];
}

/** Adds a change to the rule that it continues, else as a rule of its own. */
function addChange(rules: YearlyRule[], change: Change): void {
  const { from, to, wall } = change;
  const weeks = [Math.ceil(wall.day / 7), ...(wall.day + 7 > wall.daysInMonth ? [-1] : [])];
  const rule = rules.find(({ changes, weeks: known }) => {
    const last = changes.at(-1);
    return (
      last?.from === from &&
      last.to === to &&
      last.wall.year + 1 === wall.year &&
      last.wall.month === wall.month &&
      last.wall.dayOfWeek === wall.dayOfWeek &&
      last.wall.toPlainTime().equals(wall.toPlainTime()) &&
      known.some((week) => weeks.includes(week))
    );
  });
  if (rule === undefined) rules.push({ changes: [change], weeks });
  else {
    rule.changes.push(change);
    rule.weeks = rule.weeks.filter((week) => weeks.includes(week));
  }
}

/** One observance for a rule that holds in the last year, and goes on. Else one for each change: programs disagree about UNTIL and RDATE. */
function formatRule({ changes, weeks }: YearlyRule): readonly string[] {
  const [first] = changes;
  if (first === undefined || changes.length === 1 || changes.at(-1)?.wall.year !== lastYear)
    return changes.flatMap((one) => formatObservance(one));
  const { month, dayOfWeek } = first.wall;
  const day = `${weeks.at(-1)}${["MO", "TU", "WE", "TH", "FR", "SA", "SU"][dayOfWeek - 1]}`;
  return formatObservance(first, [`RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${day}`]);
}

function formatObservance({ from, to, wall }: Change, rule: readonly string[] = []): readonly string[] {
  const observance = to > from ? "DAYLIGHT" : "STANDARD";
  return [
    `BEGIN:${observance}`,
    `DTSTART:${compact(wall.toString({ smallestUnit: "second" }))}`,
    `TZOFFSETFROM:${formatOffset(from)}`,
    `TZOFFSETTO:${formatOffset(to)}`,
    ...rule,
    `END:${observance}`,
  ];
}

/** `+0530` of seconds. No zone has had seconds in its offset since 1972. */
function formatOffset(seconds: number, separator = ""): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}

/** `2027-01-16 20:00:00` as `20270116T200000`. */
function compact(wall: string): string {
  return wall.replaceAll(/[-:]/g, "").replace(" ", "T");
}

function formatUtc(epoch: number): string {
  return `${compact(epochToWall(epoch, "UTC") ?? "")}Z`;
}

function toRecords(value: unknown): readonly DataRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

/** HTML as plain text with its lines and paragraphs. A text without tags keeps its own lines. */
function toParagraphs(html: string): string {
  const source = /<[a-z]/i.test(html) ? html.replace(/\s+/g, " ") : html;
  const marked = replaceTags(source, (tag) => {
    if (/^<\/(?:p|div|h\d|ul|ol|table|blockquote)\b/i.test(tag)) return "\n\n";
    return /^<(?:br|\/li|\/tr|\/dt|\/dd)\b/i.test(tag) ? "\n" : "";
  });
  return decodeEntities(marked)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A text value (RFC 5545, 3.3.11). It can't hold control characters other than line ends. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, " ")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");
}

const parameterEscapes: Readonly<Record<string, string>> = { "^": "^^", '"': "^'" };

/** The value of a parameter, one line, in quotes (RFC 6868). */
function quoteParameter(text: string): string {
  return `"${text.replace(/[\^"]/g, (sign) => parameterEscapes[sign] ?? sign)}"`;
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
    const code = character.codePointAt(0) ?? 0;
    const length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + length > 75) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += length;
  }
  return folded;
}
