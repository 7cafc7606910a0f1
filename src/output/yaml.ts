// YAML, read and written; the only importer of yaml.

import { parseDocument, stringify } from "yaml";
import { maxDepth } from "../http/json.ts";
import { escapeControls } from "../text.ts";
import { collectDocument } from "./json.ts";
import type { OutputOptions } from "./report.ts";
import type { Rows } from "./rows.ts";

/** The records as a sequence, or one mapping; with `--envelope` `{items, total, ...}`. */
export async function* formatYaml(rows: Rows, options: OutputOptions): AsyncGenerator<string> {
  yield formatYamlDocument(await collectDocument(rows, options), options);
}

/** A value as a document of its own; on a terminal control and invisible characters are written as escapes, which keeps the value. */
export function formatYamlDocument(value: unknown, options: OutputOptions): string {
  const text = stringifyYaml(value);
  if (!options.tty || escapeControls(text, { keepLines: true }) === text) return text;
  // Only between double quotes an escape is one.
  return escapeControls(stringify(value, { ...writeOptions, defaultStringType: "QUOTE_DOUBLE" }), { keepLines: true });
}

/**
 * The value of a YAML document; integers beyond ±(2^53 - 1) become bigint. Throws an Error where the text is none, where its aliases
 * multiply it, and for tags and numbers that JSON does not have.
 */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { intAsBigInt: true, resolveKnownTags: false, logLevel: "error" });
  // A warning is about a tag or a directive that would be left out.
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  return normalizeNumbers(document.toJS());
}

const writeOptions = { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 } as const;

/** A document without aliases. Texts that YAML 1.1 reads as something else (`yes`, `12:30`, dates) are quoted too. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, writeOptions);
}

/** A field and its text as a block, so that any text can be typed there; what a block can't hold is quoted. */
export function stringifyYamlBlock(name: string, text: string): string {
  if (text === "") return `${name}: |-\n  \n`;
  return stringify({ [name]: text }, { defaultStringType: "BLOCK_LITERAL", defaultKeyType: "PLAIN", lineWidth: 0 });
}

/** Integers as numbers wherever a number can hold them. */
function normalizeNumbers(value: unknown, levels = maxDepth): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${value} is not a number that can be sent`);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) throw new Error(`YAML nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return value.map((part: unknown) => normalizeNumbers(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normalizeNumbers(part, levels - 1)]));
}
