// A record as a text to be edited: YAML with what can be written, and what became of it in the editor.
import { type DataRecord, getText, isRecord, valueToText } from "../../api/record.ts";
import { toList, toWritableValue } from "../../api/writable.ts";
import { messageOf, usageError } from "../../errors.ts";
import { toPlainText } from "../../http/clean.ts";
import { stringifyExact } from "../../http/json-text.ts";
import { sanitizeLine } from "../../http/line.ts";
import { parseYaml, stringifyYaml, stringifyYamlBlock } from "../../output/yaml-text.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerProfile } from "../../spec/server-kinds.ts";
import { describeRecord } from "./after.ts";

/** Fields and their values, as YAML holds them. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The text of a record: every field that can be written, those without a value as comments. */
export function formatRecordAsYaml(resource: Resource, record: DataRecord, kind: ServerProfile): string {
  const header = [
    `# ${sanitizeLine(describeRecord(resource, record))}`,
    "# Save and leave the editor to send what you change; change nothing to send nothing.",
    '# To empty a field, write "" behind its name ([] for a list). A field without a line stays as it is.',
    "# Linked records are named by id, by slug or by name.",
    '# A long text stands below "|-", each line indented by two spaces; anything may be typed there.',
    "",
  ];
  const fields = resource.fields.map((field) => formatFieldAsYaml(field, record, kind).replace(/\n$/, ""));
  return `${[...header, ...fields].join("\n")}\n`;
}

function formatFieldAsYaml(field: Field, record: DataRecord, kind: ServerProfile): string {
  const value = toWritableValue(field, record, kind);
  if (field.format === "html") {
    const text = valueToText(value);
    // The kept text may be sent as a whole: a field that such a server refuses to be sent empty must not stand in it so.
    if (value === undefined || (kind.rendersText && text === "")) return `# ${field.name}: |-`;
    return kind.rendersText ? formatReadOnlyText(field.name, text) : stringifyYamlBlock(field.name, text);
  }
  if (value === undefined) return `# ${field.name}:`;
  if (field.refersTo === undefined || !Array.isArray(value)) return stringifyYaml({ [field.name]: value });
  const { titleField } = resources[field.refersTo];
  const names = toList(record[field.name]).flatMap((item) => (isRecord(item) ? toPlainText(getText(item, titleField)) : []));
  return `${field.name}: ${stringifyExact(value)}${names.length === 0 ? "" : ` # ${names.join(", ")}`}`;
}

/** What stands behind the name of a text that is only shown. */
export const readOnlyMarker = ": shown as it looks on the page";

/** What was written can't be told from what such a server returns: sent back, it would replace the original. */
function formatReadOnlyText(name: string, html: string): string {
  const lines = html
    .trim()
    .split(/\r?\n/)
    .map((line) => `#   ${sanitizeLine(line)}`.trimEnd());
  return [`# ${name}${readOnlyMarker}; it stays unless you write it anew: "${name}: |-" and the text below, indented`, ...lines].join("\n");
}

/** The values that a text holds; usage error where it is no YAML or no fields. A text of comments alone holds none. */
export function parseFieldValues(text: string): FieldValues {
  const value = parseEditedYaml(text);
  if (value === null || value === undefined) return {};
  if (isRecord(value)) return value;
  throw usageError("the text does not hold fields and their values");
}

function parseEditedYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const lines = messageOf(error)
      .split("\n")
      .filter((line) => line.trim() !== "");
    throw usageError(`the text is no YAML: ${lines.join("\n")}`, 'put the text in quotes, or below "|-", indented');
  }
}

/** The values that are new or others than before. */
export function findChangedValues(before: FieldValues, after: FieldValues): FieldValues {
  const isSame = (name: string, value: unknown) => Object.hasOwn(before, name) && stringifyExact(before[name]) === stringifyExact(value);
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(name, value)));
}

/** The changes as lines of YAML, `-` for what was and `+` for what is to be; lines that stay at both ends of a long text are left out. */
export function formatDiff(before: FieldValues, changes: FieldValues): string {
  return Object.entries(changes)
    .flatMap(([name, value]) => {
      const from = Object.hasOwn(before, name) ? toYamlLines(name, before[name]) : [];
      return diffLines(from, toYamlLines(name, value));
    })
    .join("\n");
}

function toYamlLines(name: string, value: unknown): readonly string[] {
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
