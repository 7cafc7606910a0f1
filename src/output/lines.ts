// Formats of one thing a line: NDJSON, ids, count, and the bare values of `--field`.
import { sanitizeLine } from "../http/line.ts";
import { stringifyCellValue } from "./cell.ts";
import { getValueAtPath } from "./fields.ts";
import { stringifyJson } from "./json.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./sheet.ts";
import type { OutputOptions } from "./view.ts";

/** One record or outcome a line, as JSON. */
export function formatNdjson(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  return formatLines(sheet, (row) => stringifyJson(row.data, view));
}

/** The id of every record; failed refs have none. Those of a list are held back to its end: half of them must not go to a delete. */
export function formatIds(sheet: Rows): AsyncGenerator<string> {
  const all = formatLines(sheet, (row) =>
    row.record?.["id"] === undefined ? undefined : sanitizeLine(stringifyCellValue(row.record["id"])),
  );
  return sheet.kind === "list" ? bufferAll(all) : all;
}

/** How many records there are. */
export async function* formatCount(sheet: Rows): AsyncGenerator<string> {
  let records = 0;
  for await (const rows of sheet.batches) records += rows.filter(({ record }) => record !== undefined).length;
  yield `${records}\n`;
}

/** The value of one field of every record: a line each, an empty one where a record has none; JSON values in the JSON formats. What names records waits for the end of their list, as ids do. */
export function formatFieldValues(sheet: Rows, field: string, view: OutputOptions): AsyncGenerator<string> {
  const asJson = view.format === "json" || view.format === "ndjson";
  // Off a terminal the text stays as it is but for line ends: one value is one line.
  const text = view.tty ? sanitizeLine : (value: string) => value.replace(/[\r\n]+/g, " ");
  const all = formatLines(sheet, ({ record }) => {
    if (record === undefined) return undefined;
    const value = getValueAtPath(record, field);
    return asJson ? stringifyJson(value ?? null, view) : text(stringifyCellValue(value));
  });
  return sheet.kind === "list" && (field === "id" || field === "slug") ? bufferAll(all) : all;
}

/** The texts, when all of them are there. */
async function* bufferAll(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  yield* all;
}

async function* formatLines(sheet: Rows, line: (row: Row) => string | undefined): AsyncGenerator<string> {
  for await (const rows of sheet.batches) {
    const text = rows.flatMap((row) => line(row) ?? []);
    if (text.length > 0) yield `${text.join("\n")}\n`;
  }
}
