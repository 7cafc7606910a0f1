// The columns of a sheet: a resource's own, those of the fields that are asked for, and those of outcomes.
import { usage } from "../errors.ts";
import type { Column } from "../spec/resource.ts";
import type { ReportColumn } from "./report.ts";
import type { View } from "./view.ts";

/** A column that also has a name for programs: the header of TSV and CSV. */
export interface SheetColumn extends ReportColumn {
  readonly label: string;
}

/** Whether the format has columns, with a cell for each value. */
export function hasCells({ format }: View): boolean {
  return format === "table" || format === "tsv" || format === "csv";
}

/** The columns that a format has where none are named. */
export function usualColumns(columns: readonly SheetColumn[], { format }: View): readonly SheetColumn[] {
  return format === "table" ? columns.filter(({ forPrograms }) => forPrograms !== true) : columns;
}

/** The columns that are wanted, by header or label, in that order. Usage error for one that there is not. */
export function columnsNamed(names: readonly string[], columns: readonly SheetColumn[]): readonly SheetColumn[] {
  return names.map((name) => {
    const found = columns.find((column) => [column.header, column.label].some((own) => own.toLowerCase() === name.toLowerCase()));
    if (found !== undefined) return found;
    throw usage(`unknown column "${name}"`, `valid columns: ${columns.map((column) => column.label).join(", ")}`);
  });
}

/** A column of a resource, called by its path. */
export function labelled(column: ReportColumn): SheetColumn {
  return { ...column, label: column.path };
}

/** Columns for paths; those that are asked for first are given up last. */
export function fieldColumns(paths: readonly string[], columns: readonly ReportColumn[]): readonly SheetColumn[] {
  return paths.map((path, index) => {
    const own = columns.find((column) => column.path === path);
    const told = own?.told === undefined ? {} : { told: own.told };
    return { header: own?.header ?? path.toUpperCase(), path, kind: own?.kind ?? "text", priority: index + 1, label: path, ...told };
  });
}

/** Columns of what became of several refs. */
export function outcomeColumns(columns: readonly Column[], view: View): readonly SheetColumn[] {
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
