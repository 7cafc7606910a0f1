// One value of a field as it was typed or read from data, turned into the JSON that the interface's type asks for.
import { isRecord } from "../../../api/record.ts";
import { toExactId } from "../../../api/writable.ts";
import { stringifyExact } from "../../../http/json-text.ts";
import type { Field } from "../../../spec/field.ts";

/** A value that is right, or what is wrong with it. */
export type ValueParseResult = { readonly value: unknown } | { readonly problem: string };

/** The value that empties a field of this type. */
export function getEmptyValue(field: Field): unknown {
  const empty: Readonly<Record<Field["type"], unknown>> = { string: "", any: "", integers: [], integer: 0, boolean: false };
  return field.format === "flag-string" ? "false" : empty[field.type];
}

/** Reads a text from a flag or from `--set`. Names of linked records stay texts; they are looked up later. */
export function parseTextValue(field: Field, text: string): ValueParseResult {
  if (field.type === "integers") return { value: field.refersTo === undefined ? text.split(",").map((part) => part.trim()) : [text] };
  if (field.type === "integer") {
    if (/^\d+$/.test(text)) return { value: toExactId(text) };
    return field.refersTo === undefined ? { problem: `takes a whole number, not ${JSON.stringify(text)}` } : { value: text };
  }
  if (field.type === "boolean" || field.format === "flag-string") {
    const flag = parseBoolean(text);
    if (flag === undefined) return { problem: `takes true or false, not ${JSON.stringify(text)}` };
    return { value: field.type === "boolean" ? flag : String(flag) };
  }
  return { value: text };
}

/** Reads a value of `--data` or `--set-json`. Null empties the field. */
export function parseJsonValue(field: Field, value: unknown): ValueParseResult {
  if (value === null) return { value: getEmptyValue(field) };
  if (typeof value === "bigint") return parseTextValue(field, String(value));
  if (field.type === "integers") return parseLinkValues(field, Array.isArray(value) ? value : [value]);
  if (field.type === "any") return { value };
  if (typeof value === "string") return parseTextValue(field, value);
  if (field.type === "boolean")
    return typeof value === "boolean" ? { value } : { problem: `takes true or false, not ${stringifyExact(value)}` };
  if (field.format === "flag-string" && typeof value === "boolean") return { value: String(value) };
  if (typeof value === "number") return field.type === "string" ? { value: String(value) } : parseTextValue(field, String(value));
  return { problem: `takes ${field.type === "string" ? "a text" : "a whole number"}, not ${stringifyExact(value)}` };
}

/** Ids, refs, and, for the links of the interface's own table, inline data (section 2: "ID(s) or data"). */
function parseLinkValues(field: Field, items: readonly unknown[]): ValueParseResult {
  const isLink = (item: unknown) =>
    typeof item === "string" ||
    typeof item === "bigint" ||
    (typeof item === "number" && Number.isSafeInteger(item) && item >= 0) ||
    (isRecord(item) && field.nonStandard !== true);
  const bad = items.find((item) => !isLink(item));
  if (bad !== undefined)
    return { problem: `takes ids${field.nonStandard === true ? " or names" : ", names or objects"}, not ${stringifyExact(bad)}` };
  return { value: items.map((item) => (typeof item === "bigint" ? String(item) : item)) };
}

/** The words for yes and no. */
function parseBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : undefined;
}
