// The table for people: which columns the terminal has room for, and their aligned lines; the only importer of cli-table3.
import Table from "cli-table3";
import type { ColumnKind } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import type { OutputOptions, Row } from "./report.ts";
import { colorizeStatus, formatCell, formatShortDateCell, type Rows } from "./rows.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "./width.ts";

/** Kinds that may be cut, and three widths: at which they are easy to read, at which they can be read, and the smallest. */
const cutWidths: Partial<Record<ColumnKind, readonly [easy: number, tight: number, least: number]>> = {
  name: [24, 12, 4],
  text: [12, 8, 4],
  // As long as there is room it is whole.
  status: [Number.POSITIVE_INFINITY, 8, 8],
};

/** Spaces between two columns. */
const columnGap = 2;

/** Columns of a higher number go as soon as the others are not easy to read. */
const maxImportantPriority = 4;

/** Columns up to this number stay as long as there is room for them at all. */
const maxEssentialPriority = 2;

/** cli-table3 compares every cell with all rows above it, so a long table is drawn in parts of so many rows. */
const rowsPerTable = 50;

const outerBorders = ["top", "top-left", "top-mid", "top-right", "bottom", "bottom-left", "bottom-mid", "bottom-right", "left", "right"];

/** Aligned lines that fit the terminal, after all records have arrived; nothing where there are none. `options.onDropped` gets the headers of the columns left out. */
export async function* formatTable({ columns, batches }: Rows, options: OutputOptions): AsyncGenerator<string> {
  const rows: Row[] = [];
  for await (const batch of batches) for (const row of batch) rows.push(row);
  if (rows.length === 0) return;
  const width = options.wide ? undefined : options.width;
  // A header may be the key of any JSON object.
  const headers = columns.map((column) => sanitizeLine(column.header));
  let cells = columns.map((column) => rows.map((row) => formatCell(column, row, options)));
  const measureColumns = () =>
    columns.map(({ priority, kind }, index) => {
      const texts = options.header ? [...(cells[index] ?? []), headers[index] ?? ""] : (cells[index] ?? []);
      return { index, priority, kind, natural: texts.reduce((widest, text) => Math.max(widest, measureWidth(text, width)), 1) };
    });
  let measured = measureColumns();
  const lost: string[] = [];
  if (width !== undefined && needsShortDates(measured, width)) {
    const hasZones = columns.some(({ kind }, index) => kind === "date-time" && cells[index]?.some((text) => /:\d\d /.test(text)) === true);
    cells = columns.map((column, index) =>
      column.kind === "date-time" ? rows.map((row) => formatShortDateCell(column, row, options)) : (cells[index] ?? []),
    );
    measured = measureColumns();
    if (hasZones) lost.push("time zones");
  }
  const fitted = width === undefined ? measured.map(({ index, natural }) => ({ index, width: natural })) : fitColumns(measured, width);
  const shown = new Set(fitted.map(({ index }) => index));
  const dropped = [...headers.filter((_, index) => !shown.has(index)), ...lost];
  if (dropped.length > 0) options.onDropped?.(dropped);
  const head = fitted.map((column) => options.style.bold(truncateText(headers[column.index] ?? "", column.width)));
  const body = rows.map((_, row) =>
    fitted.map((column) => {
      // cli-table3 would cut inside a grapheme.
      const text = truncateText(cells[column.index]?.[row] ?? "", column.width);
      return columns[column.index]?.kind === "status" ? colorizeStatus(text, options) : isolateRightToLeft(text);
    }),
  );
  const tableOptions = {
    chars: { ...Object.fromEntries(outerBorders.map((name) => [name, ""])), middle: " ".repeat(columnGap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: fitted.map((column) => column.width),
    colAligns: fitted.map(({ index }) => (columns[index]?.kind === "count" ? "right" : "left")),
  };
  yield drawLines(options.header ? [head, ...body] : body, tableOptions);
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

interface MeasuredColumn {
  readonly index: number;
  /** 1 is dropped last. */
  readonly priority: number;
  readonly kind: ColumnKind;
  /** The width of its widest cell, header included; some number above that of the terminal for anything wider. */
  readonly natural: number;
}

/** Whether the important columns are not easy to read beside whole dates. */
function needsShortDates(columns: readonly MeasuredColumn[], width: number): boolean {
  const important = columns.filter(({ priority }) => priority <= maxImportantPriority);
  return sumWidths(important.map((column) => getFloor(column, column.kind === "status" ? 1 : 0))) > width;
}

/** The width below which a column does not go in the three steps of `cutWidths`. */
function getFloor({ natural, kind }: MeasuredColumn, step: 0 | 1 | 2): number {
  return Math.min(natural, cutWidths[kind]?.[step] ?? natural);
}

/** The columns that are shown, in their order, together never wider than the width. The last one left is cut where it must be. */
function fitColumns(columns: readonly MeasuredColumn[], width: number): readonly { readonly index: number; readonly width: number }[] {
  // Of the same priority the first.
  const byPriority = columns.toSorted((left, right) => left.priority - right.priority || left.index - right.index);
  const sumFloors = (count: number, step: 0 | 1 | 2) => sumWidths(byPriority.slice(0, count).map((column) => getFloor(column, step)));
  // More have no room, whatever is in them.
  let count = Math.min(columns.length, width);
  const isTooWide = (step: 0 | 1 | 2, keep: number) =>
    count > 1 && (byPriority[count - 1]?.priority ?? 0) > keep && sumFloors(count, step) > width;
  while (isTooWide(0, maxImportantPriority)) count -= 1;
  while (isTooWide(1, maxEssentialPriority)) count -= 1;
  while (isTooWide(2, 0)) count -= 1;
  const shown = byPriority.slice(0, count).sort((left, right) => left.index - right.index);
  const widths = shown.map(({ natural }) => natural);
  for (const step of [0, 1, 2] as const) {
    while (sumWidths(widths) > width) {
      // The column with the most beyond its floor.
      const spare = shown.map((column, place) => (widths[place] ?? 0) - getFloor(column, step));
      const most = Math.max(...spare);
      if (most <= 0) break;
      const widest = spare.indexOf(most);
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  if (shown.length === 1) return shown.map(({ index, natural }) => ({ index, width: Math.min(natural, width) }));
  return shown.map(({ index }, place) => ({ index, width: widths[place] ?? 1 }));
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
}
