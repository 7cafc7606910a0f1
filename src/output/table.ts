// The table for people: which columns the terminal has room for, and their aligned lines; the only importer of cli-table3.
import Table from "cli-table3";
import type { ColumnKind } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import type { OutputOptions } from "./report.ts";
import { colorizeStatus, formatCell, type Rows } from "./rows.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "./width.ts";

/** Kinds that may be cut, and the width below which they are hard to read. */
const preferredWidths: Partial<Record<ColumnKind, number>> = { name: 24, text: 12 };

/** Spaces between two columns. */
const columnGap = 2;

/** Columns up to this priority stay as long as the others can be read at all. */
const maxEssentialPriority = 2;

/** A cell that can be cut is never narrower: three letters and the ellipsis. */
const minColumnWidth = 4;

/** cli-table3 compares every cell with all rows above it, so a long table is drawn in parts of so many rows. */
const rowsPerTable = 50;

const outerBorders = ["top", "top-left", "top-mid", "top-right", "bottom", "bottom-left", "bottom-mid", "bottom-right", "left", "right"];

/** Aligned lines that fit the terminal, after all records have arrived; nothing where there are none. `view.onDropped` gets the headers of the columns left out. */
export async function* formatTable(rows: Rows, view: OutputOptions): AsyncGenerator<string> {
  const { columns } = rows;
  const texts: string[][] = [];
  for await (const batch of rows.batches) for (const row of batch) texts.push(columns.map((column) => formatCell(column, row, view)));
  if (texts.length === 0) return;
  // A header may be the key of any JSON object.
  const headers = columns.map((column) => sanitizeLine(column.header));
  const fitted = fitColumns(
    columns.map(({ priority, kind }, index) => {
      const natural = texts.reduce((width, line) => Math.max(width, measureWidth(line[index] ?? "")), 1);
      const header = view.header ? measureWidth(headers[index] ?? "") : 0;
      return { index, priority, natural: Math.max(natural, header), preferred: preferredWidths[kind] };
    }),
    view.wide ? undefined : view.width,
  );
  const dropped = headers.filter((_, index) => !fitted.some((column) => column.index === index));
  if (dropped.length > 0) view.onDropped?.(dropped);
  const head = fitted.map(({ index, width }) => view.style.bold(truncateText(headers[index] ?? "", width)));
  const body = texts.map((line) =>
    fitted.map(({ index, width }) => {
      // cli-table3 would cut inside a grapheme.
      const text = truncateText(line[index] ?? "", width);
      return columns[index]?.kind === "status" ? colorizeStatus(text, view) : isolateRightToLeft(text);
    }),
  );
  const options = {
    chars: { ...Object.fromEntries(outerBorders.map((name) => [name, ""])), middle: " ".repeat(columnGap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: fitted.map(({ width }) => width),
    colAligns: fitted.map(({ index }) => (columns[index]?.kind === "count" ? "right" : "left")),
  };
  yield drawLines(view.header ? [head, ...body] : body, options);
}

/** A line for each row, without trailing spaces. */
function drawLines(rows: readonly (readonly string[])[], options: Table.TableConstructorOptions): string {
  let text = "";
  for (let start = 0; start < rows.length; start += rowsPerTable) {
    const table = new Table(options);
    table.push(...rows.slice(start, start + rowsPerTable).map((cells) => [...cells]));
    for (const line of table.toString().split("\n")) text += `${line.trimEnd()}\n`;
  }
  return text;
}

interface ColumnConstraints {
  readonly index: number;
  /** 1 is dropped last. */
  readonly priority: number;
  /** The width of its widest cell, header included. */
  readonly natural: number;
  /** The width at which it can still be read; absent for a column that is never cut. */
  readonly preferred: number | undefined;
}

/** The columns that are shown, in their order, together never wider than the width. The last one left is cut where it must be. */
function fitColumns(
  columns: readonly ColumnConstraints[],
  width: number | undefined,
): readonly { readonly index: number; readonly width: number }[] {
  if (width === undefined) return columns.map(({ index, natural }) => ({ index, width: natural }));
  const shown = columns.map((column) => ({
    ...column,
    natural: column.preferred === undefined ? column.natural : Math.min(column.natural, width),
  }));
  const comfortable = ({ natural, preferred = natural }: ColumnConstraints) => Math.min(natural, preferred);
  const narrowest = ({ natural, preferred }: ColumnConstraints) => (preferred === undefined ? natural : Math.min(natural, minColumnWidth));
  // Of the lowest priority the last.
  const lowest = () => shown.reduce((worst, column) => (column.priority >= worst.priority ? column : worst));
  const drop = () => shown.splice(shown.indexOf(lowest()), 1);
  while (shown.length > 1 && lowest().priority > maxEssentialPriority && sumWidths(shown.map(comfortable)) > width) drop();
  while (shown.length > 1 && sumWidths(shown.map(narrowest)) > width) drop();
  const widths = shown.map(({ natural }) => natural);
  while (sumWidths(widths) > width) {
    // The column with the most beyond its comfortable width is cut first; then the widest one.
    const cuttable = shown.map(({ preferred }, place) => (preferred === undefined && shown.length > 1 ? 0 : (widths[place] ?? 0)));
    const spare = shown.map((column, place) => (cuttable[place] ?? 0) - comfortable(column));
    const from = Math.max(...spare) > 0 ? spare : cuttable;
    const widest = from.indexOf(Math.max(...from));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return shown.map(({ index }, place) => ({ index, width: widths[place] ?? 1 }));
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
}
