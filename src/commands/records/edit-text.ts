// A record as a text to be edited: YAML with what can be written, and what became of it in the editor.
import { type DataRecord, isRecord, plain, textAt } from "../../api/record.ts";
import { listOf, writableValue } from "../../api/writable.ts";
import { messageOf, usage } from "../../errors.ts";
import { plainText } from "../../http/clean.ts";
import { stringifyExact } from "../../http/json-text.ts";
import { oneLine } from "../../http/line.ts";
import { parseYaml, stringifyBlock, stringifyYaml } from "../../output/yaml-text.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerKind } from "../../spec/server-kinds.ts";
import { described } from "./after.ts";

/** Fields and their values, as YAML holds them. */
export type Values = Readonly<Record<string, unknown>>;

/** The text of a record: every field that can be written, those without a value as comments. */
export function editText(resource: Resource, record: DataRecord, kind: ServerKind): string {
  const header = [
    `# ${oneLine(described(resource, record))}`,
    "# Save and leave the editor to send what you change; change nothing to send nothing.",
    '# To empty a field, write "" behind its name ([] for a list). A field without a line stays as it is.',
    "# Linked records are named by id, by slug or by name.",
    '# A long text stands below "|-", each line indented by two spaces; anything may be typed there.',
    "",
  ];
  const fields = resource.fields.map((field) => fieldText(field, record, kind).replace(/\n$/, ""));
  return `${[...header, ...fields].join("\n")}\n`;
}

function fieldText(field: Field, record: DataRecord, kind: ServerKind): string {
  const value = writableValue(field, record, kind);
  if (field.format === "html") {
    const text = plain(value);
    // The kept text may be sent as a whole: a field that such a server refuses to be sent empty must not stand in it so.
    if (value === undefined || (kind.rendersText && text === "")) return `# ${field.name}: |-`;
    return kind.rendersText ? renderedText(field.name, text) : stringifyBlock(field.name, text);
  }
  if (value === undefined) return `# ${field.name}:`;
  if (field.refersTo === undefined || !Array.isArray(value)) return stringifyYaml({ [field.name]: value });
  const { title } = resources[field.refersTo];
  const names = listOf(record[field.name]).flatMap((item) => (isRecord(item) ? plainText(textAt(item, title)) : []));
  return `${field.name}: ${stringifyExact(value)}${names.length === 0 ? "" : ` # ${names.join(", ")}`}`;
}

/** What stands behind the name of a text that is only shown. */
export const onlyShown = ": shown as it looks on the page";

/** What was written can't be told from what such a server returns: sent back, it would replace the original. */
function renderedText(name: string, html: string): string {
  const lines = html
    .trim()
    .split(/\r?\n/)
    .map((line) => `#   ${oneLine(line)}`.trimEnd());
  return [`# ${name}${onlyShown}; it stays unless you write it anew: "${name}: |-" and the text below, indented`, ...lines].join("\n");
}

/** The values that a text holds; usage error where it is no YAML or no fields. A text of comments alone holds none. */
export function valuesIn(text: string): Values {
  const value = parsed(text);
  if (value === null || value === undefined) return {};
  if (isRecord(value)) return value;
  throw usage("the text does not hold fields and their values");
}

function parsed(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const lines = messageOf(error)
      .split("\n")
      .filter((line) => line.trim() !== "");
    throw usage(`the text is no YAML: ${lines.join("\n")}`, 'put the text in quotes, or below "|-", indented');
  }
}

/** The values that are new or others than before. */
export function changedValues(before: Values, after: Values): Values {
  const isSame = (name: string, value: unknown) => Object.hasOwn(before, name) && stringifyExact(before[name]) === stringifyExact(value);
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(name, value)));
}

/** The changes as lines of YAML, `-` for what was and `+` for what is to be; lines that stay at both ends of a long text are left out. */
export function diffText(before: Values, changes: Values): string {
  return Object.entries(changes)
    .flatMap(([name, value]) => {
      const from = Object.hasOwn(before, name) ? linesOf(name, before[name]) : [];
      return diffLines(from, linesOf(name, value));
    })
    .join("\n");
}

function linesOf(name: string, value: unknown): readonly string[] {
  return stringifyYaml({ [name]: value })
    .trimEnd()
    .split("\n");
}

function diffLines(from: readonly string[], to: readonly string[]): readonly string[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const middle = (lines: readonly string[], mark: string) => lines.slice(head, lines.length - tail).map((line) => `${mark} ${line}`);
  return [...(head === 0 ? [] : [`  ${to[0] ?? ""}`]), ...middle(from, "-"), ...middle(to, "+")];
}
