// What the user gave for a record: data < set < flags, every problem told at once, nothing asked of any server yet.
import { isRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { formatSuggestion } from "../../../closest.ts";
import type { Flags, FlagValue } from "../../../context.ts";
import { CalError } from "../../../errors.ts";
import { type Field, getFieldFlagName, toKebabCase } from "../../../spec/field.ts";
import type { Resource } from "../../../spec/resource.ts";
import { getTexts } from "../../command.ts";
import type { Call, Problems } from "../call.ts";
import { readData } from "./data.ts";
import { validateFormat } from "./form.ts";
import { getEmptyValue, parseJsonValue, parseTextValue, type ValueParseResult } from "./values.ts";

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
