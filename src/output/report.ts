// What a command answers with: data for stdout. Everything else it has to say goes to stderr as notices.
import type { DataRecord } from "../data-record.ts";
import type { CalError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { Style } from "../terminal/style.ts";

/** What is known of a list when it has been read to the end (`--envelope`). Unknown totals are absent. */
export interface ListSummary {
  readonly total?: number;
  readonly total_pages?: number;
  readonly page?: number;
  readonly per_page?: number;
  /** Whether the server has more records than were printed. */
  readonly truncated: boolean;
  /** The window of dates that was used, where one was. */
  readonly window?: Readonly<Record<string, unknown>>;
}

/** A column of a report. */
export interface ReportColumn extends Column {
  /** What people see of a value in it; undefined is what its kind makes of it. */
  readonly format?: (value: unknown, record: DataRecord) => string | undefined;
}

/** Records: all of them, or pages of them as they arrive. */
export interface ListReport {
  readonly kind: "list";
  readonly columns: readonly ReportColumn[];
  /** Names that `--fields` may ask for although no record carries them. */
  readonly fieldNames: readonly string[];
  readonly records: readonly DataRecord[] | AsyncIterable<readonly DataRecord[]>;
  /** To be asked when the records are read to the end. */
  readonly summary?: () => ListSummary;
  /** What people see instead of a table. */
  readonly text?: (view: OutputOptions) => string;
  /** To be printed also where the settings can't be read: it may be about them. */
  readonly withoutSettings?: true;
  /** To be asked when the records are read to the end; absent is 0. */
  readonly exitCode?: () => number;
}

/** One record. */
export interface RecordReport {
  readonly kind: "record";
  /** What one does next, to be told below it. */
  readonly nextStep?: string;
  readonly columns: readonly Column[];
  readonly fieldNames: readonly string[];
  readonly record: DataRecord;
  /** On a terminal people see these fields only, unless more is asked for, and then the command that shows all. Absent is everything. */
  readonly recordSummary?: { readonly fields: readonly string[]; readonly all?: string };
}

/** What became of one ref out of several. */
export interface Outcome<T = DataRecord> {
  readonly ref: string;
  readonly ok: boolean;
  readonly record?: T;
  readonly error?: CalError;
}

/** Several refs, in the order given, all of them or in groups as they are done; `--format json` prints `{ref, ok, record|error}` rows. */
export interface OutcomesReport {
  readonly kind: "outcomes";
  readonly columns: readonly Column[];
  readonly fieldNames: readonly string[];
  readonly outcomes: readonly Outcome[] | AsyncIterable<readonly Outcome[]>;
  /** To be asked when the outcomes are read to the end: 0, the code all failures share, or 8. */
  readonly exitCode: () => number;
}

/** Any JSON value (`cal root`, `cal doc`, `cal api`); `text` is what people see where that is not JSON. */
export interface ValueReport {
  readonly kind: "value";
  readonly value: unknown;
  readonly text?: string;
  /** What was done for it, to be told where it can't be printed as asked: `POST /x was sent and answered 201`. */
  readonly completedRequest?: string;
}

/** A request that `--dry-run` kept back. */
export interface PlanEntry {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

/** Requests that `--dry-run` kept back; of several refs those that failed stand in their place. */
export interface PlanReport {
  readonly kind: "plan";
  readonly requests: readonly (PlanEntry | Outcome<PlanEntry>)[];
  /** Whether several refs were given: JSON and YAML are an array then, however many requests there are. */
  readonly many?: true;
  /** Absent is 0. */
  readonly exitCode?: () => number;
}

/** Raw text or bytes, printed as they are. */
interface TextReport {
  readonly kind: "text";
  readonly text: string;
}

/** Everything that a command can answer with. */
export type Report = ListReport | RecordReport | OutcomesReport | ValueReport | PlanReport | TextReport | { readonly kind: "nothing" };

// How the user wants to see a report.

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

// A row of a sheet, by itself: also what checks its fields knows it.

/** A record or an outcome, in the three ways that formats look at it. */
export interface Row {
  /** What JSON, NDJSON and YAML show. */
  readonly data: unknown;
  /** What the paths of the columns are looked up in. */
  readonly cells: DataRecord;
  /** The record itself; absent where a ref failed. */
  readonly record?: DataRecord | undefined;
}
