// One record for people: one field on each line, what people read first at the top, without the fields that are empty.
import { isRecord } from "../data-record.ts";
import { decodeEntities, replaceTags } from "../html-text.ts";
import { sanitizeLine } from "../text.ts";
import type { OutputOptions, Row } from "./report.ts";
import {
  formatCell,
  formatPlainValue,
  getTopLevelField,
  getValueAtPath,
  isText,
  type OutputColumn,
  type Rows,
  stringifyCellValue,
} from "./rows.ts";
import { isolateRightToLeft, measureWidth, wrapToWidth } from "./width.ts";

/** Narrower than this, text is not readable, whatever the terminal. */
const minTextWidth = 10;

/** A line that is only an address. A terminal can still open it where the terminal itself breaks the line. */
const urlPattern = /^https?:\/\/\S+$/;

/** The record in lines of `name  value`, long texts wrapped and addresses whole. The last line names nested objects that have no short form. */
export async function* formatRecord(rows: Rows, options: OutputOptions): AsyncGenerator<string> {
  for await (const batch of rows.batches) for (const row of batch) yield formatRow(rows, row, options);
}

function formatRow({ columns, recordSummary, fieldOrder }: Rows, row: Row, options: OutputOptions): string {
  const chosen = options.fields !== undefined;
  const summary = options.tty && !options.wide && !chosen ? recordSummary : undefined;
  const known = [...columns.map((column) => getTopLevelField(column.path)), ...Object.keys(row.cells)];
  const { first = [], last = [] } = fieldOrder ?? {};
  const all = [...new Set([...first.filter((path) => known.includes(path)), ...known.filter((path) => !last.includes(path)), ...last])];
  const paths = chosen ? columns.map((column) => column.path) : all.filter((path) => summary?.fields.includes(path) !== false);
  const columnByPath = new Map(columns.map((column) => [column.path, column]));
  const hidden: string[] = [];
  const fields = paths.map((path) => {
    const lines = formatFieldLines(path, columnByPath.get(path), row, options);
    if (lines === undefined) hidden.push(formatPlainValue(path));
    return { label: formatPlainValue(path), lines: lines ?? (chosen ? [stringifyCellValue(getValueAtPath(row.cells, path))] : []) };
  });
  if (summary?.all !== undefined) fields.push({ label: "…", lines: [`all of it: ${summary.all}`] });
  else if (hidden.length > 0 && !chosen) fields.push({ label: "…", lines: [`${hidden.join(", ")} (--json shows them)`] });
  const shown = fields.filter(({ lines }) => lines.some((line) => line !== ""));
  const indent = shown.reduce((widest, { label }) => Math.max(widest, measureWidth(label)), 0) + 2;
  const width = options.width === undefined || options.wide ? Number.POSITIVE_INFINITY : Math.max(minTextWidth, options.width - indent);
  let text = "";
  for (const { label, lines } of shown) {
    lines
      .flatMap((line) => (urlPattern.test(line) ? [line] : wrapToWidth(line, width)))
      .forEach((line, index) => {
        const start = index > 0 ? " ".repeat(indent) : options.style.bold(label) + " ".repeat(indent - measureWidth(label));
        text += `${(start + isolateRightToLeft(line)).trimEnd()}\n`;
      });
  }
  return text;
}

/** The text of a field; undefined where it has no short form. */
function formatFieldLines(path: string, column: OutputColumn | undefined, row: Row, options: OutputOptions): readonly string[] | undefined {
  const value = getValueAtPath(row.cells, path);
  if (column !== undefined && column.kind !== "text") return [formatCell(column, row, options)];
  if (typeof value === "string") return htmlToLines(value);
  if (isText(value)) return [formatPlainValue(value)];
  if (isRecord(value) && Object.keys(value).length === 0) return [];
  const parts = Array.isArray(value) ? value : [value];
  const names = parts.flatMap((part: unknown) => formatLinkedRecord(part, path) ?? []);
  return names.length === parts.length ? [names.join(", ")] : undefined;
}

/** `Blue Note (5)` for a nested record. Its name is in a field with the name of the outer field, or in `name` or `title`. */
function formatLinkedRecord(value: unknown, field: string): string | undefined {
  if (!isRecord(value) || value["id"] === undefined) return undefined;
  const name = [field, "name", "title"].map((key) => getValueAtPath(value, key)).find((text) => typeof text === "string");
  return name === undefined ? undefined : `${formatPlainValue(name)} (${formatPlainValue(value["id"])})`;
}

const paragraphTagPattern = /^<\/?(?:blockquote|div|dl|figure|h[1-6]|hr|ol|p|pre|section|table|ul)\b/i;
const lineBreakTagPattern = /^<(?:br|dd|dt|tr)\b/i;

/** The lines of a text: paragraphs with an empty line between them, list items with a dash, links with their address; safe on a terminal. */
export function htmlToLines(html: string): readonly string[] {
  const isMarkup = /<[a-z!/]/i.test(html);
  const text = isMarkup ? replaceTags(html.replace(/\s+/g, " "), createTagReplacer()) : html;
  const lines = decodeEntities(text)
    .split(/\r?\n/)
    .map((line) => sanitizeLine(line).replace(/\s+/g, " ").trim());
  const spaced = lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "");
  return spaced.at(-1) === "" ? spaced.slice(0, -1) : spaced;
}

/** Replaces a tag; it remembers the link that is open. */
function createTagReplacer(): (tag: string) => string {
  let link = "";
  return (tag) => {
    if (/^<a\s/i.test(tag)) link = /\shref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? "";
    if (/^<\/a\b/i.test(tag) && link !== "") {
      const address = ` (${link})`;
      link = "";
      return address;
    }
    if (/^<li\b/i.test(tag)) return "\n- ";
    if (paragraphTagPattern.test(tag)) return "\n\n";
    return lineBreakTagPattern.test(tag) ? "\n" : /^<\/?t[dh]\b/i.test(tag) ? " " : "";
  };
}
