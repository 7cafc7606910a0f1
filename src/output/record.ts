// One record for people: a field a line, the columns of its table first, then everything else that is not empty.

import { isRecord } from "../data-record.ts";
import { cellText, isScalar } from "./cell.ts";
import type { SheetColumn } from "./columns.ts";
import { shown, words } from "./display.ts";
import { firstName, valueAt } from "./fields.ts";
import { htmlLines } from "./html.ts";
import type { RecordReport } from "./report.ts";
import type { Row } from "./row.ts";
import type { View } from "./view.ts";
import { isolated, textWidth, wrap } from "./width.ts";

/** Narrower than this, text is not readable, whatever the terminal. */
const leastWidth = 10;

/** A line that is an address and nothing else. The terminal breaks it by itself, and can still open it; what we break it can't. */
const address = /^https?:\/\/\S+$/;

/** The record in lines of `name  value`, long texts wrapped and addresses whole. Objects that have no short form are named in the last line. */
export function recordText(columns: readonly SheetColumn[], row: Row, view: View, brief?: RecordReport["brief"]): string {
  const asked = view.fields !== undefined || view.columns !== undefined;
  const short = view.tty && !view.wide && !asked ? brief : undefined;
  const all = [...new Set([...columns.map((column) => firstName(column.path)), ...Object.keys(row.cells)])];
  const paths = asked ? columns.map((column) => column.path) : all.filter((path) => short?.fields.includes(path) !== false);
  const entries = paths.map((path) => ({ path, lines: linesOf(path, columns, row, view) }));
  const folded = entries.filter((entry) => entry.lines === undefined).map((entry) => entry.path);
  const open = entries.map(({ path, lines }) => ({ path, lines: lines ?? (asked ? [cellText(valueAt(row.cells, path))] : []) }));
  if (short?.all !== undefined) open.push({ path: "…", lines: [`all of it: ${short.all}`] });
  else if (folded.length > 0 && !asked) open.push({ path: "…", lines: [`${folded.map(words).join(", ")} (--json shows them)`] });
  return entryText(
    open.filter(({ lines }) => lines.some((line) => line !== "")),
    view,
  );
}

function entryText(entries: readonly { readonly path: string; readonly lines: readonly string[] }[], view: View): string {
  const indent = Math.max(0, ...entries.map(({ path }) => textWidth(words(path)))) + 2;
  const width = view.width === undefined || view.wide ? Number.POSITIVE_INFINITY : Math.max(leastWidth, view.width - indent);
  return entries
    .flatMap(({ path, lines }) =>
      lines
        .flatMap((line) => (address.test(line) ? [line] : wrap(line, width)))
        .map((line, index) => {
          const label = index === 0 ? words(path) : "";
          return `${view.style.bold(label)}${" ".repeat(indent - textWidth(label))}${isolated(line)}`.trimEnd();
        }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** The text of a field; undefined where it has no short form. */
function linesOf(path: string, columns: readonly SheetColumn[], row: Row, view: View): readonly string[] | undefined {
  const column = columns.find((candidate) => candidate.path === path);
  const value = valueAt(row.cells, path);
  if (column !== undefined && column.kind !== "text") return [shown(column, row, view)];
  if (typeof value === "string") return htmlLines(value);
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return [words(value)];
  if (isRecord(value) && Object.keys(value).length === 0) return [];
  const parts = Array.isArray(value) ? value : [value];
  const names = parts.flatMap((part: unknown) => linkedName(part, path) ?? []);
  return names.length === parts.length ? [names.join(", ")] : undefined;
}

/** `Blue Note (5)` for a record inside a record. Its name is in the field that is called as the record is, or in one of the usual. */
function linkedName(value: unknown, field: string): string | undefined {
  if (!isRecord(value) || value["id"] === undefined) return undefined;
  const name = [field, "name", "title"].map((key) => valueAt(value, key)).find((text) => typeof text === "string");
  return name === undefined ? undefined : `${words(name)} (${words(value["id"])})`;
}
