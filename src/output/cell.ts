// A value as text in a cell: of a table, of TSV, of CSV.
import { stringifyExact } from "../http/json-text.ts";

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
