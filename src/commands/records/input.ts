// The fields of a record command: --data, --set, --set-json, flags and --clear, each winning over those before it.
import type { Input } from "../../api/request.ts";
import { getEmptyValue, toExactId } from "../../api/update.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Context, Flags, FlagValue } from "../../context.ts";
import { isRecord } from "../../data-record.ts";
import { messageOf, type Problem } from "../../errors.ts";
import { JsonLimitError, parseExactJson, stringifyExact } from "../../http/json.ts";
import { type Field, type FieldFormat, getFieldFlagName, type Resource, toKebabCase } from "../../model/resource.ts";
import { shellQuote } from "../../text.ts";
import { getTexts, type Invocation } from "../command.ts";
import type { Problems, RecordCommand } from "./command.ts";
import { readDataObject } from "./data-option.ts";
import type { WriteWithImage } from "./image.ts";

/** All fields of the command line. Rejects with kind `local` where the file of `--data` can't be read. */
export async function readInput(resource: Resource, invocation: Invocation, context: Context, problems: Problems): Promise<Input> {
  const { flags } = invocation;
  const data = await readDataObject(resource, invocation, context, problems);
  const values: Record<string, unknown> = { ...parseDataValues(resource, data, "--data", problems) };
  if (typeof values["image"] === "string" && values["image"].startsWith("@"))
    problems.push(
      `--data: image ${JSON.stringify(values["image"])} is a file, which only --image takes: --image ${shellQuote(values["image"])}`,
    );
  if (flags["image-alt"] !== undefined && !/^@/.test(String(flags["image"])))
    problems.push("--image-alt describes a file that is uploaded: it needs --image @<file>");
  const addValue = (field: Field, parsed: ParsedValue, source: string) => {
    if ("problem" in parsed) problems.push(`${source} ${parsed.problem}`);
    else values[field.name] = parsed.value;
  };
  for (const [name, text] of parsePairs(flags["set"], "--set", problems)) {
    const field = findField(resource, name, "--set", problems);
    if (field !== undefined) addValue(field, parseTextValue(field, text), `--set ${name}`);
  }
  for (const [name, text] of parsePairs(flags["set-json"], "--set-json", problems)) {
    const field = findField(resource, name, "--set-json", problems);
    const value = await parseSetJson(name, text, problems);
    if (value !== undefined && field !== undefined) addValue(field, parseJsonValue(field, value), `--set-json ${name}`);
  }
  Object.assign(values, parseFlagValues(resource.fields, flags, problems));
  for (const name of getTexts(flags["clear"]).flatMap((text) => text.split(","))) {
    const field = findField(resource, name.trim(), "--clear", problems);
    if (field !== undefined) values[field.name] = getEmptyValue(field);
  }
  return values;
}

/** The fields of a JSON or YAML object; `source` names it in problems. */
export function parseDataValues(resource: Resource, data: Input, source: string, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = findField(resource, name, source, problems);
    if (field === undefined) continue;
    const parsed = parseJsonValue(field, value);
    if ("problem" in parsed) problems.push(`${source}: ${name} ${parsed.problem}`);
    else values[field.name] = parsed.value;
  }
  return values;
}

/** The values of fields or filters that have flags of their own. */
export function parseFlagValues(fields: readonly Field[], flags: Flags, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const names = new Set([getFieldFlagName(field), toKebabCase(field.name)]);
    const typed = [...names].flatMap((name) => (flags[name] === undefined ? [] : [flags[name]]));
    if (typed.length === 0) continue;
    const [first] = typed;
    if (field.refersTo !== undefined && typed.flatMap(getTexts).some((text) => text.trim() === ""))
      problems.push(`--${getFieldFlagName(field)} is empty: it takes an id, a slug or a name`);
    else if (field.type === "integers")
      values[field.name] = typed.flatMap((value) => (typeof value === "object" ? value : [String(value)]));
    else if (typeof first === "boolean") values[field.name] = field.format === "flag-string" ? String(first) : first;
    else {
      const parsed = parseTextValue(field, String(first));
      const problem = "problem" in parsed ? parsed.problem : validateFormat(field, String(first));
      if (problem !== undefined) problems.push(`--${getFieldFlagName(field)} ${problem}`);
      if ("value" in parsed) values[field.name] = parsed.value;
    }
  }
  for (const field of fields) {
    if (field.requires !== undefined && values[field.name] !== undefined && values[field.requires] === undefined) {
      problems.push(`--${getFieldFlagName(field)} needs --${toKebabCase(field.requires)} with it`);
    }
  }
  return values;
}

/** Reads the picture of `--image @file`. What is wrong with it becomes a problem of the command. */
export async function prepareImage(command: RecordCommand, { image }: Input): Promise<WriteWithImage> {
  if (typeof image !== "string" || !image.startsWith("@")) return (_site, input, write) => write(input);
  return (await import("./image.ts")).createImageUpload(command, image.slice(1));
}

/** What is wrong with a file as the picture, for a command that uploads none. */
export function findImageFileProblem({ image }: Input, verb: string): readonly Problem[] {
  if (typeof image !== "string" || !image.startsWith("@")) return [];
  const hint = { text: "upload it with one event, and give its id here", command: `cal events update <ref> --image ${shellQuote(image)}` };
  return [{ message: `--image: ${verb} uploads no file`, hint }];
}

