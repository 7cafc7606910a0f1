// From a report to the text on stdout. A format is loaded when it is needed.
import type { DataRecord } from "../data-record.ts";
import { formatProblem, toProblem } from "../errors.ts";
import { parseExactJson } from "../http/json.ts";
import type { PlannedRequest } from "../http/transport.ts";
import { escapeControls, sanitizeLine } from "../text.ts";
import { formatJson, formatJsonDocument, stringifyJson } from "./json.ts";
import { toErrorData } from "./message.ts";
import type { Format, OutputOptions, PlanEntry, PlanReport, Report, Row, ValueReport } from "./report.ts";
import { getValueAtPath, type Rows, stringifyCellValue, toRows } from "./rows.ts";

type Renderer = (rows: Rows, options: OutputOptions) => AsyncIterable<string>;

const renderers: Readonly<Record<Format, (rows: Rows) => Promise<Renderer>>> = {
  table: async ({ kind }) => (kind === "record" ? (await import("./record.ts")).formatRecord : (await import("./table.ts")).formatTable),
  json: async () => formatJson,
  ndjson: async () => (rows, options) => formatLines(rows, (row) => stringifyJson(row.data, options)),
  csv: async () => (await import("./delimited.ts")).formatCsv,
  tsv: async () => (await import("./delimited.ts")).formatTsv,
  yaml: async () => (await import("./yaml.ts")).formatYaml,
  ids: async () => formatIds,
  count: async () => formatCount,
  ics: async () => formatDocument,
  markdown: async () => formatDocument,
  html: async () => formatDocument,
};

/**
 * The text of a report in chunks, to be written in order. Line formats give a chunk as records arrive, documents and tables when all have.
 * Rejects with whatever the records reject with, and with a usage error for fields or columns that do not exist.
 */
export async function* render(report: Report, options: OutputOptions): AsyncGenerator<string> {
  if (report.kind === "nothing") return;
  if (report.kind === "text") return yield report.text;
  if (report.kind === "plan") return yield* formatPlanReport(report, options);
  const whole = options.fields === undefined && options.field === undefined;
  if (report.kind === "list" && report.text !== undefined && options.format === "table" && whole) return yield report.text(options);
  if (report.kind === "list" && report.document !== undefined && whole && (options.format === "json" || options.format === "yaml"))
    return yield options.format === "json" ? formatJsonDocument(report.document, options) : await formatAsYaml(report.document, options);
  const rows = toRows(report, options);
  if (rows !== undefined)
    yield* options.field === undefined
      ? (await renderers[options.format](rows))(rows, options)
      : formatFieldValues(rows, options.field, options);
  else if (report.kind === "value") yield* formatValueReport(report, options);
}

/** The records that were read, in an export format. The command says how; one without such a format has no flag for it. */
async function* formatDocument({ batches, toDocument }: Rows, { tty }: OutputOptions): AsyncGenerator<string> {
  const readRecords = async function* (): AsyncGenerator<readonly DataRecord[]> {
    for await (const batch of batches) yield batch.flatMap(({ record }) => (record === undefined ? [] : [record]));
  };
  if (toDocument === undefined) return;
  for await (const text of toDocument(readRecords())) yield tty ? escapeControls(text.replaceAll("\r\n", "\n"), { keepLines: true }) : text;
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
function formatFieldValues(rows: Rows, field: string, options: OutputOptions): AsyncGenerator<string> {
  const asJson = options.format === "json" || options.format === "ndjson";
  // Off a terminal only line ends are replaced: one value is one line.
  const toLine = options.tty ? sanitizeLine : (text: string) => text.replace(/[\r\n]+/g, " ");
  const values = formatLines(rows, ({ record }) => {
    if (record === undefined) return undefined;
    const value = getValueAtPath(record, field);
    return asJson ? stringifyJson(value ?? null, options) : toLine(stringifyCellValue(value));
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

/** Of a file its name, type and size. */
export function toPlanEntry({ request: { method, url, body, file } }: PlannedRequest): PlanEntry {
  if (file !== undefined) return { method, url, body: JSON.stringify({ file: file.name, type: file.type, bytes: file.size }) };
  return { method, url, ...(typeof body === "string" ? { body } : {}) };
}

/** For people the text, or JSON where there is none. */
async function* formatValueReport({ value, text }: ValueReport, options: OutputOptions): AsyncGenerator<string> {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (options.format === "ndjson") for (const item of items) yield `${stringifyJson(item, options)}\n`;
  else if (options.format === "yaml") yield await formatAsYaml(value, options);
  else if (options.format === "count") yield `${items.length}\n`;
  else if (text !== undefined && (options.format === "table" || options.format === "tsv")) yield `${text.trimEnd()}\n`;
  else yield formatJsonDocument(value, options);
}

/** `METHOD url` and the body as JSON, or why a ref has none; in JSON, NDJSON and YAML `{method, url, body}` or `{ref, ok, error}`, several as an array. */
async function* formatPlanReport({ requests, many }: PlanReport, options: OutputOptions): AsyncGenerator<string> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (const one of requests) {
    if ("ref" in one) rows.push({ ref: one.ref, ok: one.ok, ...(one.error && { error: toErrorData(one.error) }) });
    else rows.push({ ...one, ...(one.body !== undefined && { body: await parseExactJson(one.body) }) });
  }
  const document = many !== true && rows.length === 1 ? rows[0] : rows;
  if (options.format === "ndjson") yield rows.map((row) => `${stringifyJson(row, options)}\n`).join("");
  else if (options.format === "json") yield formatJsonDocument(document, options);
  else if (options.format === "yaml") yield await formatAsYaml(document, options);
  else yield requests.map((one, index) => formatPlanEntry(one, rows[index]?.["body"], options)).join("\n");
}

function formatPlanEntry(one: PlanReport["requests"][number], body: unknown, options: OutputOptions): string {
  if ("ref" in one) return `${sanitizeLine(`${one.ref}: ${formatProblem(toProblem(one.error))}`)}\n`;
  return `${one.method} ${one.url}\n${body === undefined ? "" : formatJsonDocument(body, options)}`;
}

async function formatAsYaml(data: unknown, options: OutputOptions): Promise<string> {
  const { formatYamlDocument } = await import("./yaml.ts");
  return formatYamlDocument(data, options);
}
