// The value of --data: JSON or YAML, from the command line, a file or stdin.
import type { Context } from "../../context.ts";
import { type DataRecord, isRecord } from "../../data-record.ts";
import { CalError, codeOf, messageOf, type Problem, toProblem, usageError } from "../../errors.ts";
import { parseExactJson } from "../../http/json.ts";
import type { Resource } from "../../model/resource.ts";
import { sanitizeLine, shellQuote } from "../../text.ts";
import type { Invocation } from "../command.ts";
import type { Problems } from "./command.ts";

/** The JSON or YAML of `--data @file`, `--data -` or `--data <text>`; undefined without the flag. Rejects with kind `local` where the file can't be read. */
export async function readData(invocation: Invocation, context: Context): Promise<unknown> {
  const text = await readDataText(invocation, context);
  return text === undefined ? undefined : parseData(text);
}

/** The fields in `--data`; none without the flag, or where it holds no object, which is a problem. Rejects as `readData`. */
export async function readDataObject(
  resource: Resource,
  invocation: Invocation,
  context: Context,
  problems: Problems,
): Promise<DataRecord> {
  const text = await readDataText(invocation, context);
  if (text === undefined) return {};
  const many = findRecords(text);
  let data: unknown;
  try {
    data = many === undefined ? await parseData(text) : undefined;
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    problems.push({ ...toProblem(error), hidesFields: true });
    return {};
  }
  if (isRecord(data)) return data;
  if (data === null) problems.push("--data is empty: it takes one object, its fields and their values");
  else problems.push({ ...describeWrongData(resource, invocation, data, many), hidesFields: true });
  return {};
}

async function readDataText({ flags }: Invocation, { io }: Context): Promise<string | undefined> {
  if (flags["data"] === undefined) return undefined;
  const data = String(flags["data"]);
  if (data === "-") return io.stdin.text();
  if (!data.startsWith("@")) return data;
  const { readFile } = await import("node:fs/promises");
  return readFile(data.slice(1), "utf8").catch((error: unknown) => {
    const file = JSON.stringify(data.slice(1));
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `there is no file ${file}`,
      EISDIR: `${file} is a folder`,
      EACCES: `this user may not read ${file}`,
    };
    throw new CalError("local", `--data: ${reasons[codeOf(error) ?? ""] ?? messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--data @file.json reads a file, --data - reads stdin",
    });
  });
}

/** Throws `usage` where the text is no JSON and no YAML. */
async function parseData(text: string): Promise<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return await parseExactJson(text);
    } catch (error) {
      throw usageError(`--data is not valid JSON: ${sanitizeLine(messageOf(error))}`, "check it with: jq . file.json");
    }
  }
  const { parseYaml } = await import("../../output/yaml.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw usageError(`--data is neither valid JSON nor valid YAML: ${messageOf(error)}`);
  }
}

// Many records, where one object is wanted.

/** Records in a form that is not one JSON or YAML document. */
interface ManyRecords {
  readonly form: "CSV" | "NDJSON";
  readonly count: number;
}

/** The records of a text of several lines, where each is a JSON object, or the first has the names of columns; undefined for any other text. */
function findRecords(text: string): ManyRecords | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  if (lines.length < 2) return undefined;
  if (lines.every((line) => /^\s*\{.*\}\s*$/.test(line))) return { form: "NDJSON", count: lines.length };
  const name = String.raw`(?:"[\w .-]+"|[\w .-]+)`;
  if (!new RegExp(String.raw`^\uFEFF?${name}([,;\t])${name}(?:\1${name})*$`).test(first)) return undefined;
  // A cell in quotes may have several lines.
  const rows = text.replace(/"(?:[^"]|"")*"/g, "text").split(/\r?\n/);
  return { form: "CSV", count: rows.filter((row) => row.trim() !== "").length - 1 };
}

/** Says what `--data` holds instead of one object, and how several are sent. */
function describeWrongData({ name }: Resource, invocation: Invocation, data: unknown, many: ManyRecords | undefined): Problem {
  const message = "--data takes one object: its fields and their values";
  const value = String(invocation.flags["data"]);
  if (many === undefined && !Array.isArray(data)) {
    const isFile = !value.startsWith("@") && /^\S+\.(?:json|ya?ml|ndjson|csv)$/i.test(value);
    return isFile ? { message, hint: { text: "to read a file", command: `--data ${shellQuote(`@${value}`)}` } } : { message };
  }
  const count = many?.count ?? (data as readonly unknown[]).length;
  const found = `${message}; this is ${many === undefined ? "a list" : many.form} of ${count}`;
  // An update takes its records from the command line.
  if (invocation.args.length > 0) return { message: found };
  const source = value.startsWith("@") ? shellQuote(value.slice(1)) : "-";
  return { message: found, hint: { text: "to create or update them all", command: `cal ${name} import ${source}` } };
}
