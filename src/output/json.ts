// JSON: one document, indented. It is held back to its end, so that a failed page prints no half list.
import { stringifyExact } from "../http/json.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** Records that are written at once; one string of a whole list could be longer than a string can be. */
const itemsPerChunk = 500;

/** What JSON does not escape and a terminal may obey. */
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as the server sent them: an array, or one object; with `--envelope` `{items, total, ...}`. */
export async function* formatJson(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  const items = await collectData(sheet);
  if (sheet.kind === "record") yield formatJsonDocument(items[0], view);
  else if (sheet.kind === "list" && view.envelope) yield formatJsonDocument(createEnvelope(items, sheet), view);
  else yield* formatJsonArray(items, view);
}

/** A value as an indented document of its own. */
export function formatJsonDocument(value: unknown, view: OutputOptions): string {
  return `${stringifyJson(value, view, 2)}\n`;
}

/** A value as JSON; on a terminal its control characters are written as escapes, which keeps the value. */
export function stringifyJson(value: unknown, view: OutputOptions, indent = 0): string {
  const text = stringifyExact(value, indent);
  return view.tty ? text.replace(unsafeCharacters, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

/** The data of all rows. */
export async function collectData(sheet: Rows): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const rows of sheet.batches) for (const row of rows) items.push(row.data);
  return items;
}

/** The items with what is known of the list; to be asked for when the rows are read. */
export function createEnvelope(items: readonly unknown[], sheet: Rows): Readonly<Record<string, unknown>> {
  return { items, ...sheet.summary?.() };
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
