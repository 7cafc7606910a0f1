// How WordPress reads and renders values: texts, and dates and booleans as PHP reads them.
import { decompose } from "../entry.ts";
import type { Entry } from "../store.ts";
import { formatUtcTime, parseUtcTime } from "../time.ts";

export function isPhpTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|1)$/i.test(value));
}

/** A title: `&` and quotes become typographic entities; tags stay. */
export function renderTitle(text: string): string {
  return text
    .replace(/&(?!#?\w+;)/g, "&#038;")
    .replaceAll("...", "&#8230;")
    .replaceAll(" -- ", " &#8212; ")
    .replace(/(^|[\s([{<>])"/g, "$1&#8220;")
    .replaceAll('"', "&#8221;")
    .replace(/(^|[\s([{<>])'/g, "$1&#8216;")
    .replaceAll("'", "&#8217;");
}

/** The name of a term: tags are removed, `&` and the like become entities. */
export function renderTermName(text: string): string {
  return stripTags(text)
    .replace(/&(?!#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

export function stripTags(text: string): string {
  return text.replace(/<\/?[a-z!][^<>]*>/gi, "").trim();
}

/** As the database compares texts: without case and accents. */
export function foldText(text: string): string {
  return decompose(text).replace(/\p{M}/gu, "").toLowerCase().trimEnd();
}

/** Whether the post has the date `0000-00-00 00:00:00` in UTC: a draft whose `date_utc` was never sent. */
export function isWithoutUtcDate({ status, fields }: Entry): boolean {
  return (status === "draft" || status === "pending") && fields["has_utc_date"] !== true;
}

/** Recorded: the site removes one backslash of each from the texts of posts, which nobody has added. */
export function removeBackslashes(text: string): string {
  return text.replace(/\\(.?)/gs, "$1");
}

/** Without percent-encoded characters. */
export function stripEscapes(text: string): string {
  return text.replace(/%[a-f\d]{2}/gi, "");
}

/** Without the tags that only users with the right `unfiltered_html` may write; what is between them stays. */
export function stripUnsafeTags(text: string): string {
  return text.replace(/<\/?(?:script|iframe|style)\b[^<>]*>/gi, "");
}

/** The line of a form: without tags, line ends and percent-encoded characters. */
export function sanitizeTextField(text: string): string {
  const bare = stripEscapes(text.replace(/<\/?[a-z!][^<>]*>/gi, "").replaceAll("<", "&lt;"));
  return bare.replace(/[\r\n\t ]+/g, " ").trim();
}

/** A description: text without blocks of its own gets paragraphs, and quotes outside of tags become typographic. */
export function renderDescription(text: string): string {
  if (text.trim() === "") return "";
  const blocks = /<(p|ul|ol|div|h[1-6]|table|blockquote|pre)\b/i.test(text);
  const html = blocks
    ? text
    : text
        .trim()
        .split(/\n{2,}/)
        .map((part) => `<p>${part.replaceAll("\n", "<br />\n")}</p>`)
        .join("\n");
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => (part.startsWith("<") ? part : renderTitle(part)))
    .join("");
}

/** The wall-clock text, and the UTC text where the date named an offset from UTC. */
interface ParsedDate {
  readonly wall: string;
  readonly utc?: string;
}

const relativeDays: Readonly<Record<string, number>> = { now: 0, today: 0, tomorrow: 1, yesterday: -1 };
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const unitMilliseconds: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/**
 * Reads a date as PHP does, as far as it was recorded: in several forms, days that roll over, words, seconds since 1970. `now` is the
 * wall-clock time that words are relative to. Undefined where the text is no date, or the first moment of 1970, which PHP takes for none.
 */
export function parseDate(text: string, now: string): ParsedDate | undefined {
  const trimmed = text.trim();
  const read = parseAbsoluteDate(trimmed) ?? parseRelativeDate(trimmed.toLowerCase(), now);
  return read === undefined || read.wall === "" || read.wall === "1970-01-01 00:00:00" ? undefined : read;
}

const timePattern = String.raw`(?:[T ]+(\d{1,2})(?::(\d\d))?(?::(\d\d))?(?:\.\d+)? ?(am|pm)?)?`;
const offsetPattern = String.raw`(?: ?(Z|[+-]\d\d:?\d\d))?`;
const dateFormats: readonly { readonly pattern: RegExp; readonly order: readonly [number, number, number] }[] = [
  { pattern: new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${timePattern}${offsetPattern}$`, "i"), order: [1, 2, 3] },
  { pattern: new RegExp(`^(\\d{1,2})/(\\d{1,2})/(\\d{4})${timePattern}${offsetPattern}$`, "i"), order: [3, 1, 2] },
  { pattern: new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${timePattern}${offsetPattern}$`, "i"), order: [3, 2, 1] },
];

function parseAbsoluteDate(text: string): ParsedDate | undefined {
  if (/^\d{1,11}$/.test(text)) return { wall: formatUtcTime(Number(text) * 1000) };
  for (const { pattern, order } of dateFormats) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [year = 0, month = 0, day = 0] = order.map((group) => Number(match[group]));
    if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
    const wall = formatUtcTime(Date.UTC(year, month - 1, day, parseHour(match), Number(match[5] ?? 0), Number(match[6] ?? 0)));
    const distance = match[8];
    return distance === undefined ? { wall } : { wall, utc: formatUtcTime(parseUtcTime(wall) - parseOffsetMinutes(distance) * 60_000) };
  }
  return undefined;
}

function parseHour(match: RegExpExecArray): number {
  const half = match[7]?.toLowerCase();
  const hour = Number(match[4] ?? 0);
  return half === undefined ? hour : (hour % 12) + (half === "pm" ? 12 : 0);
}

function parseOffsetMinutes(distance: string): number {
  if (distance.toUpperCase() === "Z") return 0;
  const [, sign, hour, minute] = /^([+-])(\d\d):?(\d\d)$/.exec(distance) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hour) * 60 + Number(minute));
}

function parseRelativeDate(text: string, now: string): ParsedDate | undefined {
  const midnight = parseUtcTime(`${now.slice(0, 10)} 00:00:00`);
  const step = /^([+-]?\d{1,6}) (minute|hour|day|week)s?$/.exec(text);
  if (step?.[2] !== undefined) return { wall: formatUtcTime(parseUtcTime(now) + Number(step[1]) * (unitMilliseconds[step[2]] ?? 0)) };
  const next = weekdays.indexOf(/^next ([a-z]+)$/.exec(text)?.[1] ?? "");
  if (next >= 0) return { wall: formatUtcTime(midnight + (((next - new Date(midnight).getUTCDay() + 6) % 7) + 1) * 86_400_000) };
  const [word = "", ...rest] = text.split(" ");
  if (!Object.hasOwn(relativeDays, word)) return undefined;
  if (word === "now") return { wall: now };
  const date = formatUtcTime(midnight + (relativeDays[word] ?? 0) * 86_400_000).slice(0, 10);
  return rest.length === 0 ? { wall: `${date} 00:00:00` } : parseAbsoluteDate(`${date} ${rest.join(" ")}`);
}
