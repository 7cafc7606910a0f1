// The columns of a sheet: a resource's own, those of the fields that are asked for, and those of outcomes.
import { usageError } from "../errors.ts";
import type { Column } from "../spec/resource.ts";
import type { ReportColumn } from "./report.ts";
import type { OutputOptions } from "./view.ts";

/** A column that also has a name for programs: the header of TSV and CSV. */
export interface OutputColumn extends ReportColumn {
  readonly label: string;
}

/** Whether the format has columns, with a cell for each value. */
export function isTabular({ format }: OutputOptions): boolean {
  return format === "table" || format === "tsv" || format === "csv";
}

/** The columns that a format has where none are named. */
export function getDefaultColumns(columns: readonly OutputColumn[], { format }: OutputOptions): readonly OutputColumn[] {
  return format === "table" ? columns.filter(({ machineReadableOnly }) => machineReadableOnly !== true) : columns;
}

/** The columns that are wanted, by header or label, in that order. Usage error for one that there is not. */
export function findColumnsByName(names: readonly string[], columns: readonly OutputColumn[]): readonly OutputColumn[] {
  return names.map((name) => {
    const found = columns.find((column) => [column.header, column.label].some((own) => own.toLowerCase() === name.toLowerCase()));
    if (found !== undefined) return found;
    throw usageError(`unknown column "${name}"`, `valid columns: ${columns.map((column) => column.label).join(", ")}`);
  });
}

/** A column of a resource, called by its path. */
export function toOutputColumn(column: ReportColumn): OutputColumn {
  return { ...column, label: column.path };
}

/** Columns for paths; those that are asked for first are given up last. */
export function createFieldColumns(paths: readonly string[], columns: readonly ReportColumn[]): readonly OutputColumn[] {
  return paths.map((path, index) => {
    const own = columns.find((column) => column.path === path);
    const format = own?.format === undefined ? {} : { format: own.format };
    return { header: own?.header ?? path.toUpperCase(), path, kind: own?.kind ?? "text", priority: index + 1, label: path, ...format };
  });
}

/** Columns of what became of several refs. */
export function createOutcomeColumns(columns: readonly Column[], view: OutputOptions): readonly OutputColumn[] {
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
