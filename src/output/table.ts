// The table for people: which columns, then the drawing, which is loaded only where there is something to draw.
import type { OutputOptions } from "./report.ts";
import { formatCell, type Rows } from "./rows.ts";

/** Aligned lines that fit the terminal, after all records have arrived; nothing where there are none. A single record is shown field by field. */
export async function* formatTable(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  const { columns } = sheet;
  const texts: string[][] = [];
  for await (const rows of sheet.batches) {
    for (const row of rows) {
      if (sheet.kind === "record") {
        const { formatRecord } = await import("./record.ts");
        yield formatRecord(columns, row, view, sheet.recordSummary);
      } else texts.push(columns.map((column) => formatCell(column, row, view)));
    }
  }
  if (texts.length === 0) return;
  const { drawTable } = await import("./draw-table.ts");
  yield drawTable(columns, texts, view);
}
