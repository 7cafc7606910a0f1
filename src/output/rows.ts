// Lists, single records and outcomes as one thing: rows under columns, of which every format takes what it needs.
import { formatSuggestion } from "../closest.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import { type CalError, usageError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Column } from "../model/resource.ts";
import { decodeEntities, replaceTags, sanitizeLine, toPlainText } from "../text.ts";
import { toErrorData } from "./message.ts";
import type {
  Format,
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

/** Rows under columns. They come in groups, each worth a write, and can be read once. */
export interface Rows {
  readonly kind: "list" | "record" | "outcomes";
  readonly columns: readonly OutputColumn[];
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly summary?: (() => ListSummary) | undefined;
  /** Of a single record, what is shown on a terminal unless more is asked for. */
  readonly recordSummary?: RecordReport["recordSummary"] | undefined;
}

/** The report as a sheet; undefined where it has no rows. Its rows fail with a usage error where `--fields` asks for what nobody knows. */
export function toRows(report: Report, view: OutputOptions): Rows | undefined {
  switch (report.kind) {
    case "list":
      requireIdColumn(report, view);
      return listToRows(report, view);
    case "record":
      requireIdColumn(report, view);
      return recordToRows(report, view);
    case "outcomes":
      return createRows(report, view, createOutcomeColumns(report.columns, view), createOutcomeRows(report, view));
    case "value":
      return valueToRows(report, view);
    default:
      return undefined;
  }
}

/** Findings, settings and profiles have no ids. */
function requireIdColumn({ columns }: ListReport | RecordReport, { format, field }: OutputOptions): void {
  const [first] = columns;
  if (first === undefined || format !== "ids" || field !== undefined || columns.some(({ path }) => path === "id")) return;
  throw usageError("there are no ids in what this command prints", `--field ${first.path} prints one value a line`);
}

function listToRows(report: ListReport, view: OutputOptions): Rows {
  return createRows(report, view, report.columns.map(toOutputColumn), createRecordRows(report.records, view));
}

function recordToRows(report: RecordReport, view: OutputOptions): Rows {
  return createRows(report, view, report.columns.map(toOutputColumn), createRecordRows([report.record], view));
}

function createRows(
  report: ListReport | RecordReport | OutcomesReport,
  view: OutputOptions,
  columns: readonly OutputColumn[],
  rows: AsyncIterable<readonly Row[]>,
): Rows {
  const fieldNames = [...report.fieldNames, ...report.columns.map((column) => getTopLevelField(column.path))];
  const titleField = report.columns.find(({ kind }) => kind === "name")?.path;
  const asked = view.field === undefined ? (view.fields ?? []) : [view.field];
  const flag = view.field === undefined ? "--fields" : "--field";
  // One record alone is no table: it shows what it links to by name.
  const watched = (checked: AsyncIterable<readonly Row[]>) =>
    report.kind === "record" && view.format === "table" ? checked : reportNestedRecords(checked, view);
  const all = report.kind !== "outcomes" && view.fields !== undefined ? createFieldColumns(view.fields, report.columns) : columns;
  return {
    kind: report.kind,
    columns: view.columns === undefined || !isTabular(view) ? getDefaultColumns(all, view) : findColumnsByName(view.columns, all),
    batches: asked.length === 0 ? rows : watched(validateFields(rows, flag, asked, { fieldNames, titleField })),
    summary: report.kind === "list" ? report.summary : undefined,
    recordSummary: report.kind === "record" ? report.recordSummary : undefined,
  };
}

/** Formats that are made of rows; the others can show any value. */
const rowFormats: readonly Format[] = ["table", "csv", "tsv", "ids", "count"];

/**
 * An array of objects is a list, unless its own text is what people see; one object is a record where single fields of it are asked for, or
 * the format is made of rows. There the one array of an answer beside its totals is the list. What has no rows is refused there.
 */
function valueToRows({ value, text }: ValueReport, view: OutputOptions): Rows | undefined {
  const single = [view.fields, view.field, view.columns].some((asked) => asked !== undefined) || view.format === "ids";
  if (text !== undefined && !single && (view.format === "table" || view.format === "tsv")) return undefined;
  const inRows = text === undefined && view.field === undefined && rowFormats.includes(view.format);
  const list = inRows ? findRecordList(value) : value;
  if (Array.isArray(list) && list.every(isRecord)) {
    const names = [...new Set(list.flatMap((record) => Object.keys(record)))];
    const report = {
      kind: "list",
      columns: createFieldColumns(names.length > 0 ? names : ["id"], []),
      fieldNames: [],
      records: list,
    } as const;
    if (names.length > 0 || single || inRows) return toRows(report, view);
  }
  if (isRecord(list) && (single || inRows))
    return toRows({ kind: "record", columns: createFieldColumns(Object.keys(list), []), fieldNames: [], record: list }, view);
  if (!inRows || (view.format === "count" && Array.isArray(list))) return undefined;
  throw usageError(`this answer has no rows, which --format ${view.format} is made of`, "see it as it came: --format json");
}

/** The records of an answer that holds them beside its totals; any other value as it is. An array among the fields of a record is no list. */
function findRecordList(value: unknown): unknown {
  if (!isRecord(value) || "id" in value) return value;
  const arrays = Object.values(value).filter(Array.isArray);
  const [only] = arrays;
  return arrays.length === 1 && only?.every(isRecord) === true && !Object.values(value).some(isRecord) ? only : value;
}

async function* createRecordRows(records: ListReport["records"], { fields }: OutputOptions): AsyncGenerator<readonly Row[]> {
  for await (const page of toBatches(records)) {
    yield page.map((record) => ({ data: fields === undefined ? record : pickFields(record, fields), cells: record, record }));
  }
}

async function* createOutcomeRows(report: OutcomesReport, { fields }: OutputOptions): AsyncGenerator<readonly Row[]> {
  for await (const group of toBatches(report.outcomes)) {
    yield group.map(({ ref, ok, record, error }) => {
      const shown = record === undefined || fields === undefined ? record : pickFields(record, fields);
      const data = { ref, ok, ...(shown && { record: shown }), ...(error && { error: toErrorData(error) }) };
      return { data, cells: { ref, ok, record, error: error?.message }, record: ok ? record : undefined };
    });
  }
}

// The columns of a sheet: a resource's own, those of the fields that are asked for, and those of outcomes.

/** A column that also has a name for programs: the header of TSV and CSV. */
export interface OutputColumn extends ReportColumn {
  readonly label: string;
}

/** Whether the format has columns, with a cell for each value. */
function isTabular({ format }: OutputOptions): boolean {
  return format === "table" || format === "tsv" || format === "csv";
}

/** The columns that a format has where none are named. */
function getDefaultColumns(columns: readonly OutputColumn[], { format }: OutputOptions): readonly OutputColumn[] {
  return format === "table" ? columns.filter(({ machineReadableOnly }) => machineReadableOnly !== true) : columns;
}

/** The columns that are wanted, by header or label, in that order. Usage error for one that there is not. */
function findColumnsByName(names: readonly string[], columns: readonly OutputColumn[]): readonly OutputColumn[] {
  return names.map((name) => {
    const found = columns.find((column) => [column.header, column.label].some((own) => own.toLowerCase() === name.toLowerCase()));
    if (found !== undefined) return found;
    throw usageError(`unknown column "${name}"`, `valid columns: ${columns.map((column) => column.label).join(", ")}`);
  });
}

/** A column of a resource, called by its path. */
function toOutputColumn(column: ReportColumn): OutputColumn {
  return { ...column, label: column.path };
}

/** Columns for paths; those that are asked for first are given up last. */
function createFieldColumns(paths: readonly string[], columns: readonly ReportColumn[]): readonly OutputColumn[] {
  return paths.map((path, index) => {
    const own = columns.find((column) => column.path === path);
    const format = own?.format === undefined ? {} : { format: own.format };
    return { header: own?.header ?? path.toUpperCase(), path, kind: own?.kind ?? "text", priority: index + 1, label: path, ...format };
  });
}

/** Columns of what became of several refs. */
function createOutcomeColumns(columns: readonly Column[], view: OutputOptions): readonly OutputColumn[] {
  const title = columns.find((column) => column.kind === "name")?.path ?? "name";
  const middle =
    view.fields === undefined
      ? [createColumn("ID", "record.id", "id", 2, "id"), createColumn("NAME", `record.${title}`, "name", 4, "name")]
      : createFieldColumns(view.fields, columns).map((own) => ({ ...own, path: `record.${own.path}`, priority: own.priority + 3 }));
  return [
    createColumn("REF", "ref", "id", 1, "ref"),
    createColumn("OK", "ok", "flag", 1, "ok"),
    ...middle,
    createColumn("ERROR", "error", "text", 3, "error"),
  ];
}

function createColumn(header: string, path: string, kind: Column["kind"], priority: number, label: string): OutputColumn {
  return { header, path, kind, priority, label };
}

// A value as text in a cell: of a table, of TSV, of CSV.

/** Nothing for what is absent, scalars as they are, arrays of scalars joined with ", ", everything else as JSON. */
export function stringifyCellValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  return Array.isArray(value) && value.every(isScalar) ? value.map(stringifyCellValue).join(", ") : stringifyExact(value);
}

