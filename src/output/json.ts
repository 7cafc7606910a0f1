// JSON: one document, indented. It is held back to its end, so that a failed page prints no half list.
import { stringifyExact } from "../http/json-text.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** Records that are written at once; one string of a whole list could be longer than a string can be. */
const chunk = 500;

/** What JSON does not escape and a terminal may obey. */
const unsafe = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as the server sent them: an array, or one object; with `--envelope` `{items, total, ...}`. */
export async function* json(sheet: Sheet, view: View): AsyncGenerator<string> {
  const items = await allData(sheet);
  if (sheet.kind === "record") yield jsonDocument(items[0], view);
  else if (sheet.kind === "list" && view.envelope) yield jsonDocument(envelope(items, sheet), view);
  else yield* array(items, view);
}

/** A value as an indented document of its own. */
export function jsonDocument(value: unknown, view: View): string {
  return `${jsonText(value, view, 2)}\n`;
}

/** A value as JSON; on a terminal its control characters are written as escapes, which keeps the value. */
export function jsonText(value: unknown, view: View, indent = 0): string {
  const text = stringifyExact(value, indent);
  return view.tty ? text.replace(unsafe, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`) : text;
}

/** The data of all rows. */
export async function allData(sheet: Sheet): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const rows of sheet.rows) for (const row of rows) items.push(row.data);
  return items;
}

/** The items with what is known of the list; to be asked for when the rows are read. */
export function envelope(items: readonly unknown[], sheet: Sheet): Readonly<Record<string, unknown>> {
  return { items, ...sheet.summary?.() };
}

function* array(items: readonly unknown[], view: View): Generator<string> {
  if (items.length === 0) yield "[]\n";
  for (let start = 0; start < items.length; start += chunk) {
    // The text of an array without its brackets: the items, indented as they belong.
    const text = jsonText(items.slice(start, start + chunk), view, 2).slice(2, -2);
    yield `${start === 0 ? "[\n" : ",\n"}${text}`;
  }
  if (items.length > 0) yield "\n]\n";
}
