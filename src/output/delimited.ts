// CSV by RFC 4180 (CRLF, quotes where needed, values as the server sent them), and TSV. The only importer of csv-stringify.

import { stringify } from "csv-stringify/sync";
import { removeMarkup } from "../html-text.ts";
import { escapeControls } from "../text.ts";
import type { OutputOptions } from "./report.ts";
import { getValueAtPath, hasMarkup, type OutputColumn, type Rows, stringifyCellValue } from "./rows.ts";

/** A header of column paths, then the records as they arrive. With `--excel` a byte order mark, plain words, and a `'` before texts that Excel would compute. */
export async function* formatCsv({ columns, batches }: Rows, options: OutputOptions): AsyncGenerator<string> {
  const csvOptions = {
    record_delimiter: "windows",
    // Many readers take every CR and every LF for the end of a record.
    quoted_match: /[\r\n]/,
    // An empty line would not be read back as a record of one empty value.
    quoted_empty: columns.length === 1,
  } as const;
  const header = options.header ? stringify([columns.map((column) => toCsvCell(column.label, options))], csvOptions) : "";
  let start = (options.excel ? "\ufeff" : "") + header;
  for await (const batch of batches) {
    const cells = batch.map((row) => columns.map((column) => toCsvCell(getValueAtPath(row.cells, column.path), options, column)));
    yield start + stringify(cells, csvOptions);
    start = "";
  }
  if (start !== "") yield start;
}

/** What a spreadsheet may compute: a sign of a formula, in full width too, also behind white space and characters that are not seen. */
const formulaPattern = /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Numbers stay numbers, so that the formula guard leaves -5 alone. */
function toCsvCell(value: unknown, { tty, excel }: OutputOptions, column?: OutputColumn): string | number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  const text = stringifyCellValue(value);
  const shown = tty ? escapeControls : (cell: string) => cell;
  if (!excel) return shown(text);
  // Line ends stay: they are the paragraphs of a text.
  const plain = column !== undefined && hasMarkup(column, value) ? removeMarkup(text).trim() : text;
  return shown(formulaPattern.test(plain) ? `'${plain}` : plain);
}

/** TSV, the format for pipes: a header of column paths, then one line for each record, nothing cut, plain words, no tab or line end inside a value. */
export async function* formatTsv({ columns, batches }: Rows, options: OutputOptions): AsyncGenerator<string> {
  const toLine = (texts: readonly string[]) => `${texts.map((text) => toTsvCell(text, options)).join("\t")}\n`;
  let start = options.header ? toLine(columns.map(({ label }) => label)) : "";
  for await (const batch of batches) {
    const lines = batch.map((row) =>
      columns.map((column) => {
        const value = getValueAtPath(row.cells, column.path);
        return hasMarkup(column, value) ? removeMarkup(stringifyCellValue(value)) : stringifyCellValue(value);
      }),
    );
    yield start + lines.map(toLine).join("");
    start = "";
  }
  if (start !== "") yield start;
}

function toTsvCell(text: string, { tty }: OutputOptions): string {
  // Spaces of a value stay, but for those at a line end.
  const line = text.replace(/[ \t\n\v\f\r\u0085\u2028\u2029]+/g, (run) => (/[^ ]/.test(run) ? " " : run)).trim();
  return tty ? escapeControls(line) : line;
}

/** Cells as they are, a record a line. */
export function stringifyCells(records: readonly (readonly string[])[], delimiter: string): string {
  return stringify(
    records.map((cells) => [...cells]),
    { delimiter, record_delimiter: "windows" },
  );
}
