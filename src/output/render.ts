// From a report to the text on stdout. A format is loaded when it is asked for.

import { formatJson } from "./json.ts";
import { formatCount, formatFieldValues, formatIds, formatNdjson } from "./lines.ts";
import type { Report } from "./report.ts";
import { type Rows, toRows } from "./sheet.ts";
import { formatPlanReport, formatValueReport } from "./value.ts";
import type { Format, OutputOptions } from "./view.ts";

type Renderer = (sheet: Rows, view: OutputOptions) => AsyncIterable<string>;

const renderers: Readonly<Record<Format, () => Promise<Renderer>>> = {
  table: async () => (await import("./table.ts")).formatTable,
  json: async () => formatJson,
  ndjson: async () => formatNdjson,
  csv: async () => (await import("./csv.ts")).formatCsv,
  tsv: async () => (await import("./tsv.ts")).formatTsv,
  yaml: async () => (await import("./yaml.ts")).formatYaml,
  ids: async () => formatIds,
  count: async () => formatCount,
};

/**
 * The text of a report in chunks, to be written in order. Line formats give a chunk as records arrive, documents and tables when all have.
 * Rejects with whatever the records reject with, and with a usage error for fields or columns that do not exist.
 */
export async function* render(report: Report, view: OutputOptions): AsyncGenerator<string> {
  if (report.kind === "nothing") return;
  if (report.kind === "text") {
    yield report.text;
    return;
  }
  if (report.kind === "plan") return yield* formatPlanReport(report, view);
  const whole = view.fields === undefined && view.field === undefined && view.columns === undefined;
  if (report.kind === "list" && report.text !== undefined && view.format === "table" && whole) {
    yield report.text(view);
    return;
  }
  const sheet = toRows(report, view);
  if (sheet !== undefined)
    yield* view.field === undefined ? (await renderers[view.format]())(sheet, view) : formatFieldValues(sheet, view.field, view);
  else if (report.kind === "value") yield* formatValueReport(report, view);
}