/** Whether a JSON value has no parts. */
export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

// A value as people read it in a table or a record: dates to the minute, yes and no, plain words.

/** The text of a cell: one line, safe on a terminal, not cut. */
export function formatCell(column: OutputColumn, row: Row, view: OutputOptions): string {
  const value = getValueAtPath(row.cells, column.path);
  const record = row.record ?? row.cells;
  const told = column.format?.(value, record);
  if (told !== undefined) return told;
  switch (column.kind) {
    case "date-time":
      return formatDateCell(value, column.label, record, view);
    case "status":
      return record["featured"] === true ? `${formatPlainValue(value)}, featured` : formatPlainValue(value);
    default:
      return formatPlainValue(value);
  }
}

/** Any value in one line of words. */
export function formatPlainValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = stringifyCellValue(value);
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar)) ? toPlainText(text) : sanitizeLine(text);
}

/** The text of a status in its colour; the word says the same without it. */
export function colorizeStatus(text: string, view: OutputOptions): string {
  if (text.startsWith("publish")) return view.style.green(text);
  return text.startsWith("trash") ? view.style.red(text) : view.style.magenta(text);
}

function formatDateCell(value: unknown, label: string, record: DataRecord, view: OutputOptions): string {
  const match = typeof value === "string" ? /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d)?$/.exec(value) : null;
  if (match === null) return formatPlainValue(value);
  const [, day = "", time = ""] = match;
  // What servers send for "no date".
  if (day === "0000-00-00") return "";
  if (label !== "start_date" && label !== "end_date") return `${day} ${time}`;
  if (record["all_day"] === true) return label === "start_date" ? `${day} all day` : day;
  return `${day} ${time}${formatRecordZone(record, label, view)}`;
}

