// Lists, single records and outcomes as rows under columns: what every format is made from.
import { formatSuggestion } from "../closest.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { usageError } from "../errors.ts";
import { toPlainText } from "../html-text.ts";
import { stringifyExact } from "../http/json.ts";
import type { Column } from "../model/resource.ts";
import { sanitizeLine } from "../text.ts";
import { formatDate, formatShortDate } from "./date-cell.ts";
import { toErrorData } from "./message.ts";
import type {
  DocumentFormatter,
  ListReport,
  ListSummary,
  OutcomesReport,
  OutputOptions,
  RecordReport,
  Report,
  ReportColumn,
  Row,
  ValueReport,
} from "./report.ts";

/** Rows under columns. They come in batches and can be read once. */
export interface Rows {
  readonly kind: "list" | "record" | "outcomes";
  readonly columns: readonly OutputColumn[];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly summary?: (() => ListSummary) | undefined;
  readonly recordSummary?: RecordReport["recordSummary"] | undefined;
  readonly toDocument?: DocumentFormatter | undefined;
  readonly fieldOrder?: RecordReport["fieldOrder"] | undefined;
}

/** A column that also has a name for programs: the header of TSV and CSV. */
export interface OutputColumn extends ReportColumn {
  readonly label: string;
}

/** The rows of a report; undefined where it has none. Reading them fails with a usage error where `--fields` names an unknown field. */
export function toRows(report: Report, asked: OutputOptions): Rows | undefined {
  if (report.kind === "value") return valueToRows(report, asked);
  if (report.kind !== "list" && report.kind !== "record" && report.kind !== "outcomes") return undefined;
  const withoutIds = report.kind !== "outcomes" && !report.columns.some(({ path }) => path === "id");
  const [first] = report.columns;
  // Findings, settings and profiles have no ids.
  if (withoutIds && first !== undefined && asked.format === "ids" && asked.field === undefined)
    throw usageError("there are no ids in what this command prints", `--field ${first.path} prints one value a line`);
  const options = resolveFields(report, asked);
  const columns = getColumns(report, options);
  const tabular = options.format === "table" || options.format === "tsv" || options.format === "csv";
  let batches = report.kind === "outcomes" ? createOutcomeRows(report, options) : createRecordRows(report, options);
  const paths = options.field === undefined ? (options.fields ?? []) : [options.field];
  if (paths.length > 0) {
    batches = validateFields(batches, report, options.field === undefined ? "--fields" : "--field", paths);
    // A single record in a table shows what it links to by name.
    if (tabular && !(report.kind === "record" && options.format === "table")) batches = reportNestedRecords(batches, options);
  }
  return {
    kind: report.kind,
    columns: columns.filter(({ machineReadableOnly }) => options.format !== "table" || machineReadableOnly !== true),
    batches,
    summary: report.kind === "list" ? report.summary : undefined,
    recordSummary: report.kind === "record" ? report.recordSummary : undefined,
    toDocument: report.toDocument,
    fieldOrder: report.kind === "record" ? report.fieldOrder : undefined,
  };
}

/**
 * An array of objects is a list, unless people see its own text. One object is a record where single fields are chosen or the format is
 * made of rows. For such a format the only array of an object is the list, and a value without rows is a usage error.
 */
function valueToRows({ value, text }: ValueReport, options: OutputOptions): Rows | undefined {
  const single = options.fields !== undefined || options.field !== undefined || options.format === "ids";
  if (text !== undefined && !single && (options.format === "table" || options.format === "tsv")) return undefined;
  const inRows = text === undefined && options.field === undefined && ["table", "csv", "tsv", "ids", "count"].includes(options.format);
  const list = inRows ? findRecordList(value) : value;
  if (Array.isArray(list) && list.every(isRecord)) {
    const names = [...new Set(list.flatMap((record) => Object.keys(record)))];
    if (inRows && names.length * list.length > maxCells)
      throw usageError(
        `${list.length} records with ${names.length} different fields are too many cells`,
        "see the raw answer: --format json",
      );
    const report = {
      kind: "list",
      columns: createFieldColumns(names.length > 0 ? names : ["id"], []),
      fieldNames: [],
      records: list,
    } as const;
    if (names.length > 0 || single || inRows) return toRows(report, options);
  }
  if (isRecord(list) && (single || inRows))
    return toRows({ kind: "record", columns: createFieldColumns(Object.keys(list), []), fieldNames: [], record: list }, options);
  if (!inRows || (options.format === "count" && Array.isArray(list))) return undefined;
  throw usageError(`this answer has no rows, which --format ${options.format} is made of`, "see the raw answer: --format json");
}

