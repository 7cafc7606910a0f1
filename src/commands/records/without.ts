// `--without`: records that lack something. No server has such a filter, so the records are read and trimmed here.
import { toList } from "../../api/update.ts";
import type { Flags } from "../../context.ts";
import { type DataRecord, getText } from "../../data-record.ts";
import { toPlainText } from "../../html-text.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import { getTexts } from "../command.ts";

/** Selects the records that have none of the named fields; undefined without the flag, whose values the parser checks. */
export function createWithoutFilter({ fields }: Resource, flags: Flags): ((record: DataRecord) => boolean) | undefined {
  const names = getTexts(flags["without"]);
  const absent = fields.filter((field) => names.includes(getFieldFlagName(field)));
  return absent.length === 0 ? undefined : (record) => absent.every((field) => lacks(record, field));
}

/** A text without words lacks nothing where it shows a picture, a video or a form. */
function lacks(record: DataRecord, { name, format }: Field): boolean {
  if (format !== "html") return toList(record[name]).length === 0;
  const text = getText(record, name);
  return toPlainText(text).trim() === "" && !/<(?:audio|embed|form|iframe|img|object|svg|video)\b/i.test(text);
}
