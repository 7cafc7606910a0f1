// The JSON or YAML of --data: from a file, stdin or the command line.
import type { Input } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { isRecord } from "../../data-record.ts";
import { CalError, codeOf, type Hints, messageOf, usageError } from "../../errors.ts";
import { parseExactJson } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import { shellQuote } from "../../text.ts";
import type { Invocation } from "../command.ts";
import type { Problems } from "./command.ts";

/** The object of `--data`; an empty one, and a problem, where it is none. Rejects with kind `local` where the file can't be read. */
export async function readDataRecord(resource: Resource, invocation: Invocation, context: Context, problems: Problems): Promise<Input> {
  const source = invocation.flags["data"];
  if (source === undefined) return {};
  const fail = (message: string, hint?: Hints): Input => {
    problems.push({ message, hidesMissingFields: true, ...(hint === undefined ? {} : { hint }) });
    return {};
  };
  const text = await readDataText(String(source), context);
  const many = await describeManyRecords(text, String(source), resource);
  if (many !== undefined) return fail(many.message, many.hint);
  try {
    const data = await parseData(text);
    if (data === undefined || data === null) return {};
    if (isRecord(data)) return data;
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return fail(error.message, error.details.hint);
  }
  const isFileName = /^[^@\s]+\.(?:json|ya?ml)$/i.test(text);
  return fail(
    "--data takes one object, as JSON or YAML: its fields and their values",
    isFileName ? `did you mean --data @${shellQuote(text)}?` : undefined,
  );
}

/** The JSON or YAML of `--data @file`, `--data -` or `--data <text>`; undefined without the flag. Rejects with kind `local` where the file can't be read. */
export async function readData(invocation: Invocation, context: Context): Promise<unknown> {
  const data = invocation.flags["data"];
  return data === undefined ? undefined : parseData(await readDataText(String(data), context));
}

async function parseData(text: string): Promise<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return await parseExactJson(text);
    } catch (error) {
      throw usageError(`--data is not valid JSON: ${messageOf(error)}`, "check it with: jq . file.json");
    }
  }
  const { parseYaml } = await import("../../output/yaml.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw usageError(`--data is not valid JSON or YAML: ${messageOf(error)}`);
  }
}

async function readDataText(data: string, { io }: Context): Promise<string> {
  if (data === "-") return io.stdin.text();
  if (!data.startsWith("@")) return data;
  const { readFile } = await import("node:fs/promises");
  const file = data.slice(1);
  return readFile(file, "utf8").catch((error: unknown) => {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `there is no file ${JSON.stringify(file)}`,
      EISDIR: `${JSON.stringify(file)} is a folder`,
      EACCES: `the file ${JSON.stringify(file)} may not be read`,
    };
    throw new CalError("local", `--data: ${reasons[codeOf(error) ?? ""] ?? messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--data @file.json reads a file, --data - reads stdin",
    });
  });
}

// Several records where one is expected.

interface ManyRecords {
  readonly message: string;
  readonly hint: Hints;
}

/** What is wrong with a JSON array, JSON lines or CSV; undefined for anything else. */
async function describeManyRecords(text: string, source: string, { name, singular }: Resource): Promise<ManyRecords | undefined> {
  const file = source.startsWith("@") ? shellQuote(source.slice(1)) : "<file>";
  const createEach = `while IFS= read -r one; do cal ${name} create --data "$one"; done`;
  const describe = (count: number, what: string, command: string): ManyRecords => ({
    message: `--data holds ${count} ${count === 1 ? "record" : "records"} as ${what}; it takes one ${singular}, as an object`,
    hint: { text: "one at a time", command },
  });
  const array = await parseExactJson(text).catch(() => undefined);
  if (Array.isArray(array)) return describe(array.length, "a JSON array", `jq -c '.[]' ${file} | ${createEach}`);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (array === undefined && lines.length > 1) {
    const parsed = await Promise.all(lines.map((line) => parseExactJson(line).catch(() => undefined)));
    if (parsed.every(isRecord)) return describe(lines.length, "NDJSON", `${createEach} < ${file}`);
  }
  const [header = "", ...rows] = lines;
  const isCsv = rows.length > 0 && /^\ufeff?"?[\w -]+"?(?:[,;\t]"?[\w -]+"?)+$/.test(header) && !header.includes(":");
  if (!isCsv) return undefined;
  return {
    message: `--data holds ${rows.length} ${rows.length === 1 ? "row" : "rows"} of CSV; it takes one ${singular}, as JSON or YAML`,
    hint: `write it as an object: {"${header
      .split(/[,;\t]/, 1)
      .join("")
      .replace(/["\ufeff]/g, "")}": "..."}`,
  };
}