/** The records of an answer that holds them beside its totals; any other value as it is. An array among the fields of a record is no list. */
function findRecordList(value: unknown): unknown {
  if (!isRecord(value) || "id" in value) return value;
  const arrays = Object.values(value).filter(Array.isArray);
  const [only] = arrays;
  return arrays.length === 1 && only?.every(isRecord) === true && !Object.values(value).some(isRecord) ? only : value;
}

async function* createRecordRows(report: ListReport | RecordReport, { fields }: OutputOptions): AsyncGenerator<readonly Row[]> {
  const toData = (report.kind === "list" ? report.toData : undefined) ?? ((record: DataRecord) => record);
  for await (const batch of toBatches(report.kind === "list" ? report.records : [report.record]))
    yield batch.map((record) => ({ data: fields === undefined ? toData(record) : pickFields(record, fields), cells: record, record }));
}

async function* createOutcomeRows(report: OutcomesReport, { fields }: OutputOptions): AsyncGenerator<readonly Row[]> {
  for await (const batch of toBatches(report.outcomes)) {
    yield batch.map(({ ref, ok, record, error, change }) => {
      const ofRecord = fields?.filter((name) => !getOwnNames(report.columns).includes(name));
      const shown = record === undefined || ofRecord === undefined ? record : pickFields(record, ofRecord);
      const data = { ...change?.details, ref, ok, ...(shown && { record: shown }), ...(error && { error: toErrorData(error) }) };
      return {
        data,
        cells: { ...change?.details, name: change?.name, ref, ok, record, error: error?.message },
        record: ok ? record : undefined,
      };
    });
  }
}

/** The options with the paths of the fields: a header of a column is a name too, where no field has it. */
function resolveFields({ kind, columns, fieldNames }: ListReport | RecordReport | OutcomesReport, options: OutputOptions): OutputOptions {
  if (options.fields === undefined) return options;
  const known = [
    ...fieldNames,
    ...columns.flatMap(({ path }) => [path, getTopLevelField(path)]),
    ...(kind === "outcomes" ? getOwnNames(columns) : []),
  ];
  const fields = options.fields.map((name) => {
    if (known.includes(name) || known.includes(getTopLevelField(name))) return name;
    const lower = name.toLowerCase();
    const own = kind === "outcomes" ? getOwnNames(columns).find((one) => one === lower) : undefined;
    return own ?? columns.find(({ header }) => header.toLowerCase() === lower)?.path ?? name;
  });
  return { ...options, fields };
}

function getColumns({ kind, columns }: ListReport | RecordReport | OutcomesReport, { fields }: OutputOptions): readonly OutputColumn[] {
  if (kind !== "outcomes")
    return fields === undefined ? columns.map((column) => ({ ...column, label: column.path })) : createFieldColumns(fields, columns);
  const own = getOutcomeColumns(columns);
  const createRecordColumns = (paths: readonly string[]) =>
    createFieldColumns(paths, columns).map((column) => ({ ...column, path: `record.${column.path}`, priority: column.priority + 3 }));
  // Fields of the records are shown between the columns of the outcomes, unless some of these are named too.
  const isOwn = (name: string) => getOwnNames(columns).includes(name);
  if (fields?.some(isOwn) === true) return fields.flatMap((name) => own.find(({ label }) => label === name) ?? createRecordColumns([name]));
  if (fields === undefined || !hasRefs(columns)) return own;
  return own.flatMap((column) => (column.label === "id" ? createRecordColumns(fields) : column.label === "name" ? [] : [column]));
}

