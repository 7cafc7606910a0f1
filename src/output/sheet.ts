// Lists, single records and outcomes as one thing: rows under columns, of which every format takes what it needs.

import { isRecord } from "../data-record.ts";
import { usageError } from "../errors.ts";
import {
  createFieldColumns,
  createOutcomeColumns,
  findColumnsByName,
  getDefaultColumns,
  isTabular,
  type OutputColumn,
  toOutputColumn,
} from "./columns.ts";
import { getTopLevelField, pickFields, validateFields } from "./fields.ts";
import { toBatches } from "./grouped.ts";
import { reportNestedRecords } from "./nested.ts";
import { toErrorData } from "./problem.ts";
import type { ListReport, ListSummary, OutcomesReport, RecordReport, Report, ValueReport } from "./report.ts";
import type { Row } from "./row.ts";
import type { Format, OutputOptions } from "./view.ts";

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
