// Reports as YAML: one document.
import { collectData, createEnvelope } from "./json.ts";
import type { Rows } from "./sheet.ts";
import type { OutputOptions } from "./view.ts";
import { stringifyYaml } from "./yaml-text.ts";

/** What the package leaves as it is and a terminal may obey. */
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The records as a sequence, or one mapping; with `--envelope` `{items, total, ...}`. */
export async function* formatYaml(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  const items = await collectData(sheet);
  if (sheet.kind === "record") yield formatYamlDocument(items[0], view);
  else yield formatYamlDocument(sheet.kind === "list" && view.envelope ? createEnvelope(items, sheet) : items, view);
}

/** A value as a document of its own; on a terminal control characters are blanked. */
export function formatYamlDocument(value: unknown, view: OutputOptions): string {
  const text = stringifyYaml(value);
  return view.tty ? text.replace(unsafeCharacters, " ") : text;
}
