// How the user wants to see a report.
import type { Style } from "../terminal/style.ts";

/** What `--format` may say. */
export const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;

/** One of them. */
export type Format = (typeof formats)[number];

/** How a report is shown; the streams, the settings and the flags decide. */
export interface OutputOptions {
  readonly format: Format;
  /** `--fields`: only these, in this order: `id`, `venue.city`, `categories.name`. */
  readonly fields?: readonly string[];
  /** `--field`: the bare value, one a line, whatever the format (as JSON in the JSON formats). */
  readonly field?: string;
  /** Whether a header line comes first (table, TSV, CSV). */
  readonly header: boolean;
  /** `--envelope`: `{items, total, ...}` around a list (JSON, YAML). */
  readonly envelope: boolean;
  /** `--excel`: byte order mark, entities decoded and formula guard (CSV). */
  readonly excel: boolean;
  /** `--wide`: no column is dropped or cut. */
  readonly wide: boolean;
  /** The columns of a table, TSV or CSV, by header or path, where not all are wanted. */
  readonly columns?: readonly string[];
  /** Columns of the terminal; absent is unlimited. */
  readonly width?: number | undefined;
  /** Whether it goes to a terminal, where control characters do harm. */
  readonly tty: boolean;
  readonly style: Style;
  /** The viewer's zone; dates of another zone are marked with it. Absent: none is marked. */
  readonly zone?: string | undefined;
  /** Told the headers of the columns that a table had no room for. */
  readonly onDropped?: (headers: readonly string[]) => void;
  /** Told the fields that were asked for and hold records, which cells show as JSON, each with a path into them: `venue`, `venue.venue`. */
  readonly onNested?: (path: string, part: string) => void;
}
