// YAML, read and written; the only importer of yaml.

import { parse, stringify } from "yaml";
import { collectDocument, unsafeCharacters } from "./json.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** The records as a sequence, or one mapping; with `--envelope` `{items, total, ...}`. */
export async function* formatYaml(rows: Rows, view: OutputOptions): AsyncGenerator<string> {
  yield formatYamlDocument(await collectDocument(rows, view), view);
}

/** A value as a document of its own; on a terminal control characters are blanked. */
export function formatYamlDocument(value: unknown, view: OutputOptions): string {
  const text = stringifyYaml(value);
  return view.tty ? text.replace(unsafeCharacters, " ") : text;
}

/** The value of a YAML document; integers beyond ±(2^53 - 1) become bigint. Throws an Error where the text is none, or where its aliases multiply it. */
export function parseYaml(text: string): unknown {
  return normalizeIntegers(parse(text, { intAsBigInt: true }));
}

/** A document without aliases. Texts that YAML 1.1 reads as something else (`yes`, `12:30`, dates) are quoted too. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 });
}

/** A field and its text as a block, so that any text can be typed there; what a block can't hold is quoted. */
export function stringifyYamlBlock(name: string, text: string): string {
  if (text === "") return `${name}: |-\n  \n`;
  return stringify({ [name]: text }, { defaultStringType: "BLOCK_LITERAL", defaultKeyType: "PLAIN", lineWidth: 0 });
}

/** Integers as numbers wherever a number can hold them. */
function normalizeIntegers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(normalizeIntegers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalizeIntegers(part)]));
}
