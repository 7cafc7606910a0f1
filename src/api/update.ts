// What an update sends, so that nothing is lost: the changes alone, or with what the server would otherwise reset.

import { type DataRecord, idOf, isRecord } from "../data-record.ts";
import { valueToText } from "../http/json.ts";
import type { Field, Resource } from "../model/resource.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { decodeEntities } from "../text.ts";
import { hasLostMarkup, hasSameCurrency, hasSamePrices, normalizeSlugLetters, normalizeWords } from "./reply.ts";
import { buildBody, decodeSlug, type Input, toAsciiUrl, type UpdateMethod } from "./request.ts";

/** One field that the update changes. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A planned update: nothing to send where `changes` is empty. */
interface UpdatePlan {
  readonly changes: readonly FieldChange[];
  readonly body: Input;
}

/** Two names of one thing: who sends one must not send the other's old value along. */
const fieldAliases: Readonly<Record<string, string>> = { date: "date_utc", date_utc: "date" };

/** Fields whose stored value can't be read back, so that equality proves nothing. */
function isOpaque(field: Field): boolean {
  return field.format === "html" || field.name === "cost";
}

/** Lays what the user gave over the record as it was read. */
export function planUpdate(resource: Resource, current: DataRecord, given: Input, kind: ServerProfile, method: UpdateMethod): UpdatePlan {
  const changes = resource.fields.flatMap((field) => {
    const to = given[field.name];
    if (to === undefined) return [];
    const from = toWritableValue(field, current, kind);
    return !isOpaque(field) && isSameValue(field, to, from, kind) ? [] : [{ field: field.name, from, to }];
  });
  const partial = kind.lostOnUpdate[resource.name] === undefined;
  const kept = !partial
    ? pickFieldsLostOnUpdate(resource, current, kind)
    : method === "PUT"
      ? toWritableRecord(resource, current, kind)
      : {};
  // What such a server refuses to be sent empty needs no keeping where it is empty.
  const unclearable = kind.cannotClear[resource.name] ?? {};
  const others = Object.entries(kept).filter(
    ([name, value]) => given[fieldAliases[name] ?? ""] === undefined && !(isClearingValue(value) && name in unclearable),
  );
  return { changes, body: buildWriteBody(resource, { ...Object.fromEntries(others), ...given }, kind, idOf(current)) };
}

/** The body of a write, with the fields that this kind of server empties in a way of its own; `id` is the record's, where it has one that is known. */
export function buildWriteBody(resource: Resource, values: Input, kind: ServerProfile, id: string | undefined): Input {
  const result: Record<string, unknown> = { ...values };
  for (const [name, how] of Object.entries(kind.clearMethods[resource.name] ?? {})) {
    if (!isClearingValue(result[name])) continue;
    if (how === "own-id" && id !== undefined) result[name] = toExactId(id);
    else delete result[name];
  }
  return buildBody(resource, result, kind);
}

/** Whether a given value empties its field. */
export function isClearingValue(value: unknown): boolean {
  return value === "" || value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}

// What would have to be sent to write back a field that was read: the inverse of how servers return records.

/** The value of one field as it would be sent, or undefined where the record does not hold it or nothing is to be sent for it. */
export function toWritableValue(field: Field, record: DataRecord, kind: ServerProfile): unknown {
  const value = record[field.name];
  if (value === undefined || value === null) return undefined;
  if (field.name === "image") return toImageValue(value);
  if (field.refersTo !== undefined && field.type === "integers") return parseIds(value);
  if (field.type === "integer") return parseInteger(value);
  if (field.format === "flag-string") return valueToText(value);
  // What was never published has such a date.
  if (field.format === "date-time" && valueToText(value).startsWith("0000-")) return undefined;
  if (typeof value !== "string" || !kind.rendersText) return value;
  if (field.name === "cost" && isZeroCost(record["cost_details"])) return "0";
  if (field.format === "url") return value === record["url"] ? undefined : toAsciiUrl(decodeEntities(value));
  return decodeEntities(value);
}

/** All fields of the record that can be written, for a PUT of the whole record. */
export function toWritableRecord(resource: Resource, record: DataRecord, kind: ServerProfile): Input {
  return pickWritableFields(resource, record, kind, () => true);
}

/** The fields that an update of this kind of server would lose unless they are sent along. */
function pickFieldsLostOnUpdate(resource: Resource, record: DataRecord, kind: ServerProfile): Input {
  const lost = kind.lostOnUpdate[resource.name] ?? [];
  return pickWritableFields(resource, record, kind, (field) => lost.includes(field.name));
}

function pickWritableFields(resource: Resource, record: DataRecord, kind: ServerProfile, wanted: (field: Field) => boolean): Input {
  return Object.fromEntries(
    resource.fields.filter(wanted).flatMap((field) => {
      const value = toWritableValue(field, record, kind);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether a price is 0, which such a site tells in a word (`Free`) and, apart, as what it is. */
function isZeroCost(details: unknown): boolean {
  return isRecord(details) && Array.isArray(details["values"]) && details["values"].map(valueToText).join() === "0";
}

/** Linked records as a list, returned as ids, as objects, as one object, keyed by number, or as nothing of any kind. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isRecord(value) && idOf(value) === undefined) return Object.values(value);
  return value === undefined || value === null || value === false || value === "" || value === 0 ? [] : [value];
}

function parseIds(value: unknown): readonly (number | string)[] {
  return toList(value).flatMap((item) => {
    const id = isRecord(item)
      ? idOf(item)
      : typeof item === "number" || typeof item === "bigint" || typeof item === "string"
        ? String(item)
        : undefined;
    return id === undefined || !/^\d+$/.test(id) || id === "0" ? [] : [toExactId(id)];
  });
}

/** An id as a JSON number, or as its digits where a number can't hold it. */
export function toExactId(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

function parseInteger(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? toExactId(value) : value;
}

/** `false` is none; an object is told by its id, as the string that the interface types it as. */
function toImageValue(value: unknown): string | undefined {
  if (isRecord(value)) return idOf(value);
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
}

// Whether a server kept what it was sent, knowing what servers reformat: entities, quotes, prices, rendered text, slugs, links.

/** A field that the answer shows otherwise than it was sent. */
interface Difference {
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
function isSameValue(field: Field, given: unknown, current: unknown, kind: ServerProfile): boolean {
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
