// What would have to be sent to write back a field that was read: the inverse of how servers return records.
import { decodeEntities } from "../http/entities.ts";
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerKind } from "../spec/server-kinds.ts";
import { asciiUrl } from "./address.ts";
import { type DataRecord, idOf, isRecord, plain } from "./record.ts";
import type { Input } from "./request.ts";

/** The value of one field as it would be sent, or undefined where the record does not hold it or nothing is to be sent for it. */
export function writableValue(field: Field, record: DataRecord, kind: ServerKind): unknown {
  const value = record[field.name];
  if (value === undefined || value === null) return undefined;
  if (field.name === "image") return imageValue(value);
  if (field.refersTo !== undefined && field.type === "integers") return idsOf(value);
  if (field.type === "integer") return integerOf(value);
  if (field.format === "flag-string") return plain(value);
  // What was never published has such a date.
  if (field.format === "date-time" && plain(value).startsWith("0000-")) return undefined;
  if (typeof value !== "string" || !kind.rendersText) return value;
  if (field.name === "cost" && isNothing(record["cost_details"])) return "0";
  if (field.format === "url") return value === record["url"] ? undefined : asciiUrl(decodeEntities(value));
  return decodeEntities(value);
}

/** All fields of the record that can be written, for a PUT of the whole record. */
export function writableRecord(resource: Resource, record: DataRecord, kind: ServerKind): Input {
  return pick(resource, record, kind, () => true);
}

/** The fields that an update of this kind of server would lose unless they are sent along. */
export function carriedRecord(resource: Resource, record: DataRecord, kind: ServerKind): Input {
  const lost = kind.lostOnUpdate[resource.name] ?? [];
  return pick(resource, record, kind, (field) => lost.includes(field.name));
}

function pick(resource: Resource, record: DataRecord, kind: ServerKind, wanted: (field: Field) => boolean): Input {
  return Object.fromEntries(
    resource.fields.filter(wanted).flatMap((field) => {
      const value = writableValue(field, record, kind);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Whether a price is 0, which such a site tells in a word (`Free`) and, apart, as what it is. */
function isNothing(details: unknown): boolean {
  return isRecord(details) && Array.isArray(details["values"]) && details["values"].map(plain).join() === "0";
}

/** Linked records as a list, returned as ids, as objects, as one object, keyed by number, or as nothing of any kind. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isRecord(value) && idOf(value) === undefined) return Object.values(value);
  return value === undefined || value === null || value === false || value === "" || value === 0 ? [] : [value];
}

function idsOf(value: unknown): readonly (number | string)[] {
  return listOf(value).flatMap((item) => {
    const id = isRecord(item)
      ? idOf(item)
      : typeof item === "number" || typeof item === "bigint" || typeof item === "string"
        ? String(item)
        : undefined;
    return id === undefined || !/^\d+$/.test(id) || id === "0" ? [] : [exactId(id)];
  });
}

/** An id as a JSON number, or as its digits where a number can't hold it. */
export function exactId(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

function integerOf(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? exactId(value) : value;
}

/** `false` is none; an object is told by its id, as the string that the interface types it as. */
function imageValue(value: unknown): string | undefined {
  if (isRecord(value)) return idOf(value);
  return typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : undefined;
}
