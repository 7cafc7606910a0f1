// CSV by RFC 4180 (CRLF, quotes where needed, values as the server sent them), and TSV. The only importer of csv-stringify.

import { stringify } from "csv-stringify/sync";
import { decodeEntities } from "../html-text.ts";
import { sanitizeLine } from "../text.ts";
import type { OutputOptions } from "./report.ts";
import { getValueAtPath, type Rows, stringifyCellValue } from "./rows.ts";

/** A header of column paths, then the records as they arrive. With `--excel` a byte order mark, entities decoded, and a `'` before texts that Excel would compute. */
export async function* formatCsv({ columns, batches }: Rows, view: OutputOptions): AsyncGenerator<string> {
  const options = {
    record_delimiter: "windows",
    escape_formulas: view.excel,
    // An empty line would not be read back as a record of one empty value.
    quoted_empty: columns.length === 1,
  } as const;
  const header = view.header ? stringify([columns.map((column) => toCsvCell(column.label, view))], options) : "";
  let start = (view.excel ? "\ufeff" : "") + header;
  for await (const batch of batches) {
    const cells = batch.map((row) => columns.map((column) => toCsvCell(getValueAtPath(row.cells, column.path), view)));
    yield start + stringify(cells, options);
    start = "";
  }
  if (start !== "") yield start;
}

/** Numbers stay numbers, so that the formula guard leaves -5 alone. People read a spreadsheet: no entities. On a terminal control characters are blanked. */
function toCsvCell(value: unknown, { tty, excel }: OutputOptions): string | number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  const text = excel ? decodeEntities(stringifyCellValue(value)) : stringifyCellValue(value);
  return tty ? sanitizeLine(text) : text;
}

/** TSV, the format for pipes: a header of column paths, then one line for each record, nothing cut, entities decoded, no tab or line end inside a value. */
export async function* formatTsv({ columns, batches }: Rows, view: OutputOptions): AsyncGenerator<string> {
  let start = view.header ? toTsvLine(columns.map(({ label }) => label)) : "";
  for await (const batch of batches) {
    const lines = batch.map((row) => columns.map((column) => decodeEntities(stringifyCellValue(getValueAtPath(row.cells, column.path)))));
    yield start + lines.map(toTsvLine).join("");
    start = "";
  }
  if (start !== "") yield start;
}

function toTsvLine(texts: readonly string[]): string {
  return `${texts.map(sanitizeLine).join("\t")}\n`;
}
