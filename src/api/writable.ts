// What would have to be sent to write back a field that was read: the inverse of how servers return records.
import { decodeEntities } from "../http/entities.ts";
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerProfile } from "../spec/server-kinds.ts";
import { toAsciiUrl } from "./address.ts";
import { type DataRecord, idOf, isRecord, valueToText } from "./record.ts";
import type { Input } from "./request.ts";

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
export function pickFieldsLostOnUpdate(resource: Resource, record: DataRecord, kind: ServerProfile): Input {
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
