// Reads lists and records from replies, in any of the envelopes that servers use, and the times in records.
import { type DataRecord, isRecord, parseCount } from "../data-record.ts";
import { CalError } from "../errors.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { outcomeHint, unknownOutcomeMessage } from "./problems.ts";
import type { ApiReply, ApiRequest } from "./request.ts";

/** One page of a list. Totals are absent where the server sends none. */
export interface Page {
  readonly records: readonly DataRecord[];
  readonly total?: number;
  readonly totalPages?: number;
  /** The filters that the server says it used, its defaults included: the query of the `rest_url` in the answer. Absent where it does not say. */
  readonly appliedFilters?: URLSearchParams;
}

/** Reads a list. `{}` may also be the answer of a fault: it is an empty list only where the total is 0, or after the first page. */
export function parsePage(resource: Resource, reply: ApiReply, page = 1): Page {
  const totals = parseTotals(reply);
  const items = findListItems(resource, reply.value, page > 1 || totals.total === 0);
  if (items === undefined) throw unreadableReplyError(`is not a list of ${resource.name}`);
  const records = items.map((item) => {
    if (isRecord(item)) return item;
    throw unreadableReplyError(`holds an entry that is not a record: ${stringifyExact(item).slice(0, 60)}`);
  });
  const appliedFilters = parseAppliedFilters(reply.value);
  return { records, ...totals, ...(appliedFilters && { appliedFilters }) };
}

function parseAppliedFilters(value: unknown): URLSearchParams | undefined {
  const address = isRecord(value) ? value["rest_url"] : undefined;
  return typeof address === "string" && URL.canParse(address) ? new URL(address).searchParams : undefined;
}

/** Totals of the whole list, in the body or in headers. */
export function parseTotals({ value, headers }: ApiReply): Pick<Page, "total" | "totalPages"> {
  const envelope = isRecord(value) ? value : {};
  const total = parseCount(envelope["total"]) ?? parseCount(headers["x-tec-total"]) ?? parseCount(headers["x-wp-total"]);
  const pages = parseCount(envelope["total_pages"]) ?? parseCount(headers["x-tec-totalpages"]) ?? parseCount(headers["x-wp-totalpages"]);
  return { ...(total === undefined ? {} : { total }), ...(pages === undefined ? {} : { totalPages: pages }) };
}

/** A bare array, or an envelope with the resource's name or another; undefined for anything else. */
function findListItems(resource: Resource, value: unknown, mayBeEmpty: boolean): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const list = [resource.name, "items", "data", "results"]
    .map((key) => value[key])
    .find((item) => typeof item === "object" && item !== null);
  if (Array.isArray(list)) return list;
  // PHP encodes an empty list as `{}`, and other lists as objects with numeric keys.
  if (isRecord(list)) return Object.values(list);
  const inEnvelope = value[resource.name];
  if (inEnvelope === null || inEnvelope === false || inEnvelope === "") return [];
  const keys = Object.keys(value);
  return keys.every((key) => /^\d+$/.test(key)) && (mayBeEmpty || keys.length > 0) ? Object.values(value) : undefined;
}

/**
 * Reads one record: bare, in an envelope of its singular or plural name, or as a list of one. `write` is the request, where it was a write:
 * that may be answered with an empty object, a read may not.
 */
export function parseRecord(resource: Resource, reply: ApiReply, write?: ApiRequest): DataRecord {
  const value: unknown = Array.isArray(reply.value) && reply.value.length === 1 ? reply.value[0] : reply.value;
  if (!isRecord(value) || (write === undefined && Object.keys(value).length === 0))
    throw unreadableReplyError(`holds no ${resource.singular}`, write);
  if ("id" in value) return value;
  const inner = [resource.singular, resource.name, "data"].map((key) => value[key]);
  return inner.filter(isRecord).find((record) => "id" in record) ?? value;
}

function unreadableReplyError(what: string, write?: ApiRequest): CalError {
  const readHint = [
    { text: "see the raw answer", command: "cal api GET <path>" },
    { text: "is the namespace right?", command: "cal config get namespace" },
  ];
  return new CalError("unavailable", `the server's answer ${what}${write === undefined ? "" : unknownOutcomeMessage}`, {
    code: "unreadable-answer",
    hint: write === undefined ? readHint : outcomeHint(write),
  });
}

/** `2027-01-10T10:00` and `2027-01-10 10:00:00` are the same wall clock time; undefined for other forms, and for a time with a zone. */
export function normalizeDateTime(value: unknown): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?)?$/.exec(valueToText(value).trim()) ?? [];
  return day === undefined ? undefined : `${day} ${(time ?? "00:00:00").padEnd(8, ":00")}`;
}
