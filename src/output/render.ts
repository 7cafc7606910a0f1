// From a report to the text on stdout. A format is loaded when it is asked for.

import { json } from "./json.ts";
import { bareValues, count, ids, ndjson } from "./lines.ts";
import type { Report } from "./report.ts";
import { type Sheet, sheetOf } from "./sheet.ts";
import { plan, value } from "./value.ts";
import type { Format, View } from "./view.ts";

type Renderer = (sheet: Sheet, view: View) => AsyncIterable<string>;

const renderers: Readonly<Record<Format, () => Promise<Renderer>>> = {
  table: async () => (await import("./table.ts")).table,
  json: async () => json,
  ndjson: async () => ndjson,
  csv: async () => (await import("./csv.ts")).csv,
  tsv: async () => (await import("./tsv.ts")).tsv,
  yaml: async () => (await import("./yaml.ts")).yaml,
  ids: async () => ids,
  count: async () => count,
};

/**
 * The text of a report in chunks, to be written in order. Line formats give a chunk as records arrive, documents and tables when all have.
 * Rejects with whatever the records reject with, and with a usage error for fields or columns that do not exist.
 */
export async function* render(report: Report, view: View): AsyncGenerator<string> {
  if (report.kind === "nothing") return;
  if (report.kind === "text") {
    yield report.text;
    return;
  }
  if (report.kind === "plan") return yield* plan(report, view);
  const whole = view.fields === undefined && view.field === undefined && view.columns === undefined;
  if (report.kind === "list" && report.text !== undefined && view.format === "table" && whole) {
    yield report.text(view);
    return;
  }
  const sheet = sheetOf(report, view);
  if (sheet !== undefined)
    yield* view.field === undefined ? (await renderers[view.format]())(sheet, view) : bareValues(sheet, view.field, view);
  else if (report.kind === "value") yield* value(report, view);
}
