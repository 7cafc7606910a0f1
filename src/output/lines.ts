// Formats of one thing a line: NDJSON, ids, count, and the bare values of `--field`.
import { oneLine } from "../http/line.ts";
import { cellText } from "./cell.ts";
import { valueAt } from "./fields.ts";
import { jsonText } from "./json.ts";
import type { Row } from "./row.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** One record or outcome a line, as JSON. */
export function ndjson(sheet: Sheet, view: View): AsyncGenerator<string> {
  return lines(sheet, (row) => jsonText(row.data, view));
}

/** The id of every record; failed refs have none. Those of a list are held back to its end: half of them must not go to a delete. */
export function ids(sheet: Sheet): AsyncGenerator<string> {
  const all = lines(sheet, (row) => (row.record?.["id"] === undefined ? undefined : oneLine(cellText(row.record["id"]))));
  return sheet.kind === "list" ? held(all) : all;
}

/** How many records there are. */
export async function* count(sheet: Sheet): AsyncGenerator<string> {
  let records = 0;
  for await (const rows of sheet.rows) records += rows.filter(({ record }) => record !== undefined).length;
  yield `${records}\n`;
}

/** The value of one field of every record: a line each, an empty one where a record has none; JSON values in the JSON formats. What names records waits for the end of their list, as ids do. */
export function bareValues(sheet: Sheet, field: string, view: View): AsyncGenerator<string> {
  const asJson = view.format === "json" || view.format === "ndjson";
  // Off a terminal the text stays as it is but for line ends: one value is one line.
  const text = view.tty ? oneLine : (value: string) => value.replace(/[\r\n]+/g, " ");
  const all = lines(sheet, ({ record }) => {
    if (record === undefined) return undefined;
    const value = valueAt(record, field);
    return asJson ? jsonText(value ?? null, view) : text(cellText(value));
  });
  return sheet.kind === "list" && (field === "id" || field === "slug") ? held(all) : all;
}

/** The texts, when all of them are there. */
async function* held(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  yield* all;
}

async function* lines(sheet: Sheet, line: (row: Row) => string | undefined): AsyncGenerator<string> {
  for await (const rows of sheet.rows) {
    const text = rows.flatMap((row) => line(row) ?? []);
    if (text.length > 0) yield `${text.join("\n")}\n`;
  }
}
