// JSON: one indented document. It is printed after the last record, so that a failed page prints no half list.
import { stringifyExact } from "../http/json.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** Records in one string; a string of a whole list could be longer than a string can be. */
const itemsPerChunk = 500;

/** Neither JSON nor YAML escapes them, and a terminal may obey them. */
export const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as the server sent them: an array, or one object; with `--envelope` `{items, total, ...}`. */
export async function* formatJson(rows: Rows, view: OutputOptions): AsyncGenerator<string> {
  const document = await collectDocument(rows, view);
  if (!Array.isArray(document)) return yield formatJsonDocument(document, view);
  if (document.length === 0) return yield "[]\n";
  for (let start = 0; start < document.length; start += itemsPerChunk) {
    // The text of an array without its brackets.
    const text = stringifyJson(document.slice(start, start + itemsPerChunk), view, 2).slice(2, -2);
    yield `${start === 0 ? "[\n" : ",\n"}${text}`;
  }
  yield "\n]\n";
}

/** The data of all rows as one value. */
export async function collectDocument(rows: Rows, view: OutputOptions): Promise<unknown> {
  const items: unknown[] = [];
  for await (const batch of rows.batches) for (const row of batch) items.push(row.data);
  if (rows.kind === "record") return items[0];
  return rows.kind === "list" && view.envelope ? { items, ...rows.summary?.() } : items;
}

export function formatJsonDocument(value: unknown, view: OutputOptions): string {
  return `${stringifyJson(value, view, 2)}\n`;
}

/** A value as JSON; on a terminal its control characters are written as escapes, which keeps the value. */
export function stringifyJson(value: unknown, view: OutputOptions, indent = 0): string {
  const text = stringifyExact(value, indent);
  return view.tty ? text.replace(unsafeCharacters, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}
