// What a server answered, read tolerantly: a list in any of its envelopes, a record in or out of one.
import { type DataRecord, isRecord, parseCount } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { outcomeHint, unknownOutcomeMessage } from "./problems.ts";
import type { ApiReply, ApiRequest } from "./request.ts";

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