/** The changes of a plan are about records of several resources, so their columns have no id. */
function hasRefs(columns: readonly ReportColumn[]): boolean {
  return columns.some(({ path }) => path === "id");
}

/** The columns of what became of each record. */
function getOutcomeColumns(columns: readonly ReportColumn[]): readonly OutputColumn[] {
  if (!hasRefs(columns))
    return [
      createColumn("OP", "op", "text", 1),
      createColumn("RECORD", "name", "name", 1),
      createColumn("STATUS", "status", "text", 1),
      createColumn("ID", "record.id", "id", 2),
      createColumn("ERROR", "error", "text", 3),
    ];
  const title = columns.find((column) => column.kind === "name")?.path ?? "name";
  return [
    createColumn("REF", "ref", "id", 1),
    createColumn("OK", "ok", "flag", 1),
    createColumn("ID", "record.id", "id", 2),
    createColumn("NAME", `record.${title}`, "name", 4),
    createColumn("ERROR", "error", "text", 3),
  ];
}

/** The names of what outcomes have beside their records. */
function getOwnNames(columns: readonly ReportColumn[]): readonly string[] {
  return hasRefs(columns) ? ["ref", "ok", "error"] : ["op", "record", "status", "id", "error"];
}

/** Columns for paths; on a narrow terminal the last one is left out first. */
function createFieldColumns(paths: readonly string[], columns: readonly ReportColumn[]): readonly OutputColumn[] {
  return paths.map((path, index) => {
    const own = columns.find((column) => column.path === path);
    const format = own?.format === undefined ? {} : { format: own.format };
    return { header: own?.header ?? path.toUpperCase(), path, kind: own?.kind ?? "text", priority: index + 1, label: path, ...format };
  });
}

function createColumn(header: string, path: string, kind: Column["kind"], priority: number): OutputColumn {
  return { header, path, kind, priority, label: header.toLowerCase() };
}

/** Nothing for what is absent, scalars as they are, arrays of scalars joined with ", ", everything else as JSON. */
export function stringifyCellValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) && isText(value) ? value.map(stringifyCellValue).join(", ") : stringifyExact(value);
}

/** Whether a JSON value has no parts. */
export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Cells of an answer whose records have other fields each; a list of 100,000 records has fewer. */
const maxCells = 10_000_000;

/** Whether a value is shown as words: a scalar, or an array of scalars. Anything else is shown as JSON. */
export function isText(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

/** Whether tags and entities of a value are markup. */
export function hasMarkup({ isPlain }: OutputColumn, value: unknown): boolean {
  return isPlain !== true && isText(value);
}

/** The text of a cell: one line, safe on a terminal, not cut. */
export function formatCell(column: OutputColumn, row: Row, options: OutputOptions): string {
  const value = getValueAtPath(row.cells, column.path);
  const record = row.record ?? row.cells;
  const formatted = column.format?.(value, record);
  if (formatted !== undefined) return formatted;
  if (column.kind === "date-time") return formatDate(value, column.label, record, options) ?? formatPlainValue(value);
  if (!hasMarkup(column, value)) return sanitizeLine(stringifyCellValue(value));
  return formatPlainValue(value) + (column.kind === "status" && record["featured"] === true ? ", featured" : "");
}

/** The text of a cell of dates where there is little room. */
export function formatShortDateCell(column: OutputColumn, row: Row, options: OutputOptions): string {
  const value = getValueAtPath(row.cells, column.path);
  const date = column.format === undefined ? formatShortDate(value, column.label, row.record ?? row.cells, options) : undefined;
  return date ?? formatCell(column, row, options);
}

/** Any value in one line of words. */
export function formatPlainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = stringifyCellValue(value);
  return isText(value) ? toPlainText(text) : sanitizeLine(text);
}

