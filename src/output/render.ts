// From a report to the text on stdout. A format is loaded when it is needed.
import { formatProblem, toProblem } from "../errors.ts";
import type { PlannedRequest } from "../http/transport.ts";
import { sanitizeLine } from "../text.ts";
import { formatJson, formatJsonDocument, stringifyJson } from "./json.ts";
import { toErrorData } from "./message.ts";
import type { Format, OutputOptions, PlanEntry, PlanReport, Report, Row, ValueReport } from "./report.ts";
import { getValueAtPath, type Rows, stringifyCellValue, toRows } from "./rows.ts";

type Renderer = (rows: Rows, view: OutputOptions) => AsyncIterable<string>;

const renderers: Readonly<Record<Format, (rows: Rows) => Promise<Renderer>>> = {
  table: async ({ kind }) => (kind === "record" ? (await import("./record.ts")).formatRecord : (await import("./table.ts")).formatTable),
  json: async () => formatJson,
  ndjson: async () => (rows, view) => formatLines(rows, (row) => stringifyJson(row.data, view)),
  csv: async () => (await import("./delimited.ts")).formatCsv,
  tsv: async () => (await import("./delimited.ts")).formatTsv,
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
  if (report.kind === "text") return yield report.text;
  if (report.kind === "plan") return yield* formatPlanReport(report, view);
  const whole = view.fields === undefined && view.field === undefined && view.columns === undefined;
  if (report.kind === "list" && report.text !== undefined && view.format === "table" && whole) return yield report.text(view);
  if (report.kind === "list" && report.document !== undefined && whole && (view.format === "json" || view.format === "yaml"))
    return yield view.format === "json" ? formatJsonDocument(report.document, view) : await formatAsYaml(report.document, view);
  const rows = toRows(report, view);
  if (rows !== undefined)
    yield* view.field === undefined ? (await renderers[view.format](rows))(rows, view) : formatFieldValues(rows, view.field, view);
  else if (report.kind === "value") yield* formatValueReport(report, view);
}

/** The id of every record; failed refs have none. Those of a list are printed after the last one: half of them must not go to a delete. */
function formatIds(rows: Rows): AsyncGenerator<string> {
  const ids = formatLines(rows, ({ record }) =>
    record?.["id"] === undefined ? undefined : sanitizeLine(stringifyCellValue(record["id"])),
  );
  return rows.kind === "list" ? bufferAll(ids) : ids;
}

async function* formatCount(rows: Rows): AsyncGenerator<string> {
  let records = 0;
  for await (const batch of rows.batches) records += batch.filter(({ record }) => record !== undefined).length;
  yield `${records}\n`;
}

/**
 * The value of one field of every record, one on each line, empty where a record has none; JSON values in the JSON formats. Values that
 * identify the records of a list are printed after the last one, as ids are.
 */
function formatFieldValues(rows: Rows, field: string, view: OutputOptions): AsyncGenerator<string> {
  const asJson = view.format === "json" || view.format === "ndjson";
  // Off a terminal only line ends are replaced: one value is one line.
  const toLine = view.tty ? sanitizeLine : (text: string) => text.replace(/[\r\n]+/g, " ");
  const values = formatLines(rows, ({ record }) => {
    if (record === undefined) return undefined;
    const value = getValueAtPath(record, field);
    return asJson ? stringifyJson(value ?? null, view) : toLine(stringifyCellValue(value));
  });
  return rows.kind === "list" && (field === "id" || field === "slug") ? bufferAll(values) : values;
}

/** The same texts, after the last one has arrived. */
async function* bufferAll(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  yield* all;
}

async function* formatLines(rows: Rows, toLine: (row: Row) => string | undefined): AsyncGenerator<string> {
  for await (const batch of rows.batches) {
    const lines = batch.flatMap((row) => toLine(row) ?? []);
    if (lines.length > 0) yield `${lines.join("\n")}\n`;
  }
}

/** The requests that `--dry-run` did not send: methods, addresses and bodies; no header, because one of them is a secret. */
export function createPlanReport(requests: readonly PlannedRequest[]): PlanReport {
  return { kind: "plan", requests: requests.map(toPlanEntry) };
}

export function toPlanEntry({ request: { method, url, body } }: PlannedRequest): PlanEntry {
  return { method, url, ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }) };
}

/** For people the text, or JSON where there is none. */
async function* formatValueReport({ value, text }: ValueReport, view: OutputOptions): AsyncGenerator<string> {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (view.format === "ndjson") for (const item of items) yield `${stringifyJson(item, view)}\n`;
  else if (view.format === "yaml") yield await formatAsYaml(value, view);
  else if (view.format === "count") yield `${items.length}\n`;
  else if (text !== undefined && (view.format === "table" || view.format === "tsv")) yield `${text.trimEnd()}\n`;
  else yield formatJsonDocument(value, view);
}

/** `METHOD url` and the body as JSON, or why a ref has none; in JSON, NDJSON and YAML `{method, url, body}` or `{ref, ok, error}`, several as an array. */
async function* formatPlanReport({ requests, many }: PlanReport, view: OutputOptions): AsyncGenerator<string> {
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
  if ("ref" in one) return `${sanitizeLine(`${one.ref}: ${formatProblem(toProblem(one.error))}`)}\n`;
  return `${one.method} ${one.url}\n${one.body === undefined ? "" : formatJsonDocument(one.body, view)}`;
}

async function formatAsYaml(data: unknown, view: OutputOptions): Promise<string> {
  const { formatYamlDocument } = await import("./yaml.ts");
  return formatYamlDocument(data, view);
}
