// Small tolerant readers of what a server sent: the shapes of replies are "not shown" in the interface.
import type { DataRecord } from "../data-record.ts";
import { stringifyExact } from "../http/json-text.ts";

export { type DataRecord, isRecord } from "../data-record.ts";

/** The record's id as text: an integer of any size, or a string of digits. Undefined where there is none. */
export function idOf(record: DataRecord): string | undefined {
  const id = record["id"];
  if (typeof id === "number" || typeof id === "bigint") return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Any JSON value as text: scalars as they are, "" for nothing, the rest as JSON (`String` fails where an object has a key `toString`). */
export function valueToText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? stringifyExact(value) : String(value);
}

/** A text of the record, or "". */
export function getText(record: DataRecord, key: string): string {
  const value = record[key];
  return typeof value === "string" ? value : "";
}

/** A count as servers send it: a number, or digits in a string or a header. */
export function parseCount(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
