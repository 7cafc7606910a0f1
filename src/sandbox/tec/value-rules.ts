// The small checks of a WordPress site, from which rules.ts makes its tables.
import type { ResourceName } from "../../model/resource.ts";
import { formatUtcTime, isTimeZone, parseUtcTime, slugify, toWallTime } from "../entry.ts";
import { type ParameterError, parseUrl } from "../http.ts";
import { toList } from "../parameters.ts";
import { getUtcNow, type Site } from "../site.ts";
import type { StoreReader, User } from "../store.ts";

/** What a rule may look at beside the value. */
export interface ValidationContext {
  readonly data: StoreReader;
  readonly site: Site;
  readonly user: User | undefined;
}

/** A rule for a value; undefined is fine. */
export type ValidationRule = (value: unknown, scene: ValidationContext, name: string) => ParameterError | undefined;

const invalidParameter: ParameterError = { message: "Invalid parameter." };

/** "x is not of type y." */
export function createTypeError(name: string, type: string): ParameterError {
  const message = `${name} is not of type ${type}.`;
  return { message, code: "rest_invalid_type", data: { param: name } };
}

/** A rule that says no more than "Invalid parameter." */
export function createRule(test: (value: unknown, scene: ValidationContext) => boolean): ValidationRule {
  return (value, scene) => (test(value, scene) ? undefined : invalidParameter);
}

/** Texts that PHP takes for false are no names. */
export const nameRule = createRule((value) => typeof value === "string" && value.trim() !== "" && value !== "0");
/** Text that is not empty: such fields can't be cleared. */
export const nonEmptyTextRule = createRule((value) => typeof value === "string" && value !== "");
/** A time zone, or "" for the site's. */
export const timeZoneRule = createRule((value) => value === "" || (typeof value === "string" && isTimeZone(value)));
/** The id of a user. */
export const userIdRule = createRule((value, { data }) => /^\d+$/.test(String(value)) && data.find("users", String(value)) !== undefined);
/** An address in ASCII, or "" for none. */
export const urlRule = createRule(
  (value) =>
    value === "" ||
    (typeof value === "string" && /^[!-~]+$/.test(value) && /^[a-z][a-z+.-]*:\/\/[^/]/i.test(value) && parseUrl(value) !== undefined),
);
/** A post status that may be written. */
export const statusRule = createRule(
  (value) => typeof value === "string" && ["publish", "draft", "pending", "private", "future", "trash"].includes(value),
);
/** `2.0` is a whole number, as recorded. */
export const positiveIntegerRule = createRule((value) => /^\d+(\.0+)?$/.test(String(value)) && Number(value) >= 1);

/** Text, of which null is told as a wrong type and everything else as invalid: as recorded. */
export const textRule: ValidationRule = (value, _scene, name) =>
  typeof value === "string" ? undefined : value === null ? createTypeError(name, "string") : invalidParameter;
/** Text, of which everything else is told as a wrong type. */
export const strictTextRule: ValidationRule = (value, _scene, name) =>
  typeof value === "string" ? undefined : createTypeError(name, "string");

/** A boolean, or a word or number for one. */
export const booleanRule: ValidationRule = (value, _scene, name) =>
  [true, false, 1, 0].some((one) => one === value) || (typeof value === "string" && /^(true|false|1|0)$/i.test(value))
    ? undefined
    : createTypeError(name, "boolean");

/** A date that PHP can read. */
export const dateRule: ValidationRule = (value, { site }, name) => {
  if (typeof value === "number") return createTypeError(name, "string");
  return typeof value === "string" && parseDate(value, getUtcNow(site)) !== undefined ? undefined : invalidParameter;
};

/** A picture by id, which must be text, or by an address that the site can fetch: its own ones. */
export const imageRule: ValidationRule = (value, { data, site }, name) => {
  if (value === null) return createTypeError(name, "string");
  const known = data.find("pictures", String(value)) !== undefined;
  if (known) return typeof value === "string" ? undefined : createTypeError(name, "string");
  const address = `${site.origin}/wp-content/uploads/`;
  return typeof value === "string" && data.all("pictures").some((picture) => value === address + picture.name)
    ? undefined
    : invalidParameter;
};

