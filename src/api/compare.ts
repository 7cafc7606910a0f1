// Whether a server kept what it was sent, knowing what servers reformat: entities, quotes, prices, rendered text, slugs, links.
import { decodeEntities } from "../http/entities.ts";
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerProfile } from "../spec/server-kinds.ts";
import { decodeSlug, toAsciiUrl } from "./address.ts";
import { type DataRecord, idOf, isRecord, valueToText } from "./record.ts";
import { hasLostMarkup, hasSameCurrency, hasSamePrices, normalizeSlugLetters, normalizeWords } from "./rendered.ts";
import type { Input } from "./request.ts";
import { toList, toWritableValue } from "./writable.ts";

/** A field that the answer shows otherwise than it was sent. */
export interface Difference {
  readonly field: string;
  readonly sentValue: unknown;
  /** Undefined where the answer does not hold the field. */
  readonly returnedValue: unknown;
}

/** Compares what was sent with the record that was answered. Fields that were emptied and are absent count as kept. */
export function findDifferences(resource: Resource, sent: Input, answer: DataRecord, kind: ServerProfile): readonly Difference[] {
  return resource.fields.flatMap((field) => {
    const value = sent[field.name];
    if (value === undefined || isInlineData(value) || isValueStored(field, value, answer, kind)) return [];
    return [{ field: field.name, sentValue: value, returnedValue: answer[field.name] }];
  });
}

/** Whether two values of a field mean the same: given, and as `writableValue` reads it. The order of links counts. */
export function isSameValue(field: Field, given: unknown, current: unknown, kind: ServerProfile): boolean {
  if (current === undefined) return isEmptyValue(given);
  if (field.type === "integers") return toStringList(given).join() === toStringList(current).join();
  if (field.name === "slug") return decodeSlug(valueToText(given)) === decodeSlug(valueToText(current));
  if (field.format === "date-time")
    return normalizeDateTime(given) !== undefined && normalizeDateTime(given) === normalizeDateTime(current);
  const [left, right] = [valueToText(given), valueToText(current)];
  const read = (text: string) => (field.format === "url" ? toAsciiUrl(decodeEntities(text)) : decodeEntities(text));
  return left === right || (kind.rendersText && read(left) === read(right));
}

/** `2027-01-10T10:00` and `2027-01-10 10:00:00` are the same time of a wall clock; undefined for other forms, and where a zone is told with it. */
export function normalizeDateTime(value: unknown): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/.exec(valueToText(value).trim()) ?? [];
  return day === undefined ? undefined : `${day} ${(time ?? "00:00:00").padEnd(8, ":00")}`;
}

function isValueStored(field: Field, sent: unknown, answer: DataRecord, kind: ServerProfile): boolean {
  const kept = toWritableValue(field, answer, kind);
  if (field.type === "integers") return areLinksStored(toStringList(sent), answer[field.name]);
  if (field.format === "date-time") return isDateStored(field, sent, answer);
  if (field.name === "image" && !/^\d*$/.test(valueToText(sent))) return kept !== undefined;
  // An empty zone is the site's.
  if (field.format === "time-zone" && sent === "") return true;
  return isSameValue(field, sent, kept ?? answer[field.name], kind) || isRenderedTextStored(field, sent, kept);
}

/** Texts that servers render: what matters is that the words and the numbers came through. */
function isRenderedTextStored(field: Field, sent: unknown, kept: unknown): boolean {
  if (isEmptyValue(sent) && isEmptyValue(kept ?? "")) return field.name !== "cost" || sent === "";
  if (field.name === "cost") return hasSamePrices(sent, kept) && hasSameCurrency(sent, kept);
  if (field.name === "slug") return normalizeSlugLetters(sent) === normalizeSlugLetters(kept);
  if (field.format === "url") return decodeEntities(valueToText(sent)) === decodeEntities(valueToText(kept));
  if (typeof sent !== "string" || typeof kept !== "string") return false;
  const isText = field.format === "html" || (field.type === "string" && field.format === undefined);
  return isText && normalizeWords(kept) === normalizeWords(sent) && !hasLostMarkup(sent, kept);
}

/** Links come back as ids or as objects; what was sent may be a name or a slug. Their order is the server's. */
function areLinksStored(sent: readonly string[], answered: unknown): boolean {
  const links = toList(answered).map((item) => (isRecord(item) ? item : { id: item }));
  const isLink = (text: string, link: DataRecord) =>
    idOf(link) === text ||
    (!/^\d+$/.test(text) &&
      Object.values(link).some((value) => typeof value === "string" && normalizeWords(value) === normalizeWords(text)));
  return sent.length === links.length && sent.every((text) => links.some((link) => isLink(text, link)));
}

/** A date in words, in the forms of a country or with a zone can't be judged. An event that lasts all day keeps its days only. */
function isDateStored(field: Field, sent: unknown, answer: DataRecord): boolean {
  const inUtc = /Z$/.test(valueToText(sent));
  const kept = normalizeDateTime(answer[inUtc ? `utc_${field.name}` : field.name]);
  const text = normalizeDateTime(valueToText(sent).replace(/Z$/, ""));
  if (text === undefined || kept === undefined) return isEmptyValue(answer[field.name] ?? "") ? isEmptyValue(sent) : true;
  // Drafts don't tell their date in UTC.
  if (kept.startsWith("0000-")) return true;
  const wholeDays = answer["all_day"] === true && /^(start|end)_/.test(field.name);
  return wholeDays ? text.slice(0, 10) === kept.slice(0, 10) : text === kept;
}

function isInlineData(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some(isRecord));
}

function isEmptyValue(value: unknown): boolean {
  return value === "" || value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}

function toStringList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(valueToText);
  if (isEmptyValue(value) || value === "0") return [];
  return valueToText(value)
    .split(",")
    .map((part) => part.trim());
}
