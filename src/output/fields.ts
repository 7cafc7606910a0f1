// Field paths (`venue.city`, `categories.name`): the value they lead to, and whether anyone knows them.

import { meant } from "../closest.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { type CalError, usage } from "../errors.ts";
import type { Row } from "./row.ts";

/** The value at a path; arrays on the way are mapped and give an array. Undefined where a record does not have it. A key that itself holds dots goes first. */
export function valueAt(record: unknown, path: string): unknown {
  if (isRecord(record) && Object.hasOwn(record, path)) return record[path];
  return path.split(".").reduce(step, record);
}

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => step(item, name) ?? []);
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The record cut down to some paths: flat keys as typed, in that order; null where the record does not have one. */
export function pick(record: DataRecord, paths: readonly string[]): DataRecord {
  return Object.fromEntries(paths.map((path) => [path, valueAt(record, path) ?? null]));
}

/** The names that are right, and the one of them that holds what a record is called. */
interface Names {
  readonly known: readonly string[];
  readonly title: string | undefined;
}

/**
 * The rows, unless a path starts with a name that is neither known nor in any record: then a usage error with the valid names.
 * Rows wait until every name has been met, so that nothing is printed before the error. No records, no error.
 */
export async function* checkFields(
  rows: AsyncIterable<readonly Row[]>,
  flag: string,
  paths: readonly string[],
  { known, title }: Names,
): AsyncGenerator<readonly Row[]> {
  const names = new Set(known);
  const missing = new Set(paths.map(firstName).filter((name) => !names.has(name)));
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
    throw unknownFields(flag, [...missing], { known: [...names], title });
  yield* held;
}

/** The part of a path that a record itself has. */
export function firstName(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

function unknownFields(flag: string, missing: readonly string[], { known, title }: Names): CalError {
  const usual = title === undefined ? {} : { name: title };
  return usage(
    missing.map((name) => `unknown field "${name}" in ${flag}${meant(name, known, { usual })}`),
    `valid names: ${known.join(", ")}`,
  );
}