/** A picture, or "" for none. */
export const optionalImageRule: ValidationRule = (value, scene, name) => (value === "" ? undefined : imageRule(value, scene, name));

/** Whether a value is the id of a record. */
export function isRecordId(data: StoreReader, resource: ResourceName, value: unknown): boolean {
  return /^\d+$/.test(String(value)) && data.find(resource, Number(value)) !== undefined;
}

/** A rule for one id. */
export const createIdRule = (resource: ResourceName): ValidationRule => createRule((value, { data }) => isRecordId(data, resource, value));

/** A rule for ids, of which none may be unknown. */
export const createIdListRule = (resource: ResourceName): ValidationRule =>
  createRule((value, { data }) => toList(value).every((item) => isRecordId(data, resource, item)));

/** The ids of terms that are given by slug, id or name, in this order: as recorded for filters. Undefined for an unknown one. */
export function findTermIds(data: StoreReader, resource: "categories" | "tags", value: unknown): readonly (number | undefined)[] {
  return toList(value).map((item) => {
    const wanted = String(item);
    const terms = data.all(resource);
    const bySlug = terms.find(({ slug }) => slug !== "" && (slug === wanted || slug === slugify(wanted)) && slug.length > 0);
    const named = terms.find(
      ({ fields }) =>
        String(fields["name"]).toLowerCase() === wanted.toLowerCase() || renderTermName(String(fields["name"])) === renderTitle(wanted),
    );
    return bySlug?.id ?? (isRecordId(data, resource, wanted) ? Number(wanted) : named?.id);
  });
}

/** A rule for terms by id, slug or name, of which none may be unknown. */
export const createTermListRule = (resource: "categories" | "tags"): ValidationRule =>
  createRule((value, { data }) => findTermIds(data, resource, value).every((id) => id !== undefined));

// Texts as WordPress gives them out: typographic, entity-encoded, in paragraphs.

/** A title: `&` and quotes become entities, typographic ones; tags stay. */
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

/** The name of a term: tags are taken out, `&` and the like become entities. */
export function renderTermName(text: string): string {
  return stripTags(text)
    .replace(/&(?!#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

/** Text without tags. */
export function stripTags(text: string): string {
  return text.replace(/<\/?[a-z!][^>]*>/gi, "").trim();
}

/** A line of a form: without tags, line ends and what looks like a percent-encoded letter. */
export function sanitizeTextField(text: string): string {
  const bare = text
    .replace(/<\/?[a-z!][^>]*>/gi, "")
    .replaceAll("<", "&lt;")
    .replace(/%[a-f\d]{2}/gi, "");
  return bare.replace(/[\r\n\t ]+/g, " ").trim();
}

/** A description, rendered: paragraphs are made where the text has no blocks of its own, and quotes outside of tags are typographic. */
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
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith("<") ? part : renderTitle(part)))
    .join("");
}

// Dates as PHP reads them, as far as it was recorded: more than one form, days that roll over, words, seconds since 1970.

/** A date that was read: its wall-clock text, and the UTC text where it named a distance from UTC. */
interface ParsedDate {
  readonly wall: string;
  readonly utc?: string;
}

const relativeDays: Readonly<Record<string, number>> = { now: 0, today: 0, tomorrow: 1, yesterday: -1 };
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const unitMilliseconds: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** Reads a date; `now` is the wall-clock time that words start from. Undefined where it is none, or the first moment of 1970, which PHP takes for none. */
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

/** The day (`YYYY-MM-DD`) that a list filter's date means. Recorded: a date that names its zone is taken on its UTC day. */
export function getFilterDay(date: ParsedDate): string {
  return (date.utc ?? date.wall).slice(0, 10);
}

/** What `strict_dates` makes of a date: recorded, a time without a zone is taken for UTC and put on the site's clock. */
export function toStrictWallTime(date: ParsedDate, siteZone: string): string {
  return toWallTime(date.utc ?? date.wall, siteZone);
}
