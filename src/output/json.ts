// JSON: one indented document. It is printed after the last record, so that a failed page prints no half list.
import { stringifyExact } from "../http/json.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** Records in one string; a string of a whole list could be longer than a string can be. */
const itemsPerChunk = 500;

/** What JSON does not escape and a terminal may obey. */
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as the server sent them: an array, or one object; with `--envelope` `{items, total, ...}`. */
export async function* formatJson(rows: Rows, view: OutputOptions): AsyncGenerator<string> {
  const items = await collectData(rows);
  if (rows.kind === "record") yield formatJsonDocument(items[0], view);
  else if (rows.kind === "list" && view.envelope) yield formatJsonDocument(createEnvelope(items, rows), view);
  else yield* formatJsonArray(items, view);
}

export function formatJsonDocument(value: unknown, view: OutputOptions): string {
  return `${stringifyJson(value, view, 2)}\n`;
}

/** A value as JSON; on a terminal its control characters are written as escapes, which keeps the value. */
export function stringifyJson(value: unknown, view: OutputOptions, indent = 0): string {
  const text = stringifyExact(value, indent);
  return view.tty ? text.replace(unsafeCharacters, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

export async function collectData(rows: Rows): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const batch of rows.batches) for (const row of batch) items.push(row.data);
  return items;
}

/** The items with the summary of the list; call it after the rows were read. */
export function createEnvelope(items: readonly unknown[], rows: Rows): Readonly<Record<string, unknown>> {
  return { items, ...rows.summary?.() };
}

function* formatJsonArray(items: readonly unknown[], view: OutputOptions): Generator<string> {
  if (items.length === 0) yield "[]\n";
  for (let start = 0; start < items.length; start += itemsPerChunk) {
    // The text of an array without its brackets: the items, indented as they belong.
    const text = stringifyJson(items.slice(start, start + itemsPerChunk), view, 2).slice(2, -2);
    yield `${start === 0 ? "[\n" : ",\n"}${text}`;
  }
  if (items.length > 0) yield "\n]\n";
}
