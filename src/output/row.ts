// A row of a sheet, by itself: also what checks its fields knows it.
import type { DataRecord } from "./report.ts";

/** A record or an outcome, in the three ways that formats look at it. */
export interface Row {
  /** What JSON, NDJSON and YAML show. */
  readonly data: unknown;
  /** What the paths of the columns are looked up in. */
  readonly cells: DataRecord;
  /** The record itself; absent where a ref failed. */
  readonly record?: DataRecord | undefined;
}
