// What an update sends, so that nothing is lost, and whether the server stored what it was sent.
import { type DataRecord, idOf, isRecord } from "../data-record.ts";
import { decodeEntities, toPlainText } from "../html-text.ts";
import { valueToText } from "../http/json.ts";
import { type Field, getGivenFields, type Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { normalizeText } from "../text.ts";
import { type PricePlan, planPrice, toSentPrice } from "./price.ts";
import type { RawRecord } from "./raw-record.ts";
import { normalizeDateTime } from "./reply.ts";
import { decodeSlug, type Input, type UpdateMethod } from "./request.ts";

export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A record as it was read for a write: as the interface shows it and, where this user may see it, as the site stores it. */
export interface CurrentRecord {
  readonly record: DataRecord;
  readonly raw?: RawRecord | undefined;
}

/** Nothing is to be sent where `changes` is empty. */
export interface UpdatePlan {
  readonly changes: readonly FieldChange[];
  readonly body: Input;
  /** How the price is kept; absent where it is given, or where nothing is to be kept. */
  readonly price?: PricePlan | undefined;
}

/** Two names of one value: where one is changed, the old value of the other must not be sent with it. */
const fieldAliases: Readonly<Record<string, string>> = { date: "date_utc", date_utc: "date" };

/** Compares the input with the record as it was read. The body also has the fields that the server would otherwise reset. */
export function planUpdate(
  resource: Resource,
  current: CurrentRecord,
  input: Input,
  profile: ServerProfile,
  method: UpdateMethod,
): UpdatePlan {
  const { record, raw } = current;
  const changes = getGivenFields(resource, input).flatMap((field) => {
    const to = input[field.name];
    const stored = raw?.values[field.name];
    const from = stored ?? toWritableValue(field, record, profile);
    // Where the stored value can't be read back, equality proves nothing.
    const isOpaque = field.name === "cost" || (field.format === "html" && stored === undefined);
    const isSame = field.format === "html" ? to === stored : isSameValue(field, to, from, profile);
    return !isOpaque && isSame ? [] : [{ field: field.name, from, to }];
  });
  const lost = profile.lostOnUpdate[resource.name];
  const unclearable = profile.cannotClear[resource.name] ?? {};
  const isLost = (name: string) => lost?.includes(name) ?? method === "PUT";
  const price = profile.rendersText && isLost("cost") && input["cost"] === undefined ? planPrice(record, raw) : undefined;
  const preserved = resource.fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    const { name } = field;
    if (!isLost(name) || input[fieldAliases[name] ?? ""] !== undefined) return [];
    if (name === "cost" && price !== undefined) return [[name, price.cost]];
    const value = raw?.values[name] ?? toWritableValue(field, record, profile);
    // An empty value that such a server refuses can't be lost.
    return value === undefined || (isClearingValue(value) && name in unclearable) ? [] : [[name, value]];
  });
  const values = { ...Object.fromEntries(preserved), ...input };
  return { changes, body: buildWriteBody(resource, values, profile, idOf(record)), price };
}

/**
 * The links that a PUT must not send by itself: the interface does not have them, and a strict server refuses fields that it does not know.
 * They are sent where the server's own documentation names them. `readDocument` reads `{ns}/doc` (section 4.1); it is called only where the
 * record has such links. Those that a PUT may lose are in `lost`; of the others the record has none.
 */
export async function findUndocumentedLinks(
  resource: Resource,
  current: DataRecord,
  input: Input,
  readDocument: () => Promise<unknown>,
): Promise<{ readonly unsent: readonly string[]; readonly lost: readonly string[] }> {
  const links = resource.fields
    .filter(({ name, nonStandard }) => nonStandard === true && input[name] === undefined)
    .map(({ name }) => name);
  const linked = links.filter((name) => toList(current[name]).length > 0);
  const documented = linked.length === 0 ? new Set() : findWriteParameters(resource, await readDocument().catch(() => undefined));
  const unsent = links.filter((name) => !linked.includes(name) || !documented.has(name));
  return { unsent, lost: unsent.filter((name) => linked.includes(name)) };
}

