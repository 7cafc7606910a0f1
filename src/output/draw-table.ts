// A table fitted to the terminal and drawn.

import Table from "cli-table3";
import type { ColumnKind } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import type { OutputOptions } from "./report.ts";
import { colorizeStatus, type OutputColumn } from "./rows.ts";
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

// Cells drawn as aligned lines; the only importer of cli-table3.

/** Text as it is printed, and the columns of the terminal it takes. */
interface TableCell {
  readonly text: string;
  readonly width: number;
}

/** A column: its width and the side its cells lean to. */
interface TableColumn {
  readonly width: number;
  readonly align: "left" | "right";
}

const borderSides = ["top", "bottom", "left", "right"] as const;
const borderJoints = [
  "top-mid",
  "top-left",
  "top-right",
  "bottom-mid",
  "bottom-left",
  "bottom-right",
  "left-mid",
  "mid",
  "mid-mid",
  "right-mid",
] as const;
const noBorders = Object.fromEntries([...borderSides, ...borderJoints].map((name) => [name, ""]));

/** Lines that cli-table3 is given at a time: what it takes for each grows with their number. */
const tableRowsPerChunk = 50;

/** A line a row, without borders and without spaces at the end. */
function alignRows(rows: readonly (readonly TableCell[])[], columns: readonly TableColumn[]): string {
  let text = "";
  for (let start = 0; start < rows.length; start += tableRowsPerChunk)
    text += alignChunk(rows.slice(start, start + tableRowsPerChunk), columns);
  return text;
}

/**
 * cli-table3 measures text by older rules than terminals do. So it lays out stand-ins of the right width, and the texts take their places.
 * Cells are dear to it, and lines are not: all these rows are the lines of a single one.
 */
function alignChunk(rows: readonly (readonly TableCell[])[], columns: readonly TableColumn[]): string {
  const table = new Table({
    chars: { ...noBorders, middle: " ".repeat(columnGap) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: columns.map((column) => column.width),
    colAligns: columns.map((column) => column.align),
  });
  table.push(columns.map((_, index) => rows.map((row) => "x".repeat(Math.max(1, row[index]?.width ?? 1))).join("\n")));
  const texts = rows.flat().map((cell) => (cell.width === 0 ? `${cell.text} ` : cell.text));
  let next = 0;
  const lines = table.toString().replace(/x+/g, () => texts[next++] ?? "");
  return lines
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

// Which columns of a table a terminal has room for, and how wide each is.

/** What a column would like. */
interface ColumnConstraints {
  /** 1 is kept longest. */
  readonly priority: number;
  /** The width of its widest cell, header included. */
  readonly natural: number;
  /** The width it should have at least before a column of lower priority is given up; absent for what is never cut. */
  readonly preferred?: number | undefined;
}

/** A column that is shown. */
interface FittedColumn {
  readonly index: number;
  readonly width: number;
}

/** Spaces between two columns. */
const columnGap = 2;

/** Columns up to this priority stay as long as the others can be read at all. */
const maxEssentialPriority = 2;

/** What a cell that can be cut is never narrower than: three letters and the sign of the cut. */
const minColumnWidth = 4;

/** The columns that are shown, in their order, together never wider than the width. The last one left is cut where it must be. */
function fitColumns(wishes: readonly ColumnConstraints[], width: number): readonly FittedColumn[] {
  const kept = wishes.map((wish, index) => ({
    ...wish,
    index,
    natural: wish.preferred === undefined ? wish.natural : Math.min(wish.natural, width),
  }));
  const comfortable = (wish: ColumnConstraints) => Math.min(wish.natural, wish.preferred ?? wish.natural);
  const tightest = (wish: ColumnConstraints) => Math.min(wish.natural, wish.preferred === undefined ? wish.natural : minColumnWidth);
  while (kept.length > 1 && findLowestPriority(kept).priority > maxEssentialPriority && sumWidths(kept.map(comfortable)) > width)
    kept.splice(kept.indexOf(findLowestPriority(kept)), 1);
  while (kept.length > 1 && sumWidths(kept.map(tightest)) > width) kept.splice(kept.indexOf(findLowestPriority(kept)), 1);
  const widths = kept.map((wish) => wish.natural);
  while (sumWidths(widths) > width) {
    // First goes what a column has beyond its comfort, the most of it first; then the widest gives way, and the narrow keep what they need.
    const cuttable = kept.map((wish, place) => (wish.preferred === undefined && kept.length > 1 ? 0 : (widths[place] ?? 0)));
    const spare = kept.map((wish, place) => (cuttable[place] ?? 0) - comfortable(wish));
    const [most, from] = Math.max(...spare) > 0 ? [Math.max(...spare), spare] : [Math.max(...cuttable), cuttable];
    const widest = from.indexOf(most);
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return kept.map(({ index }, place) => ({ index, width: widths[place] ?? 1 }));
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + columnGap, -columnGap);
}

/** The column to give up first: of the lowest priority the last. */
function findLowestPriority<T extends ColumnConstraints>(wishes: readonly T[]): T {
  return wishes.reduce((worst, wish) => (wish.priority >= worst.priority ? wish : worst));
}
