// What an update changed, a line for each field; links by the names that the records tell.
import { type DataRecord, idOf, isRecord, plain, textAt } from "../../api/record.ts";
import type { Change } from "../../api/update.ts";
import { listOf } from "../../api/writable.ts";
import { plainText } from "../../http/clean.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { shown } from "./after.ts";

/** The changes, each on a line of its own; `records` is where their links may stand with names. */
export function changedLines({ fields }: Resource, changes: readonly Change[], records: readonly DataRecord[]): string {
  return changes
    .map(({ field: name, from, to }) => {
      const field = fields.find((one) => one.name === name);
      const told = (value: unknown) => (field?.type === "integers" ? linksText(field, value, records) : shown(value));
      return `\n  ${name}: ${told(from)} -> ${told(to)}`;
    })
    .join("");
}

/** `Jazz (3), Blues (4)`; a link without a known name by its id. */
function linksText(field: Field, value: unknown, records: readonly DataRecord[]): string {
  const title = field.refersTo === undefined ? undefined : resources[field.refersTo].title;
  const known = records.flatMap((record) => listOf(record[field.name])).filter(isRecord);
  const texts = listOf(value).map((link) => {
    if (isRecord(link)) return shown(link);
    const record = known.find((one) => idOf(one) === plain(link));
    const name = record === undefined || title === undefined ? "" : plainText(textAt(record, title));
    return name === "" ? plain(link) : `${name} (${plain(link)})`;
  });
  return texts.length === 0 ? "none" : texts.join(", ");
}
