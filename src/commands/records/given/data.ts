// Whole bodies from outside: `--data @file`, `--data -`, or the text itself, as JSON or YAML.
import type { Context } from "../../../context.ts";
import { CalError, messageOf, usageError } from "../../../errors.ts";
import type { Invocation } from "../../command.ts";

/** The value of `--data`, or undefined where it was not given. Rejects with kind `local` for a file that can't be read. */
export async function readData(invocation: Invocation, context: Context): Promise<unknown> {
  const given = invocation.flags["data"];
  if (given === undefined) return undefined;
  const text = await readDataText(String(given), context);
  return text.trimStart().startsWith("{") || text.trimStart().startsWith("[") ? parseJsonData(text) : parseYamlData(text);
}

async function readDataText(given: string, context: Context): Promise<string> {
  if (given === "-") return context.io.stdin.text();
  if (!given.startsWith("@")) return given;
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(given.slice(1), "utf8");
  } catch (error) {
    throw new CalError("local", `--data: ${messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--data @file.json reads a file, --data - reads stdin",
    });
  }
}

async function parseJsonData(text: string): Promise<unknown> {
  try {
    const { parseExactJson } = await import("../../../http/exact-json.ts");
    return parseExactJson(text);
  } catch (error) {
    throw usageError(`--data is no JSON: ${messageOf(error)}`, "check it with: jq . file.json");
  }
}

async function parseYamlData(text: string): Promise<unknown> {
  const { parseYaml } = await import("../../../output/yaml-text.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw usageError(`--data is no JSON and no YAML: ${messageOf(error)}`);
  }
}
