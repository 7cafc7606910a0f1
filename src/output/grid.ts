// Cells drawn as aligned lines; the only importer of cli-table3.
import Table from "cli-table3";
import { columnGap } from "./layout.ts";

/** Text as it is printed, and the columns of the terminal it takes. */
export interface TableCell {
  readonly text: string;
  readonly width: number;
}

/** A column: its width and the side its cells lean to. */
export interface TableColumn {
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
export function alignRows(rows: readonly (readonly TableCell[])[], columns: readonly TableColumn[]): string {
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
