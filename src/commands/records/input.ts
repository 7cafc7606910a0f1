// What the user gave for a record: data < set < flags, every problem told at once, nothing asked of any server yet.
import type { Input } from "../../api/request.ts";
import { toExactId } from "../../api/update.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Context, Flags, FlagValue } from "../../context.ts";
import { isRecord } from "../../data-record.ts";
import { CalError, messageOf, usageError } from "../../errors.ts";
import { parseExactJson, stringifyExact } from "../../http/json.ts";
import { type Field, type FieldFormat, getFieldFlagName, type Resource, toKebabCase } from "../../model/resource.ts";
import { shellQuote } from "../../text.ts";
import { getTexts, type Invocation } from "../command.ts";
import type { Call, Problems } from "./command.ts";

/** All names under which flags of a field are found. */
function getFieldFlagNames(field: Field): readonly string[] {
  return [...new Set([getFieldFlagName(field), toKebabCase(field.name)])];
}

/** Everything that was given, `--data` read from where it is. Rejects with kind `local` for a file that can't be read. */
export async function readInput(call: Call): Promise<Input> {
  const data = await readData(call.invocation, call.context).catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    call.problems.push(error.message);
  });
  return collectFields(call, data);
}

/** The fields given by `--data` (already parsed), `--set`, `--set-json`, flags and `--clear`, in this order. */
function collectFields({ resource, invocation: { flags }, problems }: Call, data: unknown): Input {
  const values: Record<string, unknown> = {};
  const take = (field: Field, read: ValueParseResult, where: string) => {
    if ("problem" in read) problems.push(`${where} ${read.problem}`);
    else values[field.name] = read.value;
  };
  Object.assign(values, parseDataValues(resource, parseDataObject(data, problems), "--data", problems));
  for (const [name, text] of parsePairs(flags["set"], "--set", problems)) {
    const field = findField(resource, name, "--set", problems);
    if (field !== undefined) take(field, parseTextValue(field, text), `--set ${name}`);
  }
  for (const [name, text] of parsePairs(flags["set-json"], "--set-json", problems)) {
    const field = findField(resource, name, "--set-json", problems);
    const value = tryParseJson(text);
    if (value === undefined) problems.push(`--set-json ${name} takes JSON, not ${text}`);
    else if (field !== undefined) take(field, parseJsonValue(field, value), `--set-json ${name}`);
  }
  Object.assign(values, parseFlagValues(resource.fields, flags, problems));
  for (const name of getTexts(flags["clear"]).flatMap((text) => text.split(","))) {
    const field = findField(resource, name.trim(), "--clear", problems);
    if (field !== undefined) values[field.name] = getEmptyValue(field);
  }
  return values;
}

/** The fields of an object that came from outside; `where` it came from stands in front of what is wrong with it. */
export function parseDataValues(resource: Resource, data: Input, where: string, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = findField(resource, name, where, problems);
    const read = field === undefined ? undefined : parseJsonValue(field, value);
    if (field === undefined || read === undefined) continue;
    if ("problem" in read) problems.push(`${where}: ${name} ${read.problem}`);
    else values[field.name] = read.value;
  }
  return values;
}

/** The values of fields or filters that were typed as flags of their own. */
export function parseFlagValues(fields: readonly Field[], flags: Flags, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const typed = getFieldFlagNames(field).flatMap((name) => (flags[name] === undefined ? [] : [flags[name]]));
    if (typed.length === 0) continue;
    const [first] = typed;
    if (field.type === "integers") values[field.name] = typed.flatMap((value) => (typeof value === "object" ? value : [String(value)]));
    else if (typeof first === "boolean") values[field.name] = field.format === "flag-string" ? String(first) : first;
    else {
      const read = parseTextValue(field, String(first));
      const problem = "problem" in read ? read.problem : validateFormat(field, String(first));
      if (problem !== undefined) problems.push(`--${getFieldFlagName(field)} ${problem}`);
      if ("value" in read) values[field.name] = read.value;
    }
  }
  for (const field of fields) {
    if (field.requires !== undefined && values[field.name] !== undefined && values[field.requires] === undefined) {
      problems.push(`--${getFieldFlagName(field)} needs --${toKebabCase(field.requires)} with it`);
    }
  }
  return values;
}

/** Fields that a create needs and does not have; a duration stands for the end. */
export function findMissingFields({ resource, invocation: { flags } }: Call, values: Input): readonly Field[] {
  const isThere = (name: string) =>
    (values[name] !== undefined && values[name] !== "") || (name === "end_date" && flags["duration"] !== undefined);
  return resource.fields.filter(({ name, required }) => required === true && !isThere(name));
}

/** What is said of them. */
export function validateRequiredFields(call: Call, values: Input): readonly string[] {
  return findMissingFields(call, values).map((field) => `--${getFieldFlagName(field)} is required`);
}