/** The text of a status in its colour. */
export function colorizeStatus(text: string, options: OutputOptions): string {
  if (text.startsWith("publish")) return options.style.green(text);
  return text.startsWith("trash") ? options.style.red(text) : options.style.magenta(text);
}

/** The value at a path like `venue.city` or `categories.name`; arrays on the way are mapped. Undefined where a record does not have it. A key that contains dots itself comes first. */
export function getValueAtPath(record: unknown, path: string): unknown {
  if (isRecord(record) && Object.hasOwn(record, path)) return record[path];
  return path.split(".").reduce(resolvePathSegment, record);
}

function resolvePathSegment(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => resolvePathSegment(item, name) ?? []);
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The record cut down to some paths: flat keys as typed, in that order; null where the record does not have one. */
function pickFields(record: DataRecord, paths: readonly string[]): DataRecord {
  return Object.fromEntries(paths.map((path) => [path, getValueAtPath(record, path) ?? null]));
}

/**
 * The same rows, unless a path starts with a name that is neither valid nor in any record: then a usage error with the valid names.
 * Rows wait until every name was found, so that nothing is printed before the error. No records, no error.
 */
async function* validateFields(
  batches: AsyncIterable<readonly Row[]>,
  { kind, fieldNames, columns }: ListReport | RecordReport | OutcomesReport,
  flag: string,
  paths: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const own = kind === "outcomes" ? getOwnNames(columns) : [];
  const names = new Set([...fieldNames, ...columns.map((column) => getTopLevelField(column.path)), ...own]);
  const missing = new Set(paths.map(getTopLevelField).filter((name) => !names.has(name)));
  const waiting: (readonly Row[])[] = [];
  for await (const batch of batches) {
    if (missing.size > 0) {
      for (const name of batch.flatMap(({ record }) => Object.keys(record ?? {}))) {
        names.add(name);
        missing.delete(name);
      }
      waiting.push(batch);
      if (missing.size === 0) yield* waiting.splice(0);
    } else yield batch;
  }
  if (missing.size > 0 && waiting.flat().some(({ record }) => record !== undefined)) {
    const title = columns.find(({ kind }) => kind === "name")?.path;
    const synonyms = title === undefined ? {} : { name: title };
    throw usageError(
      [...missing].map((name) => `unknown field "${name}" in ${flag}${formatSuggestion(name, [...names], { synonyms })}`),
      `valid names: ${[...names].join(", ")}`,
    );
  }
  yield* waiting;
}

/** The part of a path that a record itself has. */
export function getTopLevelField(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

/**
 * The same rows. After the last one `options.onNested` gets each path of `--fields` under which a record is nested, which a cell shows as JSON,
 * and a path into it.
 */
async function* reportNestedRecords(batches: AsyncIterable<readonly Row[]>, options: OutputOptions): AsyncGenerator<readonly Row[]> {
  const nested = new Map<string, string>();
  for await (const batch of batches) {
    for (const path of options.fields ?? []) {
      if (nested.has(path)) continue;
      const found = batch.map(({ record }) => findNestedFieldPath(getValueAtPath(record, path), path)).find((one) => one !== undefined);
      if (found !== undefined) nested.set(path, found);
    }
    yield batch;
  }
  for (const [path, part] of nested) options.onNested?.(path, part);
}

/** The path of the name of a nested record, else of its first scalar; undefined for all other values. */
function findNestedFieldPath(value: unknown, path: string): string | undefined {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(inner)) return undefined;
  const names = [path.split(".").at(-1) ?? path, "name", "title"];
  const key = [...names, ...Object.keys(inner)].find((name) => Object.hasOwn(inner, name) && isScalar(inner[name]));
  return key === undefined ? undefined : `${path}.${key}`;
}

/** Enough rows that the cost of a write does not count. */
const batchSize = 200;

/** An array in batches of at most 200; batches that arrive stay as they are. */
export async function* toBatches<T>(items: readonly T[] | AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in items) return yield* items;
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}
