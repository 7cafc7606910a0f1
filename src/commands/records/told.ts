// Values as messages tell them: JSON, and links by the names that the records know.
import { type DataRecord, idOf, isRecord, plain, textAt } from "../../api/record.ts";
import { listOf } from "../../api/writable.ts";
import { plainText } from "../../http/clean.ts";
import { stringifyExact } from "../../http/json-text.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";

/** A value in a message: JSON, whole, on one line. */
export function shown(value: unknown): string {
  return value === undefined ? "nothing" : stringifyExact(value);
}

/** The value of a field: `Jazz (3), Blues (4)` for links, a link without a known name by its id. `records` is where they may stand with names. */
export function told(field: Field | undefined, value: unknown, records: readonly DataRecord[]): string {
  if (field?.type !== "integers") return shown(value);
  const title = field.refersTo === undefined ? undefined : resources[field.refersTo].title;
  const known = records.flatMap((record) => listOf(record[field.name])).filter(isRecord);
  const texts = listOf(value).map((link) => {
    const id = isRecord(link) ? idOf(link) : plain(link);
    if (id === undefined) return shown(link);
    const record = known.find((one) => idOf(one) === id);
    const name = record === undefined || title === undefined ? "" : plainText(textAt(record, title));
    return name === "" ? id : `${name} (${id})`;
  });
  return texts.length === 0 ? "none" : texts.join(", ");
}
