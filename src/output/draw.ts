// A table fitted to the terminal and drawn.
import { oneLine } from "../http/line.ts";
import type { ColumnKind } from "../spec/resource.ts";
import type { SheetColumn } from "./columns.ts";
import { paintStatus } from "./display.ts";
import { type GridCell, grid } from "./grid.ts";
import { fitted, type Place } from "./layout.ts";
import type { View } from "./view.ts";
import { cut, isolated, textWidth } from "./width.ts";

/** Kinds that may be cut, and the width at which they are still worth reading. */
const comforts: Partial<Record<ColumnKind, number>> = { name: 24, text: 12 };

/** The lines of a table. Columns that there was no room for are told to `view.onDropped`. */
export function draw(columns: readonly SheetColumn[], texts: readonly (readonly string[])[], view: View): string {
  // A header may be the key of somebody's JSON.
  const headers = columns.map((column) => oneLine(column.header));
  const natural = headers.map((header, index) => widest([view.header ? header : "", ...texts.map((line) => line[index] ?? "")]));
  const places = placesOf(columns, natural, view);
  const dropped = columns.filter((_, index) => !places.some((place) => place.index === index));
  if (dropped.length > 0) view.onDropped?.(dropped.map((column) => oneLine(column.header)));
  const head = places.map((place) => cell(headers[place.index] ?? "", place, view.style.bold));
  const body = texts.map((line) =>
    places.map((place) =>
      cell(line[place.index] ?? "", place, columns[place.index]?.kind === "status" ? (text) => paintStatus(text, view) : isolated),
    ),
  );
  const gridColumns = places.map(({ index, width }) => ({ width, align: columns[index]?.kind === "count" ? "right" : "left" }) as const);
  return grid(view.header ? [head, ...body] : body, gridColumns);
}

function cell(text: string, { width }: Place, paint: (text: string) => string): GridCell {
  const fitting = cut(text, width);
  return { text: paint(fitting), width: textWidth(fitting) };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, textWidth(text)), 1);
}

function placesOf(columns: readonly SheetColumn[], natural: readonly number[], view: View): readonly Place[] {
  if (view.wide || view.width === undefined) return natural.map((width, index) => ({ index, width }));
  const wishes = columns.map(({ priority, kind }, index) => ({ priority, natural: natural[index] ?? 1, comfort: comforts[kind] }));
  return fitted(wishes, view.width);
}
