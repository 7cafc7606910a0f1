// Checking parameters against the tables of the interface: types, formats and links, all faults at once.
import type { Field, FieldFormat, FieldType } from "../../spec/field.ts";
import { items, type Params } from "../parameters.ts";
import type { Fault } from "../problems.ts";
import type { Data } from "../store/memory.ts";
import type { Value } from "../store/tables.ts";
import { urlOf } from "../wire.ts";
import { instant, isZone } from "../zone.ts";

/** What was read, and what could not be. */
export interface Checked {
  readonly values: Readonly<Record<string, Value>>;
  readonly faults: Readonly<Record<string, Fault>>;
}

/** Post statuses that may be written or asked for (not shown in the interface). */
const statuses: readonly string[] = ["publish", "draft", "pending", "private", "future"];

const integer = /^-?\d{1,15}$/;

/** JSON keeps its types; in a query or a form everything is text. */
const readers: Readonly<Record<FieldType, (raw: unknown, typed: boolean) => Value | undefined>> = {
  string: (raw) => (typeof raw === "string" ? raw : undefined),
  integer: whole,
  boolean: (raw, typed) => {
    if (typed) return typeof raw === "boolean" ? raw : undefined;
    return raw === "true" || raw === "1" ? true : raw === "false" || raw === "0" ? false : undefined;
  },
  integers: (raw, typed) => {
    if (typed && !Array.isArray(raw)) return undefined;
    const numbers = raw === "" ? [] : items(raw).map((item) => whole(item, typed));
    return numbers.every((number) => number !== undefined) ? numbers : undefined;
  },
  any: (raw) => (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean" ? raw : undefined),
};

function whole(raw: unknown, typed: boolean): number | undefined {
  if (typed) return typeof raw === "number" && Number.isSafeInteger(raw) ? raw : undefined;
  return typeof raw === "string" && integer.test(raw) ? Number(raw) : undefined;
}

const anything = { test: () => true, wanted: "text" };

const formats: Readonly<Record<FieldFormat, { readonly test: (value: string) => boolean; readonly wanted: string }>> = {
  "date-time": { test: (value) => !Number.isNaN(instant(value)), wanted: "a date-time in the form YYYY-MM-DD HH:MM:SS" },
  "time-zone": { test: isZone, wanted: "a time zone" },
  "flag-string": { test: (value) => ["true", "false", "1", "0", ""].includes(value), wanted: '"true" or "false"' },
  html: anything,
  url: { test: (value) => value === "" || /^https?:$/.test(urlOf(value)?.protocol ?? ""), wanted: "a URL" },
  email: anything,
  image: anything,
  number: anything,
  status: { test: (value) => value.split(",").every((one) => statuses.includes(one)), wanted: `one of ${statuses.join(", ")}` },
};

const typeNames: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "integer",
  boolean: "boolean",
  integers: "array of integer",
  any: "string, number or boolean",
};

/** Reads the parameters that the fields name. `links` refuses ids of records that don't exist: for bodies, not for filters. */
export function check(fields: readonly Field[], params: Params, typed: boolean, links?: Data): Checked {
  const values: Record<string, Value> = {};
  const faults: Record<string, Fault> = {};
  for (const field of fields) {
    if (!Object.hasOwn(params, field.name)) continue;
    const value = readers[field.type](params[field.name], typed);
    const fault = value === undefined ? wrongType(field) : faultOf(field, value, links);
    if (fault !== undefined) faults[field.name] = fault;
    else if (value !== undefined) values[field.name] = value;
  }
  return { values, faults };
}

function wrongType({ name, type }: Field): Fault {
  return { message: `${name} is not of type ${typeNames[type]}.`, code: "rest_invalid_type", data: { param: name } };
}

function faultOf(field: Field, value: Value, links: Data | undefined): Fault | undefined {
  const { name, format, required, refersTo } = field;
  if (required && value === "") return { message: `${name} must not be empty.` };
  if (format !== undefined && !formats[format].test(String(value))) return { message: `${name} is not ${formats[format].wanted}.` };
  if (links === undefined || refersTo === undefined) return undefined;
  const wanted = typeof value === "object" ? value : [Number(value)];
  const unknown = wanted.filter((id) => links.find(refersTo, id) === undefined);
  // No parent is 0.
  if (unknown.length === 0 || (field.type === "integer" && value === 0)) return undefined;
  return { message: `${name} names ${refersTo} that do not exist: ${unknown.join(", ")}.` };
}
