// `cal schema --for-files`: the schema describes what a pull writes.

import { expect, test } from "vitest";
import { parse } from "yaml";
import { createFileSchema } from "../../src/files/schema.ts";
import { resources } from "../../src/model/resources.ts";
import { pullSandbox } from "../commands/files/folder-session.ts";
import { createSession, expectExitCode } from "../helpers/session.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

/** The few keywords that the schema uses. */
function isValid(schema: Schema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => isValid(one, value));
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const own = typeOf(value);
  if (!types.includes(own) && !(own === "integer" && types.includes("number"))) return false;
  if (Array.isArray(value)) return value.every((item) => isValid(schema.items ?? {}, item));
  return schema.pattern === undefined || new RegExp(schema.pattern).test(String(value));
}

test("every file of a pull fits the schema of its resource", async () => {
  const { files } = await pullSandbox("the-events-calendar");
  const bad: string[] = [];
  for (const [path, text] of Object.entries(files())) {
    const resource = Object.values(resources).find(({ name }) => path.startsWith(`${name}/`));
    if (resource === undefined) continue;
    const schema = createFileSchema(resource) as Schema;
    const record = parse(text) as Readonly<Record<string, unknown>>;
    bad.push(...(schema.required ?? []).filter((name) => record[name] === undefined).map((name) => `${path}: ${name} is missing`));
    for (const [name, value] of Object.entries(record))
      if (!isValid(schema.properties?.[name] ?? {}, value)) bad.push(`${path}: ${name}: ${JSON.stringify(value)}`);
  }
  expect(bad).toEqual([]);
});

test("the schema has every field that can be written, and refuses wrong values", async () => {
  const cal = createSession();
  const schema = JSON.parse((await expectExitCode(cal("schema events --for-files --json"), 0)).stdout) as Schema;
  expect(Object.keys(schema.properties ?? {}).sort()).toEqual(resources.events.fields.map(({ name }) => name).sort());
  expect(isValid(schema.properties?.["start_date"] ?? {}, "tomorrow")).toBe(false);
  expect(isValid(schema.properties?.["all_day"] ?? {}, "yes")).toBe(false);
  const all = JSON.parse((await expectExitCode(cal("schema --for-files --json"), 0)).stdout) as { $defs: object };
  expect(Object.keys(all.$defs)).toEqual(Object.keys(resources));
  expect((await expectExitCode(cal("schema events list --for-files"), 2)).stderr).toContain("--for-files takes one of events");
});
