// Reports without rows: any JSON value, and requests that were kept back.
import { adviceOf } from "../errors.ts";
import { oneLine } from "../http/line.ts";
import { jsonDocument, jsonText } from "./json.ts";
import { problemOf } from "./problem.ts";
import type { PlanReport, ValueReport } from "./report.ts";
import type { View } from "./view.ts";

/** JSON or YAML where asked for, a number for `count`, else the text for people, or JSON where there is none. */
export async function* value(report: ValueReport, view: View): AsyncGenerator<string> {
  switch (view.format) {
    case "ndjson":
      for (const item of Array.isArray(report.value) ? report.value : [report.value]) yield `${jsonText(item, view)}\n`;
      return;
    case "yaml":
      yield await yamlText(report.value, view);
      return;
    case "count":
      yield `${Array.isArray(report.value) ? report.value.length : 1}\n`;
      return;
    case "table":
    case "tsv":
      yield report.text === undefined ? jsonDocument(report.value, view) : `${report.text.trimEnd()}\n`;
      return;
    default:
      yield jsonDocument(report.value, view);
  }
}

/** `METHOD url` and the body as JSON, or why a ref has none; in JSON, NDJSON and YAML `{method, url, body}` or `{ref, ok, error}`, several as an array. */
export async function* plan({ requests, many }: PlanReport, view: View): AsyncGenerator<string> {
  const rows = requests.map((one) =>
    "ref" in one ? { ref: one.ref, ok: one.ok, ...(one.error && { error: problemOf(one.error) }) } : one,
  );
  const document = many !== true && rows.length === 1 ? rows[0] : rows;
  if (view.format === "ndjson") yield rows.map((row) => `${jsonText(row, view)}\n`).join("");
  else if (view.format === "json") yield jsonDocument(document, view);
  else if (view.format === "yaml") yield await yamlText(document, view);
  else yield requests.map((one) => planText(one, view)).join("\n");
}

function planText(one: PlanReport["requests"][number], view: View): string {
  if ("ref" in one) return `${oneLine(`${one.ref}: ${adviceOf(one.error)}`)}\n`;
  return `${one.method} ${one.url}\n${one.body === undefined ? "" : jsonDocument(one.body, view)}`;
}

async function yamlText(data: unknown, view: View): Promise<string> {
  const { yamlDocument } = await import("./yaml.ts");
  return yamlDocument(data, view);
}
