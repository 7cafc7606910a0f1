// Records inside a record: a cell shows them whole, as JSON, and their parts can be asked for.

import { isRecord } from "../data-record.ts";
import { isScalar } from "./cell.ts";
import { isTabular } from "./columns.ts";
import { getValueAtPath } from "./fields.ts";
import type { Row } from "./row.ts";
import type { OutputOptions } from "./view.ts";

/** The groups of rows as they are; after the last one `view.onNested` is told what the fields that were asked for hold records in. */
export async function* reportNestedRecords(rows: AsyncIterable<readonly Row[]>, view: OutputOptions): AsyncGenerator<readonly Row[]> {
  const paths = isTabular(view) ? (view.fields ?? []) : [];
  const parts = new Map<string, string>();
  for await (const group of rows) {
    for (const path of paths) {
      const part = parts.has(path)
        ? undefined
        : group.map(({ record }) => findNestedFieldPath(getValueAtPath(record, path), path)).find((one) => one !== undefined);
      if (part !== undefined) parts.set(path, part);
    }
    yield group;
  }
  for (const [path, part] of parts) view.onNested?.(path, part);
}

/** The path of what a record inside a record is called, else of its first plain value; undefined for all other values. */
function findNestedFieldPath(value: unknown, path: string): string | undefined {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(inner)) return undefined;
  const usual = [path.split(".").at(-1) ?? path, "name", "title"];
  const key = [...usual, ...Object.keys(inner)].find((name) => Object.hasOwn(inner, name) && isScalar(inner[name]));
  return key === undefined ? undefined : `${path}.${key}`;
}
