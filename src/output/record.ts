// One record for people: a field a line, the columns of its table first, then everything else that is not empty.
import { isRecord } from "../data-record.ts";
import type { OutputOptions, Row } from "./report.ts";
import {
  formatCell,
  formatPlainValue,
  getTopLevelField,
  getValueAtPath,
  htmlToLines,
  isScalar,
  type OutputColumn,
  type Rows,
  stringifyCellValue,
} from "./rows.ts";
import { isolateRightToLeft, measureWidth, wrapToWidth } from "./width.ts";

/** Narrower than this, text is not readable, whatever the terminal. */
const minTextWidth = 10;

/** A line that is an address and nothing else. The terminal breaks it by itself, and can still open it; what we break it can't. */
const urlPattern = /^https?:\/\/\S+$/;

/** The record in lines of `name  value`, long texts wrapped and addresses whole. Objects that have no short form are named in the last line. */
export async function* formatRecordTable(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  for await (const rows of sheet.batches) for (const row of rows) yield formatRecord(sheet, row, view);
}

function formatRecord({ columns, recordSummary }: Rows, row: Row, view: OutputOptions): string {
  const asked = view.fields !== undefined || view.columns !== undefined;
  const short = view.tty && !view.wide && !asked ? recordSummary : undefined;
  const all = [...new Set([...columns.map((column) => getTopLevelField(column.path)), ...Object.keys(row.cells)])];
  const paths = asked ? columns.map((column) => column.path) : all.filter((path) => short?.fields.includes(path) !== false);
  const entries = paths.map((path) => ({ path, lines: formatFieldLines(path, columns, row, view) }));
  const folded = entries.filter((entry) => entry.lines === undefined).map((entry) => entry.path);
  const open = entries.map(({ path, lines }) => ({
    path,
    lines: lines ?? (asked ? [stringifyCellValue(getValueAtPath(row.cells, path))] : []),
  }));
  if (short?.all !== undefined) open.push({ path: "…", lines: [`all of it: ${short.all}`] });
  else if (folded.length > 0 && !asked) open.push({ path: "…", lines: [`${folded.map(formatPlainValue).join(", ")} (--json shows them)`] });
  return formatRecordFields(
    open.filter(({ lines }) => lines.some((line) => line !== "")),
    view,
  );
}

function formatRecordFields(entries: readonly { readonly path: string; readonly lines: readonly string[] }[], view: OutputOptions): string {
  const indent = Math.max(0, ...entries.map(({ path }) => measureWidth(formatPlainValue(path)))) + 2;
  const width = view.width === undefined || view.wide ? Number.POSITIVE_INFINITY : Math.max(minTextWidth, view.width - indent);
  return entries
    .flatMap(({ path, lines }) =>
      lines
        .flatMap((line) => (urlPattern.test(line) ? [line] : wrapToWidth(line, width)))
        .map((line, index) => {
          const label = index === 0 ? formatPlainValue(path) : "";
          return `${view.style.bold(label)}${" ".repeat(indent - measureWidth(label))}${isolateRightToLeft(line)}`.trimEnd();
        }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** The text of a field; undefined where it has no short form. */
function formatFieldLines(path: string, columns: readonly OutputColumn[], row: Row, view: OutputOptions): readonly string[] | undefined {
  const column = columns.find((candidate) => candidate.path === path);
  const value = getValueAtPath(row.cells, path);
  if (column !== undefined && column.kind !== "text") return [formatCell(column, row, view)];
  if (typeof value === "string") return htmlToLines(value);
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return [formatPlainValue(value)];
  if (isRecord(value) && Object.keys(value).length === 0) return [];
  const parts = Array.isArray(value) ? value : [value];
  const names = parts.flatMap((part: unknown) => formatLinkedRecord(part, path) ?? []);
  return names.length === parts.length ? [names.join(", ")] : undefined;
}

/** `Blue Note (5)` for a record inside a record. Its name is in the field that is called as the record is, or in one of the usual. */
function formatLinkedRecord(value: unknown, field: string): string | undefined {
  if (!isRecord(value) || value["id"] === undefined) return undefined;
  const name = [field, "name", "title"].map((key) => getValueAtPath(value, key)).find((text) => typeof text === "string");
  return name === undefined ? undefined : `${formatPlainValue(name)} (${formatPlainValue(value["id"])})`;
}
