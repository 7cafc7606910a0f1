// TSV, the format for pipes: a line a record, nothing cut, no tab or line end inside a value.
import { sanitizeLine } from "../http/line.ts";
import { stringifyCellValue } from "./cell.ts";
import { getValueAtPath } from "./fields.ts";
import type { Row } from "./row.ts";
import type { Rows } from "./sheet.ts";
import type { OutputOptions } from "./view.ts";

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
  const { decodeEntities } = await import("../http/entities.ts");
  return decodeEntities;
}