/**
 * The record's zone with a space before it, where that is not the viewer's. The letters that servers tell with it are those of the start:
 * an end at another distance from UTC shows that distance, which the date grammar takes too.
 */
function formatRecordZone(record: DataRecord, label: "start_date" | "end_date", view: OutputOptions): string {
  const zone = formatPlainValue(record["timezone"]);
  if (zone === "" || view.zone === undefined || zone === view.zone) return "";
  const letters = ` ${formatPlainValue(record["timezone_abbr"]) || zone}`;
  if (label === "start_date") return letters;
  const [start, end] = [getUtcOffsetMinutes(record, "start_date"), getUtcOffsetMinutes(record, "end_date")];
  if (end === undefined) return ` ${zone}`;
  return start === end ? letters : ` ${formatUtcOffset(end)}`;
}

function getUtcOffsetMinutes(record: DataRecord, name: string): number | undefined {
  const [wall = Number.NaN, utc = Number.NaN] = [record[name], record[`utc_${name}`]].map((time) => Date.parse(`${time}Z`));
  return Number.isNaN(wall - utc) ? undefined : (wall - utc) / 60_000;
}

function formatUtcOffset(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}

// Field paths (`venue.city`, `categories.name`): the value they lead to, and whether anyone knows them.

/** The value at a path; arrays on the way are mapped and give an array. Undefined where a record does not have it. A key that itself holds dots goes first. */
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

/** The names that are right, and the one of them that holds what a record is called. */
interface ValidFields {
  readonly fieldNames: readonly string[];
  readonly titleField: string | undefined;
}

/**
 * The rows, unless a path starts with a name that is neither known nor in any record: then a usage error with the valid names.
 * Rows wait until every name has been met, so that nothing is printed before the error. No records, no error.
 */
