// CSV by RFC 4180: CRLF, quotes where needed, values as the server sent them; the only importer of csv-stringify.
import { stringify } from "csv-stringify/sync";
import { decodeEntities } from "../http/entities.ts";
import { oneLine } from "../http/line.ts";
import { cellText } from "./cell.ts";
import { valueAt } from "./fields.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** A header of column paths, then the records as they arrive. With `--excel` a byte order mark, entities decoded, and texts that Excel would compute get a `'` in front. */
export async function* csv(sheet: Sheet, view: View): AsyncGenerator<string> {
  const options = {
    record_delimiter: "windows",
    escape_formulas: view.excel,
    // A line without a character would not be read back as a record of one empty value.
    quoted_empty: sheet.columns.length === 1,
  } as const;
  const header = view.header ? stringify([sheet.columns.map((column) => csvCell(column.label, view))], options) : "";
  let start = (view.excel ? "\ufeff" : "") + header;
  for await (const rows of sheet.rows) {
    const cells = rows.map((row) => sheet.columns.map((column) => csvCell(valueAt(row.cells, column.path), view)));
    yield start + stringify(cells, options);
    start = "";
  }
  if (start !== "") yield start;
}

/** Numbers stay numbers, so that the formula guard leaves -5 alone. A spreadsheet is read by people: no entities. On a terminal control characters are blanked. */
function csvCell(value: unknown, { tty, excel }: View): string | number | bigint {
  if (typeof value === "number" || typeof value === "bigint") return value;
  const text = excel ? decodeEntities(cellText(value)) : cellText(value);
  return tty ? oneLine(text) : text;
}