/** Required fields of a create that the input does not have; `--duration` gives the end. */
export function findMissingFields(resource: Resource, { flags }: Invocation, input: Input): readonly Field[] {
  const hasValue = (name: string) =>
    (input[name] !== undefined && input[name] !== "") || (name === "end_date" && flags["duration"] !== undefined);
  return resource.fields.filter(({ name, required }) => required === true && !hasValue(name));
}

/** The problems of missing fields; none where a problem of `--data` hides its fields. */
export function validateRequiredFields(resource: Resource, invocation: Invocation, input: Input, problems: Problems): readonly string[] {
  if (problems.some((problem) => typeof problem !== "string" && problem.hidesFields === true)) return [];
  return findMissingFields(resource, invocation, input).map((field) => `--${getFieldFlagName(field)} is required`);
}

function parsePairs(value: FlagValue | undefined, flag: string, problems: Problems): readonly (readonly [string, string])[] {
  return getTexts(value).flatMap((text) => {
    const at = text.indexOf("=");
    if (at > 0) return [[text.slice(0, at), text.slice(at + 1)] as const];
    problems.push(`${flag} takes name=value, not ${JSON.stringify(text)}`);
    return [];
  });
}

/** A field by its name or its alias, with dashes or underscores. */
function findField(resource: Resource, name: string, source: string, problems: Problems): Field | undefined {
  const fieldName = name.replaceAll("-", "_");
  const field = resource.fields.find((one) => one.name === fieldName || one.alias === fieldName);
  if (field !== undefined) return field;
  const names = resource.fields.map((one) => one.name);
  const others = `; it can write ${names.join(", ")}`;
  const suggestion =
    fieldName === "duration" && resource.hasDates ? "; give the flag --duration beside it" : formatSuggestion(fieldName, names) || others;
  const reason = resource.readOnlyFields.includes(fieldName)
    ? `can't be written${others}`
    : `is not a field of ${resource.name}${suggestion}`;
  problems.push(`${source}: ${name} ${reason}`);
  return undefined;
}

/** The value of `--set-json name=text`, checked as `--data` is; undefined where it is not JSON. */
export async function parseSetJson(name: string, text: string, problems: Problems): Promise<unknown> {
  try {
    return await parseExactJson(text);
  } catch (error) {
    // The message of JSON.parse quotes the text.
    problems.push(
      `--set-json ${name} ${error instanceof JsonLimitError ? `can't be sent: ${messageOf(error)}` : `takes JSON, not ${text}`}`,
    );
    return undefined;
  }
}

// One value of a field: from a text or JSON to the type of the interface.

/** A value, or what is wrong with it. */
type ParsedValue = { readonly value: unknown } | { readonly problem: string };

/** Parses a text of a flag or of `--set`. Names of linked records stay texts; they are looked up later. */
export function parseTextValue(field: Field, text: string): ParsedValue {
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

/** Parses a value of `--data` or `--set-json`. Null empties the field. */
function parseJsonValue(field: Field, value: unknown): ParsedValue {
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
function parseLinkValues(field: Field, items: readonly unknown[]): ParsedValue {
  const isLink = (item: unknown) =>
    typeof item === "string" ||
    typeof item === "bigint" ||
    (typeof item === "number" && Number.isSafeInteger(item) && item >= 0) ||
    (isRecord(item) && field.nonStandard !== true);
  const invalid = items.find((item) => !isLink(item));
  if (invalid !== undefined)
    return { problem: `takes ids${field.nonStandard === true ? " or names" : ", names or objects"}, not ${stringifyExact(invalid)}` };
  return { value: items.map((item) => (typeof item === "bigint" ? String(item) : item)) };
}

function parseBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : undefined;
}

const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text) && URL.canParse(text);

/** The format that the value of a flag must have beyond its type. The values of --set and --data are sent as they are. */
const formatRules: Partial<Record<FieldFormat, { readonly expected: string; readonly test: (text: string) => boolean }>> = {
  // These are parsed later.
  "date-time": { expected: "a date", test: () => true },
  "time-zone": { expected: "a zone", test: () => true },
  url: { expected: "a url", test: isUrl },
  email: { expected: "an e-mail address", test: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  image: { expected: "an ID, a url or @file", test: (text) => /^\d+$|^@./.test(text) || isUrl(text) },
  search: { expected: "a text to search for", test: () => true },
  number: { expected: "a number", test: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text) },
};

/** What is wrong with the text of a flag, as the rest of a sentence; undefined for a valid one. */
function validateFormat({ name, format, required, requires }: Field, text: string): string | undefined {
  const rule = format === undefined ? undefined : formatRules[format];
  // Servers answer such a name with an internal error.
  if (rule === undefined) return required === true && /^\s+$/.test(text) ? "takes a text, not white space alone" : undefined;
  if (text.trim() === "")
    return `is empty: it takes ${rule.expected}${required === true || requires !== undefined || format === "search" ? "" : `; update empties a field with --clear ${name}`}`;
  if (rule.test(text)) return undefined;
  const suggestion =
    format === "url" && /^[^\s/@]+\.[^\s@]+$/.test(text) && isUrl(`https://${text}`) ? ` (did you mean https://${text}?)` : "";
  const other = format === "number" ? "" : `; to send it unchanged: --set ${name}=${shellQuote(text)}`;
  return `takes ${rule.expected}, not ${JSON.stringify(text)}${suggestion}${other}`;
}
