// CSV by RFC 4180: CRLF, quotes where needed, values as the server sent them; the only importer of csv-stringify.
import { stringify } from "csv-stringify/sync";
import { decodeEntities } from "../http/entities.ts";
import { sanitizeLine } from "../http/line.ts";
import { stringifyCellValue } from "./cell.ts";
import { getValueAtPath } from "./fields.ts";
import type { Rows } from "./sheet.ts";
import type { OutputOptions } from "./view.ts";

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
