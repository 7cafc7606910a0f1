// Checking parameters against the tables of the interface: types, formats and links, all faults at once.
import type { Field, FieldFormat, FieldType } from "../../spec/field.ts";
import { type Params, toList } from "../parameters.ts";
import type { ParameterError } from "../problems.ts";
import type { StoreReader } from "../store/memory.ts";
import type { FieldValue } from "../store/tables.ts";
import { parseUrl } from "../wire.ts";
import { isTimeZone, parseUtcTime } from "../zone.ts";

/** What was read, and what could not be. */
export interface ValidationResult {
  readonly values: Readonly<Record<string, FieldValue>>;
  readonly errors: Readonly<Record<string, ParameterError>>;
}

/** Post statuses that may be written or asked for (not shown in the interface). */
const writableStatuses: readonly string[] = ["publish", "draft", "pending", "private", "future"];

const integerPattern = /^-?\d{1,15}$/;

/** JSON keeps its types; in a query or a form everything is text. */
const valueParsers: Readonly<Record<FieldType, (raw: unknown, typed: boolean) => FieldValue | undefined>> = {
  string: (raw) => (typeof raw === "string" ? raw : undefined),
  integer: parseInteger,
  boolean: (raw, typed) => {
    if (typed) return typeof raw === "boolean" ? raw : undefined;
    return raw === "true" || raw === "1" ? true : raw === "false" || raw === "0" ? false : undefined;
  },
  integers: (raw, typed) => {
    if (typed && !Array.isArray(raw)) return undefined;
    const numbers = raw === "" ? [] : toList(raw).map((item) => parseInteger(item, typed));
    return numbers.every((number) => number !== undefined) ? numbers : undefined;
  },
  any: (raw) => (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean" ? raw : undefined),
};

function parseInteger(raw: unknown, typed: boolean): number | undefined {
  if (typed) return typeof raw === "number" && Number.isSafeInteger(raw) ? raw : undefined;
  return typeof raw === "string" && integerPattern.test(raw) ? Number(raw) : undefined;
}

const anyFormat = { test: () => true, expected: "text" };

const formatRules: Readonly<Record<FieldFormat, { readonly test: (value: string) => boolean; readonly expected: string }>> = {
  "date-time": { test: (value) => !Number.isNaN(parseUtcTime(value)), expected: "a date-time in the form YYYY-MM-DD HH:MM:SS" },
  "time-zone": { test: isTimeZone, expected: "a time zone" },
  "flag-string": { test: (value) => ["true", "false", "1", "0", ""].includes(value), expected: '"true" or "false"' },
  html: anyFormat,
  url: { test: (value) => value === "" || /^https?:$/.test(parseUrl(value)?.protocol ?? ""), expected: "a URL" },
  email: anyFormat,
  image: anyFormat,
  number: anyFormat,
  status: {
    test: (value) => value.split(",").every((one) => writableStatuses.includes(one)),
    expected: `one of ${writableStatuses.join(", ")}`,
  },
};

const typeNames: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "integer",
  boolean: "boolean",
  integers: "array of integer",
  any: "string, number or boolean",
};

/** Reads the parameters that the fields name. `links` refuses ids of records that don't exist: for bodies, not for filters. */
export function validateParameters(fields: readonly Field[], params: Params, typed: boolean, links?: StoreReader): ValidationResult {
  const values: Record<string, FieldValue> = {};
  const errors: Record<string, ParameterError> = {};
  for (const field of fields) {
    if (!Object.hasOwn(params, field.name)) continue;
    const value = valueParsers[field.type](params[field.name], typed);
    const fault = value === undefined ? createTypeError(field) : findValueError(field, value, links);
    if (fault !== undefined) errors[field.name] = fault;
    else if (value !== undefined) values[field.name] = value;
  }
  return { values, errors };
}

function createTypeError({ name, type }: Field): ParameterError {
  return { message: `${name} is not of type ${typeNames[type]}.`, code: "rest_invalid_type", data: { param: name } };
}

function findValueError(field: Field, value: FieldValue, links: StoreReader | undefined): ParameterError | undefined {
  const { name, format, required, refersTo } = field;
  if (required && value === "") return { message: `${name} must not be empty.` };
  if (format !== undefined && !formatRules[format].test(String(value)))
    return { message: `${name} is not ${formatRules[format].expected}.` };
  if (links === undefined || refersTo === undefined) return undefined;
  const wanted = typeof value === "object" ? value : [Number(value)];
  const unknown = wanted.filter((id) => links.find(refersTo, id) === undefined);
  // No parent is 0.
  if (unknown.length === 0 || (field.type === "integer" && value === 0)) return undefined;
  return { message: `${name} names ${refersTo} that do not exist: ${unknown.join(", ")}.` };
}