async function* validateFields(
  rows: AsyncIterable<readonly Row[]>,
  flag: string,
  paths: readonly string[],
  { fieldNames, titleField }: ValidFields,
): AsyncGenerator<readonly Row[]> {
  const names = new Set(fieldNames);
  const missing = new Set(paths.map(getTopLevelField).filter((name) => !names.has(name)));
  const held: (readonly Row[])[] = [];
  for await (const group of rows) {
    if (missing.size > 0) {
      for (const name of group.flatMap(({ record }) => Object.keys(record ?? {}))) {
        names.add(name);
        missing.delete(name);
      }
      held.push(group);
      if (missing.size === 0) yield* held.splice(0);
    } else yield group;
  }
  if (missing.size > 0 && held.flat().some(({ record }) => record !== undefined))
    throw createUnknownFieldsError(flag, [...missing], { fieldNames: [...names], titleField });
  yield* held;
}

/** The part of a path that a record itself has. */
export function getTopLevelField(path: string): string {
  return path.split(".", 1)[0] ?? path;
}

function createUnknownFieldsError(flag: string, missing: readonly string[], { fieldNames, titleField }: ValidFields): CalError {
  const synonyms = titleField === undefined ? {} : { name: titleField };
  return usageError(
    missing.map((name) => `unknown field "${name}" in ${flag}${formatSuggestion(name, fieldNames, { synonyms })}`),
    `valid names: ${fieldNames.join(", ")}`,
  );
}

// Records inside a record: a cell shows them whole, as JSON, and their parts can be asked for.

/** The groups of rows as they are; after the last one `view.onNested` is told what the fields that were asked for hold records in. */
async function* reportNestedRecords(rows: AsyncIterable<readonly Row[]>, view: OutputOptions): AsyncGenerator<readonly Row[]> {
  const paths = isTabular(view) ? (view.fields ?? []) : [];
  const parts = new Map<string, string>();
  for await (const group of rows) {
    for (const path of paths) {
      const part = parts.has(path)
        ? undefined
        : group.map(({ record }) => findNestedFieldPath(getValueAtPath(record, path), path)).find((one) => one !== undefined);
      if (part !== undefined) parts.set(path, part);
    }
    yield group;
  }
  for (const [path, part] of parts) view.onNested?.(path, part);
}

/** The path of what a record inside a record is called, else of its first plain value; undefined for all other values. */
function findNestedFieldPath(value: unknown, path: string): string | undefined {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(inner)) return undefined;
  const usual = [path.split(".").at(-1) ?? path, "name", "title"];
  const key = [...usual, ...Object.keys(inner)].find((name) => Object.hasOwn(inner, name) && isScalar(inner[name]));
  return key === undefined ? undefined : `${path}.${key}`;
}

// Descriptions: HTML as paragraphs of plain text.

const paragraphTagPattern = /^<\/?(?:blockquote|div|dl|figure|h[1-6]|hr|ol|p|pre|section|table|ul)\b/i;
const lineBreakTagPattern = /^<(?:br|dd|dt|tr)\b/i;

/** The lines of a text: paragraphs with an empty line between them, list items with a dash, links with their address; safe on a terminal. */
export function htmlToLines(html: string): readonly string[] {
  const isMarkup = /<[a-z!/]/i.test(html);
  const text = isMarkup ? replaceTags(html.replace(/\s+/g, " "), createTagReplacer()) : html;
  const lines = decodeEntities(text)
    .split(/\r?\n/)
    .map((line) => sanitizeLine(line).replace(/\s+/g, " ").trim());
  const spaced = lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "");
  return spaced.at(-1) === "" ? spaced.slice(0, -1) : spaced;
}

/** What stands for a tag; it remembers the link that is open. */
function createTagReplacer(): (tag: string) => string {
  let link = "";
  return (tag) => {
    if (/^<a\s/i.test(tag)) link = /\shref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? "";
    if (/^<\/a\b/i.test(tag) && link !== "") {
      const address = ` (${link})`;
      link = "";
      return address;
    }
    if (/^<li\b/i.test(tag)) return "\n- ";
    if (paragraphTagPattern.test(tag)) return "\n\n";
    return lineBreakTagPattern.test(tag) ? "\n" : /^<\/?t[dh]\b/i.test(tag) ? " " : "";
  };
}

// Rows in groups, so that a chunk of output is worth writing.

/** Enough rows that the cost of a write does not count. */
const batchSize = 200;

/** What is there at once in groups of at most 200; what comes in groups as it comes. */
export async function* toBatches<T>(items: readonly T[] | AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in items) return yield* items;
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}
