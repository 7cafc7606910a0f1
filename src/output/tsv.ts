// TSV, the format for pipes: a line a record, nothing cut, no tab or line end inside a value.
import { oneLine } from "../http/line.ts";
import { cellText } from "./cell.ts";
import { valueAt } from "./fields.ts";
import type { Row } from "./row.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** A header of column paths, then the records as they arrive; entities are decoded. */
export async function* tsv(sheet: Sheet, view: View): AsyncGenerator<string> {
  const header = `${sheet.columns.map((column) => oneLine(column.label)).join("\t")}\n`;
  let started = !view.header;
  for await (const rows of sheet.rows) {
    const text = await tsvLines(sheet, rows);
    yield started ? text : header + text;
    started = true;
  }
  if (!started) yield header;
}

async function tsvLines(sheet: Sheet, rows: readonly Row[]): Promise<string> {
  const cells = rows.map((row) => sheet.columns.map((column) => cellText(valueAt(row.cells, column.path))));
  const decode = cells.some((line) => line.some((text) => text.includes("&"))) ? await decoder() : (text: string) => text;
  return cells.map((line) => `${line.map((text) => oneLine(decode(text))).join("\t")}\n`).join("");
}

async function decoder(): Promise<(text: string) => string> {
  const { decodeEntities } = await import("../http/entities.ts");
  return decodeEntities;
}
