// Reports as YAML: one document.
import { allData, envelope } from "./json.ts";
import type { Sheet } from "./sheet.ts";
import type { View } from "./view.ts";
import { stringifyYaml } from "./yaml-text.ts";

/** What the package leaves as it is and a terminal may obey. */
const unsafe = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as a sequence, or one mapping; with `--envelope` `{items, total, ...}`. */
export async function* yaml(sheet: Sheet, view: View): AsyncGenerator<string> {
  const items = await allData(sheet);
  if (sheet.kind === "record") yield yamlDocument(items[0], view);
  else yield yamlDocument(sheet.kind === "list" && view.envelope ? envelope(items, sheet) : items, view);
}

/** A value as a document of its own; on a terminal control characters are blanked. */
export function yamlDocument(value: unknown, view: View): string {
  const text = stringifyYaml(value);
  return view.tty ? text.replace(unsafe, " ") : text;
}
