// Lists, single records and outcomes as one thing: rows under columns, of which every format takes what it needs.
import { usage } from "../errors.ts";
import { batches, grouped } from "./batches.ts";
import { columnsNamed, fieldColumns, hasCells, labelled, outcomeColumns, type SheetColumn, usualColumns } from "./columns.ts";
import { checkFields, firstName, isRecord, pick } from "./fields.ts";
import { watchNested } from "./nested.ts";
import { problemOf } from "./problem.ts";
import type { ListReport, ListSummary, OutcomesReport, RecordReport, Report, ValueReport } from "./report.ts";
import type { Row } from "./row.ts";
import type { View } from "./view.ts";

/** Rows under columns. They come in groups, each worth a write, and can be read once. */
export interface Sheet {
  readonly kind: "list" | "record" | "outcomes";
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly summary?: (() => ListSummary) | undefined;
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
      return sheet(report, view, outcomeColumns(report.columns, view), batches(outcomeRows(report, view)));
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
  };
}

/** An array of objects is a list, unless its own text is what people see; one object is a record only where single fields of it are asked for. */
function sheetOfValue({ value, text }: ValueReport, view: View): Sheet | undefined {
  const single = [view.fields, view.field, view.columns].some((asked) => asked !== undefined) || view.format === "ids";
  if (text !== undefined && !single && (view.format === "table" || view.format === "tsv")) return undefined;
  if (Array.isArray(value) && value.every(isRecord)) {
    const names = [...new Set(value.flatMap((record) => Object.keys(record)))];
    if (names.length > 0 || single) return listSheet({ kind: "list", columns: fieldColumns(names, []), known: [], records: value }, view);
  }
  if (!single || !isRecord(value)) return undefined;
  return recordSheet({ kind: "record", columns: fieldColumns(Object.keys(value), []), known: [], record: value }, view);
}

async function* plainRows(records: ListReport["records"], { fields }: View): AsyncGenerator<readonly Row[]> {
  for await (const page of grouped(records)) {
    yield page.map((record) => ({ data: fields === undefined ? record : pick(record, fields), cells: record, record }));
  }
}

async function* outcomeRows(report: OutcomesReport, view: View): AsyncGenerator<Row> {
  for await (const { ref, ok, record, error } of report.outcomes) {
    const shown = record === undefined || view.fields === undefined ? record : pick(record, view.fields);
    const data = { ref, ok, ...(shown && { record: shown }), ...(error && { error: problemOf(error) }) };
    yield { data, cells: { ref, ok, record, error: error?.message }, record: ok ? record : undefined };
  }
}
