// JSON: one indented document. It is printed after the last record, so that a failed page prints no half list.
import { stringifyExact } from "../http/json.ts";
import { escapeControls } from "../text.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** Records in one string; a string of a whole list could be longer than a string can be. */
const itemsPerChunk = 500;

/** The records as the server sent them: an array, or one object; with `--envelope` `{items, total, ...}`. */
export async function* formatJson(rows: Rows, options: OutputOptions): AsyncGenerator<string> {
  const document = await collectDocument(rows, options);
  if (!Array.isArray(document)) return yield formatJsonDocument(document, options);
  if (document.length === 0) return yield "[]\n";
  for (let start = 0; start < document.length; start += itemsPerChunk) {
    // The text of an array without its brackets.
    const text = stringifyJson(document.slice(start, start + itemsPerChunk), options, 2).slice(2, -2);
    yield `${start === 0 ? "[\n" : ",\n"}${text}`;
  }
  yield "\n]\n";
}

/** The data of all rows as one value. */
export async function collectDocument(rows: Rows, options: OutputOptions): Promise<unknown> {
  const items: unknown[] = [];
  for await (const batch of rows.batches) for (const row of batch) items.push(row.data);
  if (rows.kind === "record") return items[0];
  return rows.kind === "list" && options.envelope ? { items, ...rows.summary?.() } : items;
}

export function formatJsonDocument(value: unknown, options: OutputOptions): string {
  return `${stringifyJson(value, options, 2)}\n`;
}

/** A value as JSON; on a terminal control and invisible characters are written as escapes, which keeps the value. */
export function stringifyJson(value: unknown, options: OutputOptions, indent = 0): string {
  const text = stringifyExact(value, indent);
  return options.tty ? escapeControls(text, { keepLines: true }) : text;
}
