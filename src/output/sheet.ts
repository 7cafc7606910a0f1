// Lists, single records and outcomes as one thing: rows under columns, of which every format takes what it needs.
import type { Column } from "../spec/resource.ts";
import { checkFields, firstName, isRecord, pick } from "./fields.ts";
import { problemOf } from "./problem.ts";
import type { ListReport, ListSummary, OutcomesReport, RecordReport, Report, ValueReport } from "./report.ts";
import type { Row } from "./row.ts";
import type { View } from "./view.ts";

/** A column that also has a name for programs: the header of TSV and CSV. */
export interface SheetColumn extends Column {
  readonly label: string;
}

/** Rows under columns. The rows can be read once. */
export interface Sheet {
  readonly kind: "list" | "record" | "outcomes";
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<Row>;
  readonly summary?: (() => ListSummary) | undefined;
}

/** The report as a sheet; undefined where it has no rows. Its rows fail with a usage error where `--fields` asks for what nobody knows. */
export function sheetOf(report: Report, view: View): Sheet | undefined {
  switch (report.kind) {
    case "list":
      return sheet(report, view, report.columns.map(labelled), plainRows(report.records, view));
    case "record":
      return sheet(report, view, report.columns.map(labelled), plainRows([report.record], view));
    case "outcomes":
      return sheet(report, view, outcomeColumns(report.columns, view), outcomeRows(report, view));
    case "value":
      return sheetOfValue(report, view);
    default:
      return undefined;
  }
}

function sheet(
  report: ListReport | RecordReport | OutcomesReport,
  view: View,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<Row>,
): Sheet {
  const known = [...report.known, ...report.columns.map((column) => firstName(column.path))];
  const asked = view.field === undefined ? (view.fields ?? []) : [view.field];
  const flag = view.field === undefined ? "--fields" : "--field";
  return {
    kind: report.kind,
    columns: report.kind !== "outcomes" && view.fields !== undefined ? fieldColumns(view.fields, report.columns) : columns,
    rows: asked.length === 0 ? rows : checkFields(rows, flag, asked, known),
    summary: report.kind === "list" ? report.summary : undefined,
  };
}

/** An array of objects is a list, unless its own text is what people see; one object is a record only where single fields of it are asked for. */
function sheetOfValue({ value, text }: ValueReport, view: View): Sheet | undefined {
  const single = view.fields !== undefined || view.field !== undefined || view.format === "ids";
  if (text !== undefined && !single && (view.format === "table" || view.format === "tsv")) return undefined;
  if (Array.isArray(value) && value.every(isRecord)) {
    const names = [...new Set(value.flatMap((record) => Object.keys(record)))];
    if (names.length > 0 || single) return sheetOf({ kind: "list", columns: fieldColumns(names, []), known: [], records: value }, view);
  }
  return single && isRecord(value) ? sheetOf({ kind: "record", columns: [], known: [], record: value }, view) : undefined;
}

function labelled(column: Column): SheetColumn {
  return { ...column, label: column.path };
}

/** Columns for paths; those that are asked for first are given up last. */
function fieldColumns(paths: readonly string[], columns: readonly Column[]): readonly SheetColumn[] {
  return paths.map((path, index) => {
    const own = columns.find((column) => column.path === path);
    return { header: own?.header ?? path.toUpperCase(), path, kind: own?.kind ?? "text", priority: index + 1, label: path };
  });
}

async function* plainRows(records: ListReport["records"], view: View): AsyncGenerator<Row> {
  for await (const record of records) {
    yield { data: view.fields === undefined ? record : pick(record, view.fields), cells: record, record };
  }
}

function outcomeColumns(columns: readonly Column[], view: View): readonly SheetColumn[] {
  const title = columns.find((column) => column.kind === "name")?.path ?? "name";
  const middle =
    view.fields === undefined
      ? [column("ID", "record.id", "id", 2, "id"), column("NAME", `record.${title}`, "name", 4, "name")]
      : fieldColumns(view.fields, columns).map((own) => ({ ...own, path: `record.${own.path}`, priority: own.priority + 3 }));
  return [
    column("REF", "ref", "id", 1, "ref"),
    column("OK", "ok", "flag", 1, "ok"),
    ...middle,
    column("ERROR", "error", "text", 3, "error"),
  ];
}

function column(header: string, path: string, kind: Column["kind"], priority: number, label: string): SheetColumn {
  return { header, path, kind, priority, label };
}

async function* outcomeRows(report: OutcomesReport, view: View): AsyncGenerator<Row> {
  for await (const { ref, ok, record, error } of report.outcomes) {
    const shown = record === undefined || view.fields === undefined ? record : pick(record, view.fields);
    const data = { ref, ok, ...(shown && { record: shown }), ...(error && { error: problemOf(error) }) };
    yield { data, cells: { ref, ok, record, error: error?.message }, record: ok ? record : undefined };
  }
}
