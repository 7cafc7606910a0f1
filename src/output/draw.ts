// A table fitted to the terminal and drawn.
import { sanitizeLine } from "../http/line.ts";
import type { ColumnKind } from "../spec/resource.ts";
import type { OutputColumn } from "./columns.ts";
import { colorizeStatus } from "./display.ts";
import { alignRows, type TableCell } from "./grid.ts";
import { type FittedColumn, fitColumns } from "./layout.ts";
import type { OutputOptions } from "./view.ts";
import { isolateRightToLeft, measureWidth, truncateText } from "./width.ts";

/** Kinds that may be cut, and the width at which they are still worth reading. */
const preferredWidths: Partial<Record<ColumnKind, number>> = { name: 24, text: 12 };

/** The lines of a table. Columns that there was no room for are told to `view.onDropped`. */
export function drawTable(columns: readonly OutputColumn[], texts: readonly (readonly string[])[], view: OutputOptions): string {
  // A header may be the key of somebody's JSON.
  const headers = columns.map((column) => sanitizeLine(column.header));
  const natural = headers.map((header, index) => getMaxWidth([view.header ? header : "", ...texts.map((line) => line[index] ?? "")]));
  const places = resolveTableColumns(columns, natural, view);
  const dropped = columns.filter((_, index) => !places.some((place) => place.index === index));
  if (dropped.length > 0) view.onDropped?.(dropped.map((column) => sanitizeLine(column.header)));
  const head = places.map((place) => createTableCell(headers[place.index] ?? "", place, view.style.bold));
  const body = texts.map((line) =>
    places.map((place) =>
      createTableCell(
        line[place.index] ?? "",
        place,
        columns[place.index]?.kind === "status" ? (text) => colorizeStatus(text, view) : isolateRightToLeft,
      ),
    ),
  );
  const gridColumns = places.map(({ index, width }) => ({ width, align: columns[index]?.kind === "count" ? "right" : "left" }) as const);
  return alignRows(view.header ? [head, ...body] : body, gridColumns);
}

function createTableCell(text: string, { width }: FittedColumn, paint: (text: string) => string): TableCell {
  const fitting = truncateText(text, width);
  return { text: paint(fitting), width: measureWidth(fitting) };
}

function getMaxWidth(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, measureWidth(text)), 1);
}

function resolveTableColumns(columns: readonly OutputColumn[], natural: readonly number[], view: OutputOptions): readonly FittedColumn[] {
  if (view.wide || view.width === undefined) return natural.map((width, index) => ({ index, width }));
  const wishes = columns.map(({ priority, kind }, index) => ({ priority, natural: natural[index] ?? 1, preferred: preferredWidths[kind] }));
  return fitColumns(wishes, view.width);
}
