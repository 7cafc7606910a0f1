// A value in a message: JSON on one line, and links by the names that the records tell.
import { type DataRecord, idOf, isRecord, plain, textAt } from "../../api/record.ts";
import { listOf } from "../../api/writable.ts";
import { plainText } from "../../http/clean.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";

/** A value in a message: JSON, whole, on one line. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? String(value);
}

/** The value of a field; of links `Jazz (3), Blues (4)`, and one without a known name by its id. `records` is where their names may stand. */
export function told(field: Field, value: unknown, records: readonly DataRecord[]): string {
  if (field.type !== "integers" || value === undefined) return shown(value);
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
