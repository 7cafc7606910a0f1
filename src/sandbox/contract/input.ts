// The body of a create or an update, checked against the resource's fields.
import type { Field } from "../../spec/field.ts";
import type { RoutedWriteRequest } from "../call.ts";
import { getCategorySubtreeIds } from "../entry.ts";
import { createInvalidParametersError, createMissingParametersError, type ParameterError } from "../problems.ts";
import type { Entry, FieldValue } from "../store/tables.ts";
import { validateParameters } from "./values.ts";

/** What a by-slug update of a venue must carry beside the fields (section 4.3). */
const slugField: Field = { name: "slug", type: "string", required: true, meaning: "Slug" };

/** The values of a body. Throws the refusal for missing, unknown and wrong ones: all of a kind at once. */
export function validateBody(call: RoutedWriteRequest, current?: Entry): Readonly<Record<string, FieldValue>> {
  const { resource, payload, target, data } = call;
  const withSlug = resource.slugInBody && target?.by === "slug";
  const fields = withSlug ? [...resource.fields, slugField] : resource.fields;
  const needed = fields.filter((field) => field.required && (current === undefined || field === slugField));
  const absent = needed.filter(({ name }) => !Object.hasOwn(payload.params, name)).map(({ name }) => name);
  if (absent.length > 0) throw createMissingParametersError(absent);
  const { values, errors } = validateParameters(fields, payload.params, payload.hasJsonTypes, data);
  const all = { ...findUnknownFields(fields, payload.params), ...errors, ...findConsistencyErrors(call, values, current) };
  if (Object.keys(all).length > 0) throw createInvalidParametersError(all);
  return values;
}

function findUnknownFields(fields: readonly Field[], params: Readonly<Record<string, unknown>>): Readonly<Record<string, ParameterError>> {
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.keys(params).filter((name) => !names.has(name));
  return Object.fromEntries(others.map((name) => [name, { message: `${name} is not a field of this resource.` }]));
}

/** What the tables can't say: who is an author, which end comes first, and that no category is above itself. */
function findConsistencyErrors(
  { data }: RoutedWriteRequest,
  values: Readonly<Record<string, FieldValue>>,
  current: Entry | undefined,
): Readonly<Record<string, ParameterError>> {
  const faults: Record<string, ParameterError> = {};
  const { author, parent } = values;
  if (author !== undefined && data.find("users", Number(author)) === undefined)
    faults["author"] = { message: `author ${author} does not exist.` };
  if (typeof parent === "number" && current !== undefined && getCategorySubtreeIds(data, current.id).includes(parent)) {
    faults["parent"] = { message: "parent is the category itself or one below it." };
  }
  const start = values["start_date"] ?? current?.fields["start_date"];
  const end = values["end_date"] ?? current?.fields["end_date"];
  if (start !== undefined && end !== undefined && end < start) faults["end_date"] = { message: "end_date is before start_date." };
  return faults;
}
