// What the user gave for a record: data < set < flags, every problem told at once, nothing asked of any server yet.
import { isRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { meant } from "../../../closest.ts";
import type { Flags, FlagValue } from "../../../context.ts";
import { CalError } from "../../../errors.ts";
import { type Field, flagName, kebab } from "../../../spec/field.ts";
import type { Resource } from "../../../spec/resource.ts";
import { texts } from "../../command.ts";
import type { Call, Problems } from "../call.ts";
import { readData } from "./data.ts";
import { wrongForm } from "./form.ts";
import { emptyValue, type Read, readJson, readText } from "./values.ts";

/** All names under which flags of a field are found. */
function flagNames(field: Field): readonly string[] {
  return [...new Set([flagName(field), kebab(field.name)])];
}

/** Everything that was given, `--data` read from where it is. Rejects with kind `local` for a file that can't be read. */
export async function readGiven(call: Call): Promise<Input> {
  const data = await readData(call.invocation, call.context).catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    call.problems.push(error.message);
  });
  return givenFields(call, data);
}

/** The fields given by `--data` (already parsed), `--set`, `--set-json`, flags and `--clear`, in this order. */
function givenFields({ resource, invocation: { flags }, problems }: Call, data: unknown): Input {
  const values: Record<string, unknown> = {};
  const take = (field: Field, read: Read, where: string) => {
    if ("problem" in read) problems.push(`${where} ${read.problem}`);
    else values[field.name] = read.value;
  };
  Object.assign(values, dataValues(resource, dataFields(data, problems), "--data", problems));
  for (const [name, text] of pairs(flags["set"], "--set", problems)) {
    const field = fieldNamed(resource, name, "--set", problems);
    if (field !== undefined) take(field, readText(field, text), `--set ${name}`);
  }
  for (const [name, text] of pairs(flags["set-json"], "--set-json", problems)) {
    const field = fieldNamed(resource, name, "--set-json", problems);
    const value = parsed(text);
    if (value === undefined) problems.push(`--set-json ${name} takes JSON, not ${text}`);
    else if (field !== undefined) take(field, readJson(field, value), `--set-json ${name}`);
  }
  Object.assign(values, typedValues(resource.fields, flags, problems));
  for (const name of texts(flags["clear"]).flatMap((text) => text.split(","))) {
    const field = fieldNamed(resource, name.trim(), "--clear", problems);
    if (field !== undefined) values[field.name] = emptyValue(field);
  }
  return values;
}

/** The fields of an object that came from outside; `where` it came from stands in front of what is wrong with it. */
export function dataValues(resource: Resource, data: Input, where: string, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = fieldNamed(resource, name, where, problems);
    const read = field === undefined ? undefined : readJson(field, value);
    if (field === undefined || read === undefined) continue;
    if ("problem" in read) problems.push(`${where}: ${name} ${read.problem}`);
    else values[field.name] = read.value;
  }
  return values;
}

/** The values of fields or filters that were typed as flags of their own. */
export function typedValues(fields: readonly Field[], flags: Flags, problems: Problems): Input {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const typed = flagNames(field).flatMap((name) => (flags[name] === undefined ? [] : [flags[name]]));
    if (typed.length === 0) continue;
    const [first] = typed;
    if (field.type === "integers") values[field.name] = typed.flatMap((value) => (typeof value === "object" ? value : [String(value)]));
    else if (typeof first === "boolean") values[field.name] = field.format === "flag-string" ? String(first) : first;
    else {
      const read = readText(field, String(first));
      const problem = "problem" in read ? read.problem : wrongForm(field, String(first));
      if (problem !== undefined) problems.push(`--${flagName(field)} ${problem}`);
      if ("value" in read) values[field.name] = read.value;
    }
  }
  for (const field of fields) {
    if (field.needs !== undefined && values[field.name] !== undefined && values[field.needs] === undefined) {
      problems.push(`--${flagName(field)} needs --${kebab(field.needs)} with it`);
    }
  }
  return values;
}

/** Fields that a create needs and does not have; a duration stands for the end. */
export function missingFields({ resource, invocation: { flags } }: Call, values: Input): readonly Field[] {
  const isThere = (name: string) =>
    (values[name] !== undefined && values[name] !== "") || (name === "end_date" && flags["duration"] !== undefined);
  return resource.fields.filter(({ name, required }) => required === true && !isThere(name));
}

/** What is said of them. */
export function missingProblems(call: Call, values: Input): readonly string[] {
  return missingFields(call, values).map((field) => `--${flagName(field)} is required`);
}

function dataFields(data: unknown, problems: Problems): Readonly<Record<string, unknown>> {
  if (data === undefined) return {};
  if (isRecord(data)) return data;
  problems.push("--data takes one object: its fields and their values");
  return {};
}

function pairs(value: FlagValue | undefined, flag: string, problems: Problems): readonly (readonly [string, string])[] {
  return texts(value).flatMap((text) => {
    const at = text.indexOf("=");
    if (at > 0) return [[text.slice(0, at), text.slice(at + 1)] as const];
    problems.push(`${flag} takes name=value, not ${JSON.stringify(text)}`);
    return [];
  });
}

function fieldNamed(resource: Resource, name: string, where: string, problems: Problems): Field | undefined {
  const wanted = name.replaceAll("-", "_");
  const field = resource.fields.find((known) => known.name === wanted || known.alias === wanted);
  if (field === undefined) {
    const names = resource.fields.map((known) => known.name);
    const others = `; it can write ${names.join(", ")}`;
    const why = resource.returned.includes(wanted)
      ? `can't be written${others}`
      : `is no field of ${resource.name}${meant(wanted, names) || others}`;
    problems.push(`${where}: ${name} ${why}`);
  }
  return field;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
