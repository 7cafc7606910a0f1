// What a server answered, read tolerantly: a list in any of its envelopes, a record in or out of one.
import { type DataRecord, isRecord, parseCount } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { decodeEntities, toPlainText } from "../text.ts";
import { outcomeHint, unknownOutcomeMessage } from "./problems.ts";
import { type ApiReply, type ApiRequest, decodeSlug } from "./request.ts";

/** One page of a list. Totals are absent where the server tells none. */
export interface Page {
  readonly records: readonly DataRecord[];
  readonly total?: number;
  readonly totalPages?: number;
}

/**
 * Reads a list: a bare array, an envelope with the resource's name (or `items`, `data`, `results`), totals in the body or in headers.
 * `{}` is what a fault answers with, too: it is an empty list only where the total is 0, or on a later page, whose list was readable before.
 */
export function parsePage(resource: Resource, reply: ApiReply, page = 1): Page {
  const totals = parseTotals(reply);
  return { records: parseRecords(resource, reply.value, page > 1 || totals.total === 0), ...totals };
}

/** What an answer tells of the whole list. */
export function parseTotals({ value, headers }: ApiReply): Omit<Page, "records"> {
  const envelope = isRecord(value) ? value : {};
  const total = parseCount(envelope["total"]) ?? parseCount(headers["x-tec-total"]) ?? parseCount(headers["x-wp-total"]);
  const pages = parseCount(envelope["total_pages"]) ?? parseCount(headers["x-tec-totalpages"]) ?? parseCount(headers["x-wp-totalpages"]);
  return { ...(total === undefined ? {} : { total }), ...(pages === undefined ? {} : { totalPages: pages }) };
}

function parseRecords(resource: Resource, value: unknown, mayBeEmpty: boolean): readonly DataRecord[] {
  if (Array.isArray(value)) return value.map((item) => requireRecord(resource, item));
  if (isRecord(value)) {
    const list = [resource.name, "items", "data", "results"]
      .map((key) => value[key])
      .find((item) => typeof item === "object" && item !== null);
    if (Array.isArray(list)) return list.map((item) => requireRecord(resource, item));
    // An empty list as `{}`, or a list keyed by number: both are how PHP encodes arrays.
    if (isRecord(list)) return Object.values(list).map((item) => requireRecord(resource, item));
    if (resource.name in value && isEmptyListValue(value[resource.name])) return [];
    if (list === undefined && Object.keys(value).every((key) => /^\d+$/.test(key)) && (mayBeEmpty || !isEmptyRecord(value)))
      return Object.values(value).map((item) => requireRecord(resource, item));
  }
  throw unreadableReplyError(`is no list of ${resource.name}`);
}

/**
 * Reads one record: bare, in an envelope of its singular or plural name, or as a list of one. `write` is the request, where it was one:
 * a write is done also where the answer says nothing, a read is not.
 */
export function parseRecord(resource: Resource, reply: ApiReply, write?: ApiRequest): DataRecord {
  const { value: whole } = reply;
  const value: unknown = Array.isArray(whole) && whole.length === 1 ? whole[0] : whole;
  if (!isRecord(value) || (write === undefined && isEmptyRecord(value))) throw unreadableReplyError(`is no ${resource.singular}`, write);
  if ("id" in value) return value;
  for (const key of [resource.singular, resource.name, "data"]) {
    const inner = value[key];
    if (isRecord(inner) && "id" in inner) return inner;
  }
  return value;
}

function requireRecord(resource: Resource, value: unknown): DataRecord {
  if (isRecord(value)) return value;
  throw unreadableReplyError(`holds something that is no ${resource.singular}: ${stringifyExact(value).slice(0, 60)}`);
}

function isEmptyRecord(value: DataRecord): boolean {
  return Object.keys(value).length === 0;
}

function isEmptyListValue(value: unknown): boolean {
  return value === null || value === false || value === "";
}

function unreadableReplyError(what: string, write?: ApiRequest): CalError {
  const asItCame = "see it as it came: cal api GET <path>; is the namespace right? cal config get namespace";
  return new CalError("unavailable", `the server's answer ${what}${write === undefined ? "" : unknownOutcomeMessage}`, {
    code: "unreadable-answer",
    hint: write === undefined ? asItCame : outcomeHint(write),
  });
}

// What is left of a text when a server has rendered it: words, numbers, letters. Formatting is taken off both sides before they are compared.

/** Letters, digits and pictures only: what rendering, typographic quotes, tags, shortcodes and white space leave alone. */
export function normalizeWords(text: string): string {
  const bare = toPlainText(decodeEntities(text).replace(/\[\/?[a-z][^\]]*\]/gi, " ")).normalize("NFKC");
  // "2x4" is set as "2×4".
  return bare
    .replaceAll("×", "x")
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, "")
    .toLowerCase();
}

const embedTagPattern = /<(audio|button|canvas|embed|form|iframe|img|input|object|script|source|style|svg|video)\b/gi;

/** Whether something is gone that is no word and that no rendering takes away: a backslash, or what a page embeds. Comments are taken away. */
export function hasLostMarkup(sent: string, kept: string): boolean {
  const bare = decodeEntities(sent).replace(/<!--.*?-->/gs, "");
  const slashes = (text: string): number => text.split("\\").length;
  const embedded = (text: string): Set<string> => new Set(text.match(embedTagPattern)?.map((tag) => tag.toLowerCase()));
  const left = embedded(kept);
  return slashes(bare) > slashes(decodeEntities(kept)) || [...embedded(bare)].some((tag) => !left.has(tag));
}

/** The letters and digits of a slug without their accents, however it is encoded. */
export function normalizeSlugLetters(value: unknown): string {
  return decodeSlug(valueToText(value))
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

/** Whether a price holds the same numbers, in any currency and form; nothing to pay may be told in a word (`Free`). */
export function hasSamePrices(sent: unknown, kept: unknown): boolean {
  const [left, right] = [parseNumbers(sent), parseNumbers(kept)];
  if (right.length === 0 && left.every((number) => number === 0))
    return left.length === 0 ? normalizeWords(valueToText(sent)) === normalizeWords(valueToText(kept)) : valueToText(kept) !== "";
  return left.join() === right.join();
}

/** Whether what stands beside the numbers of a price, as its currency does, came through. Numbers alone are in the currency of the site. */
export function hasSameCurrency(sent: unknown, kept: unknown): boolean {
  const text = valueToText(kept).toLowerCase();
  const signs =
    valueToText(sent)
      .toLowerCase()
      .match(/\p{Sc}|\p{L}+/gu) ?? [];
  return parseNumbers(kept).length === 0 || signs.every((sign) => text.includes(sign));
}

function parseNumbers(value: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => valueToText(item).match(/\d+(?:[.,]\d+)*/g) ?? []).map((text) => Number(text.replaceAll(",", "")));
}
