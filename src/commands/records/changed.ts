// What an update changed, a line for each field.
import type { DataRecord } from "../../api/record.ts";
import type { Change } from "../../api/update.ts";
import type { Resource } from "../../spec/resource.ts";
import { told } from "./told.ts";

/** The changes, each on a line of its own; `records` is where their links may stand with names. */
export function changedLines({ fields }: Resource, changes: readonly Change[], records: readonly DataRecord[]): string {
  return changes
    .map(({ field: name, from, to }) => {
      const field = fields.find((one) => one.name === name);
      return `\n  ${name}: ${told(field, from, records)} -> ${told(field, to, records)}`;
    })
    .join("");
}
