// JSON, JSON lines and YAML, as `list` and `get` print them.
import { isRecord } from "../data-record.ts";
import { messageOf, usageError } from "../errors.ts";
import { parseExactJson } from "../http/json.ts";
import type { SourceRow } from "./row.ts";

/** The records of a document: a list, one record, the object of `--envelope`, or the answer of a site. A usage error for anything else. */
export async function readDocument(
  text: string,
  format: "json" | "yaml",
  { label, resource }: { label: string; resource: string },
): Promise<readonly SourceRow[]> {
  const value = await parseDocument(text, format, label);
  const list = Array.isArray(value) ? value : isRecord(value) ? findList(value, resource) : undefined;
  if (list === undefined) throw usageError(`${label} is not a list of records`, "write a list of objects, as cal prints it with --json");
  return list.map((record: unknown, at): SourceRow => {
    if (!isRecord(record)) throw usageError(`${label}: record ${at + 1} is not an object with fields`);
    return { item: `record ${at + 1}`, values: record, problems: [], warnings: [] };
  });
}

function findList(value: Readonly<Record<string, unknown>>, resource: string): readonly unknown[] {
  for (const name of ["items", resource]) {
    const list = value[name];
    if (Array.isArray(list)) return list;
  }
  return [value];
}

async function parseDocument(text: string, format: "json" | "yaml", label: string): Promise<unknown> {
  if (text.trim() === "") throw usageError(`${label} is empty`);
  try {
    if (format === "json") return await parseExactJson(text);
    const { parseYaml } = await import("../output/yaml.ts");
    return parseYaml(text);
  } catch (error) {
    throw usageError(`${label} is not valid ${format.toUpperCase()}: ${locate(messageOf(error), text)}`);
  }
}

/** JSON.parse names a position, from 0; people look for a line. */
function locate(message: string, text: string): string {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position === undefined || /\bline \d/.test(message)) return message;
  const line = text.slice(0, Number(position)).split("\n").length;
  return `${message} (line ${line})`;
}

/** Characters of one line at most. */
const maxLine = 4 * 1024 * 1024;

/** One record a line; empty lines are left out. A usage error with the line that is no JSON object. */
export async function* readLines(texts: AsyncIterable<string>, label: string): AsyncGenerator<SourceRow> {
  let line = 0;
  let rest = "";
  let found = false;
  const parse = async (text: string): Promise<readonly SourceRow[]> => {
    line += 1;
    if (text.trim() === "") return [];
    found = true;
    const record = await parseExactJson(text).catch((error: unknown) => {
      throw usageError(`${label}:${line}: this line is not valid JSON: ${messageOf(error)}`);
    });
    if (!isRecord(record)) throw usageError(`${label}:${line}: this line is not an object with fields`);
    return [{ line, values: record, problems: [], warnings: [] }];
  };
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) yield* await parse(one);
    if (rest.length > maxLine) throw usageError(`${label}:${line + 1}: this line is longer than 4 MB`);
  }
  yield* await parse(rest);
  if (!found) throw usageError(`${label} is empty`);
}
