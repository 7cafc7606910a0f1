// CSV by RFC 4180: CRLF, quotes where needed, values as the server sent them; the only importer of csv-stringify.

import { stringify } from "csv-stringify/sync";
import { decodeEntities, sanitizeLine } from "../text.ts";
import type { OutputOptions, Row } from "./report.ts";
import { getValueAtPath, type Rows, stringifyCellValue } from "./rows.ts";

/** A header of column paths, then the records as they arrive. With `--excel` a byte order mark, entities decoded, and texts that Excel would compute get a `'` in front. */
export async function* formatCsv(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  const options = {
    record_delimiter: "windows",
    escape_formulas: view.excel,
    // A line without a character would not be read back as a record of one empty value.
    quoted_empty: sheet.columns.length === 1,
  } as const;
  const header = view.header ? stringify([sheet.columns.map((column) => toCsvCell(column.label, view))], options) : "";
  let start = (view.excel ? "\ufeff" : "") + header;
  for await (const rows of sheet.batches) {
    const cells = rows.map((row) => sheet.columns.map((column) => toCsvCell(getValueAtPath(row.cells, column.path), view)));
    yield start + stringify(cells, options);
    start = "";
  }
  if (start !== "") yield start;
}

/** Numbers stay numbers, so that the formula guard leaves -5 alone. A spreadsheet is read by people: no entities. On a terminal control characters are blanked. */
function toCsvCell(value: unknown, { tty, excel }: OutputOptions): string | number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  const text = excel ? decodeEntities(stringifyCellValue(value)) : stringifyCellValue(value);
  return tty ? sanitizeLine(text) : text;
}

// TSV, the format for pipes: a line a record, nothing cut, no tab or line end inside a value.

/** A header of column paths, then the records as they arrive; entities are decoded. */
export async function* formatTsv(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  const header = `${sheet.columns.map((column) => sanitizeLine(column.label)).join("\t")}\n`;
  let started = !view.header;
  for await (const rows of sheet.batches) {
    const text = await formatTsvLines(sheet, rows);
    yield started ? text : header + text;
    started = true;
  }
  if (!started) yield header;
}

async function formatTsvLines(sheet: Rows, rows: readonly Row[]): Promise<string> {
  const cells = rows.map((row) => sheet.columns.map((column) => stringifyCellValue(getValueAtPath(row.cells, column.path))));
  const decode = cells.some((line) => line.some((text) => text.includes("&"))) ? await loadEntityDecoder() : (text: string) => text;
  return cells.map((line) => `${line.map((text) => sanitizeLine(decode(text))).join("\t")}\n`).join("");
}

async function loadEntityDecoder(): Promise<(text: string) => string> {
  const { decodeEntities } = await import("../text.ts");
  return decodeEntities;
}
