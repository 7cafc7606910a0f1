// YAML, read and written; the only importer of yaml.

import {
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  stringify,
  visit,
} from "yaml";
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

/** One name of a mapping with what it holds: texts as they are written, so that `007` and `1.50` stay. */
export interface YamlEntry {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly value: string | readonly string[];
}

export interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

/** What people meet most, in plain words. */
const yamlProblems: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "a tab: YAML takes only spaces before a name",
  BAD_SCALAR_START: "a text that begins with this character needs quotes",
  DUPLICATE_KEY: "this name is there twice",
  MULTIPLE_DOCS: "a second document begins here: a file holds one record",
};

/** A mapping of names to texts and lists of texts, with the line of each. Everything else that YAML has is a problem. */
export function parseYamlMapping(text: string): { readonly entries: readonly YamlEntry[]; readonly problems: readonly YamlProblem[] } {
  const marker = text.split(/\r?\n/).findIndex((line) => /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line));
  if (marker !== -1) return { entries: [], problems: [{ line: marker + 1, message: "a merge conflict of git: resolve it first" }] };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter, logLevel: "error" });
  const lineAt = (at = 0) => lineCounter.linePos(at).line;
  const problems = document.errors.map(({ code, message, pos }) => ({ line: lineAt(pos[0]), message: yamlProblems[code] ?? message }));
  const refuse = ({ range }: { readonly range?: Node["range"] }, message: string) => {
    problems.push({ line: lineAt(range?.[0]), message });
  };
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) refuse(node, "an alias is not taken: write the value");
      else if (node.tag !== undefined) refuse(node, `the tag ${node.tag} is not taken`);
      else if (node.anchor !== undefined) refuse(node, "an anchor is not taken");
    },
  });
  if (problems.length > 0) return { entries: [], problems };
  const { contents } = document;
  if (!isMap(contents))
    return { entries: [], problems: [{ line: 1, message: "it holds no fields: write one on each line, as name: value" }] };
  const entries = contents.items.flatMap(({ key, value }): readonly YamlEntry[] => {
    const line = lineAt(isNode(key) ? key.range?.[0] : undefined);
    const name = isScalar(key) ? toScalarText(key) : "";
    if (name === "") problems.push({ line, message: "a name of a field is missing" });
    const parts = isSeq(value) ? value.items : [value];
    const texts = parts.flatMap((part) => (part === null ? [""] : isScalar(part) ? [toScalarText(part)] : []));
    if (texts.length < parts.length)
      problems.push({ line, message: `${name} takes a text${isSeq(value) ? " in each line of its list" : ""}` });
    return [{ name, line, value: isSeq(value) ? texts : (texts[0] ?? "") }];
  });
  return { entries, problems };
}

/** An unquoted text as it is written; null is empty. */
function toScalarText({ type, source, value }: Scalar): string {
  if (value === null) return "";
  return type === Scalar.PLAIN && source !== undefined ? source : String(value);
}

/** Characters of a line from which on a text is a block. */
const maxLine = 80;

/** A field of a file: long texts and those with several lines as a block. */
export function stringifyYamlField(name: string, value: string | boolean | readonly string[]): string {
  if (typeof value !== "string" || (value.length <= maxLine && !value.includes("\n"))) return stringifyYaml({ [name]: value });
  return stringify({ [name]: value }, { ...writeOptions, defaultStringType: "BLOCK_LITERAL", defaultKeyType: "PLAIN" });
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
