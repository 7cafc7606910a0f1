// Reports without rows: any JSON value, and requests that were kept back.
import { jsonDocument, jsonText } from "./json.ts";
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

/** `METHOD url` and the body as JSON; in JSON, NDJSON and YAML `{method, url, body}`, several as an array. */
export async function* plan(report: PlanReport, view: View): AsyncGenerator<string> {
  const [first, ...others] = report.requests;
  if (view.format === "ndjson") yield report.requests.map((request) => `${jsonText(request, view)}\n`).join("");
  else if (view.format === "json") yield jsonDocument(others.length === 0 && first ? first : report.requests, view);
  else if (view.format === "yaml") yield await yamlText(others.length === 0 && first ? first : report.requests, view);
  else yield report.requests.map((request) => planText(request, view)).join("\n");
}

function planText({ method, url, body }: PlanReport["requests"][number], view: View): string {
  return `${method} ${url}\n${body === undefined ? "" : jsonDocument(body, view)}`;
}

async function yamlText(data: unknown, view: View): Promise<string> {
  const { yamlDocument } = await import("./yaml.ts");
  return yamlDocument(data, view);
}