/** The names in an OpenAPI document of what can be sent to the paths of a resource, in parameters and in bodies, with the schemas that these refer to. */
function findWriteParameters({ name: resource }: Resource, document: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visited = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    const { name, properties, $ref: reference, ...parts }: DataRecord = { ...value };
    if (typeof name === "string") found.add(name.replace(/\[\]$/, ""));
    if (isRecord(properties)) for (const key of Object.keys(properties)) found.add(key);
    if (typeof reference === "string" && reference.startsWith("#/"))
      visit(
        reference
          .slice(2)
          .split("/")
          .reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), document),
      );
    Object.values(parts).forEach(visit);
  };
  const paths = isRecord(document) && isRecord(document["paths"]) ? Object.entries(document["paths"]) : [];
  for (const [path, operations] of paths) {
    if (!isRecord(operations) || !new RegExp(`/${resource}(?:/|$)`).test(path)) continue;
    for (const method of ["post", "put", "patch"]) {
      const { parameters, requestBody } = isRecord(operations[method]) ? operations[method] : {};
      visit([parameters, requestBody]);
    }
  }
  return found;
}

/** The body of a create or an update in the forms that the server takes. `id` is the record's, where it is known; it is not in the body. */
export function buildWriteBody(resource: Resource, input: Input, profile: ServerProfile, id: string | undefined): Input {
  const scalars = profile.scalarFields[resource.name] ?? [];
  const clearMethods = profile.clearMethods[resource.name] ?? {};
  const entries = getGivenFields(resource, input).flatMap(({ name, format }): (readonly [string, unknown])[] => {
    const value = input[name];
    const clearMethod = isClearingValue(value) ? clearMethods[name] : undefined;
    if (clearMethod !== undefined) return clearMethod === "own-id" && id !== undefined ? [[name, toExactId(id)]] : [];
    if (name === "cost" && profile.rendersText) return [[name, toSentPrice(value)]];
    if (format === "url" && profile.rendersText && typeof value === "string") return [[name, toAsciiUrl(value)]];
    return [[name, scalars.includes(name) && Array.isArray(value) && value.length === 1 ? value[0] : value]];
  });
  return Object.fromEntries(entries);
}

/** The same web address in ASCII: a site that runs The Events Calendar may return one with other letters, but refuses to be sent one. */
function toAsciiUrl(text: string): string {
  return /[^\x21-\x7e]/.test(text) && URL.canParse(text) ? new URL(text).href : text;
}

/** The value that empties a field of this type. */
export function getEmptyValue(field: Field): unknown {
  const empty: Readonly<Record<Field["type"], unknown>> = { string: "", any: "", integers: [], integer: 0, boolean: false };
  return field.format === "flag-string" ? "false" : empty[field.type];
}

/** Whether a value in the input empties its field. */
export function isClearingValue(value: unknown): boolean {
  return value === "" || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}

