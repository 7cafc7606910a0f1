// Field paths (`venue.city`, `categories.name`): the value they lead to, and whether anyone knows them.

import { formatSuggestion } from "../closest.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { type CalError, usageError } from "../errors.ts";
import type { Row } from "./row.ts";

/** The value at a path; arrays on the way are mapped and give an array. Undefined where a record does not have it. A key that itself holds dots goes first. */
export function getValueAtPath(record: unknown, path: string): unknown {
  if (isRecord(record) && Object.hasOwn(record, path)) return record[path];
  return path.split(".").reduce(resolvePathSegment, record);
}

function resolvePathSegment(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => resolvePathSegment(item, name) ?? []);
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The record cut down to some paths: flat keys as typed, in that order; null where the record does not have one. */
export function pickFields(record: DataRecord, paths: readonly string[]): DataRecord {
  return Object.fromEntries(paths.map((path) => [path, getValueAtPath(record, path) ?? null]));
}

/** The names that are right, and the one of them that holds what a record is called. */
interface ValidFields {
  readonly fieldNames: readonly string[];
  readonly titleField: string | undefined;
}

/**
 * The rows, unless a path starts with a name that is neither known nor in any record: then a usage error with the valid names.
 * Rows wait until every name has been met, so that nothing is printed before the error. No records, no error.
 */
export async function* validateFields(
  rows: AsyncIterable<readonly Row[]>,
  flag: string,
  paths: readonly string[],
  { fieldNames, titleField }: ValidFields,
): AsyncGenerator<readonly Row[]> {
  const names = new Set(fieldNames);
  const missing = new Set(paths.map(getTopLevelField).filter((name) => !names.has(name)));
  const held: (readonly Row[])[] = [];
  for await (const group of rows) {
    if (missing.size > 0) {
      for (const name of group.flatMap(({ record }) => Object.keys(record ?? {}))) {
        names.add(name);
        missing.delete(name);
      }
      held.push(group);
      if (missing.size === 0) yield* held.splice(0);
    } else yield group;
  }
  if (missing.size > 0 && held.flat().some(({ record }) => record !== undefined))
    throw createUnknownFieldsError(flag, [...missing], { fieldNames: [...names], titleField });
  yield* held;
}

/** The part of a path that a record itself has. */
export function getTopLevelField(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

function createUnknownFieldsError(flag: string, missing: readonly string[], { fieldNames, titleField }: ValidFields): CalError {
  const synonyms = titleField === undefined ? {} : { name: titleField };
  return usageError(
    missing.map((name) => `unknown field "${name}" in ${flag}${formatSuggestion(name, fieldNames, { synonyms })}`),
    `valid names: ${fieldNames.join(", ")}`,
  );
}
