// The table for people: which columns, then the drawing, which is loaded only where there is something to draw.
import { shown } from "./display.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** Aligned lines that fit the terminal, after all records have arrived; nothing where there are none. A single record is shown field by field. */
export async function* table(sheet: Sheet, view: View): AsyncGenerator<string> {
  const { columns } = sheet;
  const texts: string[][] = [];
  for await (const rows of sheet.rows) {
    for (const row of rows) {
      if (sheet.kind === "record") {
        const { recordText } = await import("./record.ts");
        yield recordText(columns, row, view, sheet.brief);
      } else texts.push(columns.map((column) => shown(column, row, view)));
    }
  }
  if (texts.length === 0) return;
  const { draw } = await import("./draw.ts");
  yield draw(columns, texts, view);
}
