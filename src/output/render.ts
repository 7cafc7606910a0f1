// From a report to the text on stdout. A format is loaded when it is asked for.
import { formatProblem, toProblem } from "../errors.ts";
import type { HttpRequest } from "../http/transport.ts";
import { sanitizeLine } from "../text.ts";
import { formatJson, formatJsonDocument, stringifyJson } from "./json.ts";
import { toErrorData } from "./message.ts";
import type { Format, OutputOptions, PlanEntry, PlanReport, Report, Row, ValueReport } from "./report.ts";
import { getValueAtPath, type Rows, stringifyCellValue, toRows } from "./rows.ts";

type Renderer = (sheet: Rows, view: OutputOptions) => AsyncIterable<string>;

const renderers: Readonly<Record<Format, (sheet: Rows) => Promise<Renderer>>> = {
  table: async ({ kind }) => (kind === "record" ? (await import("./record.ts")).formatRecord : (await import("./table.ts")).formatTable),
  json: async () => formatJson,
  ndjson: async () => formatNdjson,
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
    yield* view.field === undefined ? (await renderers[view.format](sheet))(sheet, view) : formatFieldValues(sheet, view.field, view);
  else if (report.kind === "value") yield* formatValueReport(report, view);
}

// Formats of one thing a line: NDJSON, ids, count, and the bare values of `--field`.

/** One record or outcome a line, as JSON. */
function formatNdjson(sheet: Rows, view: OutputOptions): AsyncGenerator<string> {
  return formatLines(sheet, (row) => stringifyJson(row.data, view));
}

/** The id of every record; failed refs have none. Those of a list are held back to its end: half of them must not go to a delete. */
function formatIds(sheet: Rows): AsyncGenerator<string> {
  const all = formatLines(sheet, (row) =>
    row.record?.["id"] === undefined ? undefined : sanitizeLine(stringifyCellValue(row.record["id"])),
  );
  return sheet.kind === "list" ? bufferAll(all) : all;
}

/** How many records there are. */
async function* formatCount(sheet: Rows): AsyncGenerator<string> {
  let records = 0;
  for await (const rows of sheet.batches) records += rows.filter(({ record }) => record !== undefined).length;
  yield `${records}\n`;
}

/** The value of one field of every record: a line each, an empty one where a record has none; JSON values in the JSON formats. What names records waits for the end of their list, as ids do. */
function formatFieldValues(sheet: Rows, field: string, view: OutputOptions): AsyncGenerator<string> {
  const asJson = view.format === "json" || view.format === "ndjson";
  // Off a terminal the text stays as it is but for line ends: one value is one line.
  const text = view.tty ? sanitizeLine : (value: string) => value.replace(/[\r\n]+/g, " ");
  const all = formatLines(sheet, ({ record }) => {
    if (record === undefined) return undefined;
    const value = getValueAtPath(record, field);
    return asJson ? stringifyJson(value ?? null, view) : text(stringifyCellValue(value));
  });
  return sheet.kind === "list" && (field === "id" || field === "slug") ? bufferAll(all) : all;
}

/** The texts, when all of them are there. */
async function* bufferAll(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const all: string[] = [];
  for await (const text of texts) all.push(text);
  yield* all;
}

async function* formatLines(sheet: Rows, line: (row: Row) => string | undefined): AsyncGenerator<string> {
  for await (const rows of sheet.batches) {
    const text = rows.flatMap((row) => line(row) ?? []);
    if (text.length > 0) yield `${text.join("\n")}\n`;
  }
}

// Requests that --dry-run kept from the wire, as a report.

/** The plan to print: methods, addresses and bodies; no header, for one of them is a secret. */
export function createPlanReport(requests: readonly HttpRequest[]): PlanReport {
  return { kind: "plan", requests: requests.map(toPlanEntry) };
}

/** One request of a plan. */
export function toPlanEntry({ method, url, body }: HttpRequest): PlanEntry {
  return { method, url, ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }) };
}

// Reports without rows: any JSON value, and requests that were kept back.

/** JSON or YAML where asked for, a number for `count`, else the text for people, or JSON where there is none. */
async function* formatValueReport(report: ValueReport, view: OutputOptions): AsyncGenerator<string> {
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
