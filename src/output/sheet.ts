// Lists, single records and outcomes as one thing: rows under columns, of which every format takes what it needs.

import { isRecord } from "../data-record.ts";
import { usage } from "../errors.ts";
import { columnsNamed, fieldColumns, hasCells, labelled, outcomeColumns, type SheetColumn, usualColumns } from "./columns.ts";
import { checkFields, firstName, pick } from "./fields.ts";
import { grouped } from "./grouped.ts";
import { watchNested } from "./nested.ts";
import { problemOf } from "./problem.ts";
import type { ListReport, ListSummary, OutcomesReport, RecordReport, Report, ValueReport } from "./report.ts";
import type { Row } from "./row.ts";
import type { Format, View } from "./view.ts";

/** Rows under columns. They come in groups, each worth a write, and can be read once. */
export interface Sheet {
  readonly kind: "list" | "record" | "outcomes";
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly summary?: (() => ListSummary) | undefined;
  /** Of a single record, what is shown on a terminal unless more is asked for. */
  readonly brief?: RecordReport["brief"] | undefined;
}

/** The report as a sheet; undefined where it has no rows. Its rows fail with a usage error where `--fields` asks for what nobody knows. */
export function sheetOf(report: Report, view: View): Sheet | undefined {
  switch (report.kind) {
    case "list":
      refuseIds(report, view);
      return listSheet(report, view);
    case "record":
      refuseIds(report, view);
      return recordSheet(report, view);
    case "outcomes":
      return sheet(report, view, outcomeColumns(report.columns, view), outcomeRows(report, view));
    case "value":
      return sheetOfValue(report, view);
    default:
      return undefined;
  }
}

/** Findings, settings and profiles have no ids. */
function refuseIds({ columns }: ListReport | RecordReport, { format, field }: View): void {
  const [first] = columns;
  if (first === undefined || format !== "ids" || field !== undefined || columns.some(({ path }) => path === "id")) return;
  throw usage("there are no ids in what this command prints", `--field ${first.path} prints one value a line`);
}

function listSheet(report: ListReport, view: View): Sheet {
  return sheet(report, view, report.columns.map(labelled), plainRows(report.records, view));
}

function recordSheet(report: RecordReport, view: View): Sheet {
  return sheet(report, view, report.columns.map(labelled), plainRows([report.record], view));
}

function sheet(
  report: ListReport | RecordReport | OutcomesReport,
  view: View,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Row[]>,
): Sheet {
  const known = [...report.known, ...report.columns.map((column) => firstName(column.path))];
  const title = report.columns.find(({ kind }) => kind === "name")?.path;
  const asked = view.field === undefined ? (view.fields ?? []) : [view.field];
  const flag = view.field === undefined ? "--fields" : "--field";
  // One record alone is no table: it shows what it links to by name.
  const watched = (checked: AsyncIterable<readonly Row[]>) =>
    report.kind === "record" && view.format === "table" ? checked : watchNested(checked, view);
  const all = report.kind !== "outcomes" && view.fields !== undefined ? fieldColumns(view.fields, report.columns) : columns;
  return {
    kind: report.kind,
    columns: view.columns === undefined || !hasCells(view) ? usualColumns(all, view) : columnsNamed(view.columns, all),
    rows: asked.length === 0 ? rows : watched(checkFields(rows, flag, asked, { known, title })),
    summary: report.kind === "list" ? report.summary : undefined,
    brief: report.kind === "record" ? report.brief : undefined,
  };
}

/** Formats that are made of rows; the others can show any value. */
const rowFormats: readonly Format[] = ["table", "csv", "tsv", "ids", "count"];

/**
 * An array of objects is a list, unless its own text is what people see; one object is a record where single fields of it are asked for, or
 * the format is made of rows. There the one array of an answer beside its totals is the list. What has no rows is refused there.
 */
function sheetOfValue({ value, text }: ValueReport, view: View): Sheet | undefined {
  const single = [view.fields, view.field, view.columns].some((asked) => asked !== undefined) || view.format === "ids";
  if (text !== undefined && !single && (view.format === "table" || view.format === "tsv")) return undefined;
  const inRows = text === undefined && view.field === undefined && rowFormats.includes(view.format);
  const list = inRows ? listIn(value) : value;
  if (Array.isArray(list) && list.every(isRecord)) {
    const names = [...new Set(list.flatMap((record) => Object.keys(record)))];
    const report = { kind: "list", columns: fieldColumns(names.length > 0 ? names : ["id"], []), known: [], records: list } as const;
    if (names.length > 0 || single || inRows) return sheetOf(report, view);
  }
  if (isRecord(list) && (single || inRows))
    return sheetOf({ kind: "record", columns: fieldColumns(Object.keys(list), []), known: [], record: list }, view);
  if (!inRows || (view.format === "count" && Array.isArray(list))) return undefined;
  throw usage(`this answer has no rows, which --format ${view.format} is made of`, "see it as it came: --format json");
}

/** The records of an answer that holds them beside its totals; any other value as it is. An array among the fields of a record is no list. */
function listIn(value: unknown): unknown {
  if (!isRecord(value) || "id" in value) return value;
  const arrays = Object.values(value).filter(Array.isArray);
  const [only] = arrays;
  return arrays.length === 1 && only?.every(isRecord) === true && !Object.values(value).some(isRecord) ? only : value;
}

async function* plainRows(records: ListReport["records"], { fields }: View): AsyncGenerator<readonly Row[]> {
  for await (const page of grouped(records)) {
    yield page.map((record) => ({ data: fields === undefined ? record : pick(record, fields), cells: record, record }));
  }
}

async function* outcomeRows(report: OutcomesReport, { fields }: View): AsyncGenerator<readonly Row[]> {
  for await (const group of grouped(report.outcomes)) {
    yield group.map(({ ref, ok, record, error }) => {
      const shown = record === undefined || fields === undefined ? record : pick(record, fields);
      const data = { ref, ok, ...(shown && { record: shown }), ...(error && { error: problemOf(error) }) };
      return { data, cells: { ref, ok, record, error: error?.message }, record: ok ? record : undefined };
    });
  }
}
