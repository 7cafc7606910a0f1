// Values as messages tell them: JSON, and links by the names that the records know.
import { type DataRecord, getText, idOf, isRecord, valueToText } from "../../api/record.ts";
import { toList } from "../../api/writable.ts";
import { toPlainText } from "../../http/clean.ts";
import { stringifyExact } from "../../http/json-text.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";

/** A value in a message: JSON, whole, on one line. */
export function formatValue(value: unknown): string {
  return value === undefined ? "nothing" : stringifyExact(value);
}

/** The value of a field: `Jazz (3), Blues (4)` for links, a link without a known name by its id. `records` is where they may stand with names. */
export function formatFieldValue(field: Field | undefined, value: unknown, records: readonly DataRecord[]): string {
  if (field?.type !== "integers") return formatValue(value);
  const title = field.refersTo === undefined ? undefined : resources[field.refersTo].titleField;
  const known = records.flatMap((record) => toList(record[field.name])).filter(isRecord);
  const texts = toList(value).map((link) => {
    const id = isRecord(link) ? idOf(link) : valueToText(link);
    if (id === undefined) return formatValue(link);
    const record = known.find((one) => idOf(one) === id);
    const name = record === undefined || title === undefined ? "" : toPlainText(getText(record, title));
    return name === "" ? id : `${name} (${id})`;
  });
  return texts.length === 0 ? "none" : texts.join(", ");
}