/** All fields of the record that can be written, as they would be sent. */
export function toWritableRecord(resource: Resource, { record, raw }: CurrentRecord, profile: ServerProfile): Input {
  const entries = resource.fields.map((field) => {
    return [field.name, raw?.values[field.name] ?? toWritableValue(field, record, profile)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The value of one field as it would be sent: the inverse of how servers return it. Undefined where there is nothing to send. */
export function toWritableValue(field: Field, record: DataRecord, profile: ServerProfile): unknown {
  const value = record[field.name];
  if (value === undefined || value === null) return undefined;
  if (field.name === "image") {
    // `false` is no image; the interface types the id as a string.
    if (isRecord(value)) return idOf(value);
    return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
  }
  if (field.refersTo !== undefined && field.type === "integers") return parseIds(value);
  if (field.type === "integer") return typeof value === "string" && /^\d+$/.test(value) ? toExactId(value) : value;
  if (field.format === "flag-string") return valueToText(value);
  // The date of an event that was never published.
  if (field.format === "date-time" && valueToText(value).startsWith("0000-")) return undefined;
  if (typeof value !== "string" || !profile.rendersText) return value;
  if (field.name === "cost") {
    // Such a site returns 0 as a word (`Free`), and the number in the details.
    const details = record["cost_details"];
    const numbers = isRecord(details) ? details["values"] : undefined;
    if (Array.isArray(numbers) && numbers.map(valueToText).join() === "0") return "0";
  }
  if (field.format === "url") return value === record["url"] ? undefined : toAsciiUrl(decodeEntities(value));
  return decodeEntities(value);
}

/** Linked records as a list. Servers return them as ids, as objects, as one object, keyed by number, or as an empty value. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isRecord(value) && idOf(value) === undefined) return Object.values(value);
  return value === undefined || value === null || value === false || value === "" || value === 0 ? [] : [value];
}

function parseIds(value: unknown): readonly (number | string)[] {
  return toList(value).flatMap((item) => {
    const id = isRecord(item) ? (idOf(item) ?? "") : Array.isArray(item) ? "" : String(item);
    return !/^\d+$/.test(id) || id === "0" ? [] : [toExactId(id)];
  });
}

/** An id as a JSON number, or as its digits where a number can't hold it. */
export function toExactId(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

/** A field that the answer returns with another value than was sent. */
interface Difference {
  readonly field: string;
  readonly sentValue: unknown;
  /** Undefined where the answer does not have the field. */
  readonly returnedValue: unknown;
}

/** Compares what was sent with the record in the answer. Servers reformat entities, quotes, prices, rendered text, slugs and links. */
export function findDifferences(resource: Resource, sent: Input, answer: DataRecord, profile: ServerProfile): readonly Difference[] {
  return getGivenFields(resource, sent).flatMap((field) => {
    const value = sent[field.name];
    const isInlineData = isRecord(value) || (Array.isArray(value) && value.some(isRecord));
    if (isInlineData || isValueStored(field, value, answer, profile)) return [];
    return [{ field: field.name, sentValue: value, returnedValue: answer[field.name] }];
  });
}

function isValueStored(field: Field, sent: unknown, answer: DataRecord, profile: ServerProfile): boolean {
  if (field.type === "integers") return areLinksStored(toStringList(sent), answer[field.name]);
  if (field.format === "date-time") return isDateStored(field, sent, answer);
  const returned = toWritableValue(field, answer, profile);
  if (field.name === "image" && !/^\d*$/.test(valueToText(sent))) return returned !== undefined;
  // An empty zone is that of the site.
  if (field.format === "time-zone" && sent === "") return true;
  if (field.format === "url" && isSameUrl(valueToText(sent), valueToText(returned ?? answer[field.name]))) return true;
  return isSameValue(field, sent, returned ?? answer[field.name], profile) || isRenderedTextStored(field, sent, returned);
}

/** Servers tidy an address: entities, the case of the host, a slash after it, and the encoding of characters. */
function isSameUrl(sent: string, returned: string): boolean {
  const normalize = (text: string) => {
    const address = toAsciiUrl(decodeEntities(text).trim());
    const { href } = new URL(address);
    try {
      return decodeURIComponent(href).replace(/\/$/, "");
    } catch {
      return href;
    }
  };
  return URL.canParse(sent.trim()) && URL.canParse(returned.trim()) && normalize(sent) === normalize(returned);
}

/** Whether an input and the value of `toWritableValue` mean the same. The order of links counts. */
export function isSameValue(field: Field, input: unknown, current: unknown, profile: ServerProfile): boolean {
  if (current === undefined) return isEmptyValue(input);
  if (field.type === "integers") return toStringList(input).join() === toStringList(current).join();
  const [left, right] = [valueToText(input), valueToText(current)];
  if (field.name === "slug") return decodeSlug(left) === decodeSlug(right);
  if (field.format === "date-time") return normalizeDateTime(left) !== undefined && normalizeDateTime(left) === normalizeDateTime(right);
  const decode = (text: string) => (field.format === "url" ? toAsciiUrl(decodeEntities(text)) : decodeEntities(text));
  return left === right || (profile.rendersText && decode(left) === decode(right));
}

/** Links are returned as ids or as objects, in the server's order; a name or a slug may have been sent. */
function areLinksStored(sent: readonly string[], returned: unknown): boolean {
  const links = toList(returned).map((item) => (isRecord(item) ? item : { id: item }));
  const isLink = (text: string, link: DataRecord) =>
    idOf(link) === text ||
    (!/^\d+$/.test(text) &&
      Object.values(link).some((value) => typeof value === "string" && normalizeWords(value) === normalizeWords(text)));
  return sent.length === links.length && sent.every((text) => links.some((link) => isLink(text, link)));
}

/** A date in words, in a national format or with a zone can't be compared, and counts as stored. Of an all-day event only the days are stored. */
function isDateStored(field: Field, sent: unknown, answer: DataRecord): boolean {
  const isUtc = /Z$/.test(valueToText(sent));
  const returned = normalizeDateTime(answer[isUtc ? `utc_${field.name}` : field.name]);
  const text = normalizeDateTime(valueToText(sent).replace(/Z$/, ""));
  if (text === undefined || returned === undefined) return isEmptyValue(answer[field.name] ?? "") ? isEmptyValue(sent) : true;
  // A draft has no date in UTC.
  if (returned.startsWith("0000-")) return true;
  const daysOnly = answer["all_day"] === true && /^(start|end)_/.test(field.name);
  return daysOnly ? text.slice(0, 10) === returned.slice(0, 10) : text === returned;
}

/** Of a text that the server renders, the words and the numbers must be the same. */
function isRenderedTextStored(field: Field, sent: unknown, returned: unknown): boolean {
  if (isEmptyValue(sent) && isEmptyValue(returned ?? "")) return field.name !== "cost" || sent === "";
  if (field.name === "cost") return isPriceStored(sent, returned);
  if (field.name === "slug") return normalizeSlugLetters(sent) === normalizeSlugLetters(returned);
  if (field.format === "url") return decodeEntities(valueToText(sent)) === decodeEntities(valueToText(returned));
  if (typeof sent !== "string" || typeof returned !== "string") return false;
  const isText = field.format === "html" || (field.type === "string" && field.format === undefined);
  return isText && normalizeWords(returned) === normalizeWords(sent) && !hasLostMarkup(sent, returned);
}

/** Letters, digits and emoji only: rendering, typographic quotes, tags, shortcodes and white space do not change them. */
function normalizeWords(text: string): string {
  const plain = normalizeText(toPlainText(decodeEntities(text).replace(/\[\/?[a-z][^\]]*\]/gi, " ")), "NFKC");
  // "2x4" is rendered as "2×4".
  return plain
    .replaceAll("×", "x")
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, "")
    .toLowerCase();
}

const embedTagPattern = /<(audio|button|canvas|embed|form|iframe|img|input|object|script|source|style|svg|video)\b/gi;

/** Whether the answer lacks what is no word and what rendering does not change: a backslash or an embedded element. Comments may be removed. */
function hasLostMarkup(sent: string, returned: string): boolean {
  const text = decodeEntities(sent).replace(/<!--.*?-->/gs, "");
  const countBackslashes = (one: string): number => one.split("\\").length;
  const findEmbedTags = (one: string): readonly string[] => one.match(embedTagPattern)?.map((tag) => tag.toLowerCase()) ?? [];
  const tags = new Set(findEmbedTags(returned));
  return countBackslashes(text) > countBackslashes(decodeEntities(returned)) || findEmbedTags(text).some((tag) => !tags.has(tag));
}

/** The letters and digits of a slug without their accents, with or without percent-encoding. */
function normalizeSlugLetters(value: unknown): string {
  return normalizeText(decodeSlug(valueToText(value)), "NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

/** The same numbers in any format, and the currency if one was sent; numbers alone are in the site's currency. 0 may be returned as a word. */
function isPriceStored(sent: unknown, returned: unknown): boolean {
  const [numbers, returnedNumbers] = [parseNumbers(sent), parseNumbers(returned)];
  const text = valueToText(returned).toLowerCase();
  if (returnedNumbers.length === 0) {
    if (numbers.length === 0) return normalizeWords(valueToText(sent)) === normalizeWords(valueToText(returned));
    return numbers.every((number) => number === 0) && text !== "";
  }
  const signs =
    valueToText(sent)
      .toLowerCase()
      .match(/\p{Sc}|\p{L}+/gu) ?? [];
  return numbers.join() === returnedNumbers.join() && signs.every((sign) => text.includes(sign));
}

function parseNumbers(value: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => valueToText(item).match(/\d+(?:[.,]\d+)*/g) ?? []).map((text) => Number(text.replaceAll(",", "")));
}

function isEmptyValue(value: unknown): boolean {
  return value === false || isClearingValue(value);
}

function toStringList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(valueToText);
  if (isEmptyValue(value) || value === "0") return [];
  return valueToText(value)
    .split(",")
    .map((part) => part.trim());
}
