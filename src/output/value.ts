// Reports without rows: any JSON value, and requests that were kept back.
import { adviceOf } from "../errors.ts";
import { sanitizeLine } from "../http/line.ts";
import { formatJsonDocument, stringifyJson } from "./json.ts";
import { toErrorData } from "./problem.ts";
import type { PlanReport, ValueReport } from "./report.ts";
import type { OutputOptions } from "./view.ts";

/** JSON or YAML where asked for, a number for `count`, else the text for people, or JSON where there is none. */
export async function* formatValueReport(report: ValueReport, view: OutputOptions): AsyncGenerator<string> {
  switch (view.format) {
    case "ndjson":
      for (const item of Array.isArray(report.value) ? report.value : [report.value]) yield `${stringifyJson(item, view)}\n`;
      return;
    case "yaml":
      yield await formatAsYaml(report.value, view);
      return;
    case "count":
      yield `${Array.isArray(report.value) ? report.value.length : 1}\n`;
      return;
    case "table":
    case "tsv":
      yield report.text === undefined ? formatJsonDocument(report.value, view) : `${report.text.trimEnd()}\n`;
      return;
    default:
      yield formatJsonDocument(report.value, view);
  }
}

/** `METHOD url` and the body as JSON, or why a ref has none; in JSON, NDJSON and YAML `{method, url, body}` or `{ref, ok, error}`, several as an array. */
export async function* formatPlanReport({ requests, many }: PlanReport, view: OutputOptions): AsyncGenerator<string> {
  const rows = requests.map((one) =>
    "ref" in one ? { ref: one.ref, ok: one.ok, ...(one.error && { error: toErrorData(one.error) }) } : one,
  );
  const document = many !== true && rows.length === 1 ? rows[0] : rows;
  if (view.format === "ndjson") yield rows.map((row) => `${stringifyJson(row, view)}\n`).join("");
  else if (view.format === "json") yield formatJsonDocument(document, view);
  else if (view.format === "yaml") yield await formatAsYaml(document, view);
  else yield requests.map((one) => formatPlanEntry(one, view)).join("\n");
}

function formatPlanEntry(one: PlanReport["requests"][number], view: OutputOptions): string {
  if ("ref" in one) return `${sanitizeLine(`${one.ref}: ${adviceOf(one.error)}`)}\n`;
  return `${one.method} ${one.url}\n${one.body === undefined ? "" : formatJsonDocument(one.body, view)}`;
}

async function formatAsYaml(data: unknown, view: OutputOptions): Promise<string> {
  const { formatYamlDocument } = await import("./yaml.ts");
  return formatYamlDocument(data, view);
}