function parseDataObject(data: unknown, problems: Problems): Readonly<Record<string, unknown>> {
  if (data === undefined) return {};
  if (isRecord(data)) return data;
  problems.push("--data takes one object: its fields and their values");
  return {};
}

function parsePairs(value: FlagValue | undefined, flag: string, problems: Problems): readonly (readonly [string, string])[] {
  return getTexts(value).flatMap((text) => {
    const at = text.indexOf("=");
    if (at > 0) return [[text.slice(0, at), text.slice(at + 1)] as const];
    problems.push(`${flag} takes name=value, not ${JSON.stringify(text)}`);
    return [];
  });
}

function findField(resource: Resource, name: string, where: string, problems: Problems): Field | undefined {
  const wanted = name.replaceAll("-", "_");
  const field = resource.fields.find((known) => known.name === wanted || known.alias === wanted);
  if (field === undefined) {
    const names = resource.fields.map((known) => known.name);
    const others = `; it can write ${names.join(", ")}`;
    const why = resource.readOnlyFields.includes(wanted)
      ? `can't be written${others}`
      : `is no field of ${resource.name}${formatSuggestion(wanted, names) || others}`;
    problems.push(`${where}: ${name} ${why}`);
  }
  return field;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

// Whole bodies from outside: `--data @file`, `--data -`, or the text itself, as JSON or YAML.

/** The value of `--data`, or undefined where it was not given. Rejects with kind `local` for a file that can't be read. */
export async function readData(invocation: Invocation, context: Context): Promise<unknown> {
  const given = invocation.flags["data"];
  if (given === undefined) return undefined;
  const text = await readDataText(String(given), context);
  return text.trimStart().startsWith("{") || text.trimStart().startsWith("[") ? parseJsonData(text) : parseYamlData(text);
}

async function readDataText(given: string, context: Context): Promise<string> {
  if (given === "-") return context.io.stdin.text();
  if (!given.startsWith("@")) return given;
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(given.slice(1), "utf8");
  } catch (error) {
    throw new CalError("local", `--data: ${messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--data @file.json reads a file, --data - reads stdin",
    });
  }
}

async function parseJsonData(text: string): Promise<unknown> {
  try {
    return await parseExactJson(text);
  } catch (error) {
    throw usageError(`--data is no JSON: ${messageOf(error)}`, "check it with: jq . file.json");
  }
}

async function parseYamlData(text: string): Promise<unknown> {
  const { parseYaml } = await import("../../output/yaml.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw usageError(`--data is no JSON and no YAML: ${messageOf(error)}`);
  }
}

// One value of a field as it was typed or read from data, turned into the JSON that the interface's type asks for.

/** A value that is right, or what is wrong with it. */
type ValueParseResult = { readonly value: unknown } | { readonly problem: string };

/** The value that empties a field of this type. */
function getEmptyValue(field: Field): unknown {
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
function parseJsonValue(field: Field, value: unknown): ValueParseResult {
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

// The form that the value of a flag must have beyond its type. --set and --data send what they are given.

/** What is taken, and whether a text is that. */
interface FormatRule {
  readonly expected: string;
  readonly test: (text: string) => boolean;
}

const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text) && URL.canParse(text);

const formatRules: Partial<Record<FieldFormat, FormatRule>> = {
  // Which dates and zones there are is told where they are read.
  "date-time": { expected: "a date", test: () => true },
  "time-zone": { expected: "a zone", test: () => true },
  url: { expected: "a url", test: isUrl },
  email: { expected: "an e-mail address", test: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  image: { expected: "an ID or a url", test: (text) => /^\d+$/.test(text) || isUrl(text) },
  number: { expected: "a number", test: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text) },
};

/** What is wrong with the text of a flag, as the rest of a sentence; undefined where nothing is. */
function validateFormat({ name, format, required, requires }: Field, text: string): string | undefined {
  const form = format === undefined ? undefined : formatRules[format];
  // Servers take such a name for a fault of their own.
  if (form === undefined) return required === true && /^\s+$/.test(text) ? "takes a text, not white space alone" : undefined;
  if (text.trim() === "")
    return `is empty: it takes ${form.expected}${required === true || requires !== undefined ? "" : `; update empties a field with --clear ${name}`}`;
  if (form.test(text)) return undefined;
  const meant = format === "url" && /^[^\s/@]+\.[^\s@]+$/.test(text) && isUrl(`https://${text}`) ? ` (did you mean https://${text}?)` : "";
  const other = format === "number" ? "" : `; as it is: --set ${name}=${shellQuote(text)}`;
  return `takes ${form.expected}, not ${JSON.stringify(text)}${meant}${other}`;
}
