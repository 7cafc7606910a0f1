// The result of a command: data for stdout, and how it is shown. Notices go to stderr instead.
import type { DataRecord } from "../data-record.ts";
import type { CalError } from "../errors.ts";
import type { Column } from "../model/resource.ts";
import type { Style } from "../terminal/style.ts";

/** Known when a list was read to its end (`--envelope`). Unknown totals are absent. */
export interface ListSummary {
  readonly total?: number;
  readonly total_pages?: number;
  readonly page?: number;
  readonly per_page?: number;
  /** Whether the server has more records than were printed. */
  readonly truncated: boolean;
  /** The range of dates that the list was limited to. */
  readonly window?: Readonly<Record<string, unknown>>;
}

/** Formats records as one document, in chunks. */
export type DocumentFormatter = (records: AsyncIterable<readonly DataRecord[]>) => AsyncIterable<string>;

export interface ReportColumn extends Column {
  /** Texts of cal itself, where "<site-url>" is no tag. */
  readonly isPlain?: true;
  /** The text for people; where it is undefined, the kind of the column decides. */
  readonly format?: (value: unknown, record: DataRecord) => string | undefined;
}

export interface ListReport {
  readonly kind: "list";
  readonly columns: readonly ReportColumn[];
  /** Names that `--fields` accepts although no record has them. */
  readonly fieldNames: readonly string[];
  /** All of them, or pages as they arrive. */
  readonly records: readonly DataRecord[] | AsyncIterable<readonly DataRecord[]>;
  /** Called after the last record. */
  readonly summary?: () => ListSummary;
  /** JSON and YAML print this instead of an array of the records. */
  readonly document?: unknown;
  /** A record for the JSON formats, where it also has values that only columns show. */
  readonly toData?: (record: DataRecord) => DataRecord;
  /** For people, instead of a table. */
  readonly text?: (options: OutputOptions) => string;
  /** Prints an export format, where one was chosen. */
  readonly toDocument?: DocumentFormatter;
  /** It is also printed when the settings can't be read: it may be about them. */
  readonly withoutSettings?: true;
  /** Called after the last record; absent is 0. */
  readonly exitCode?: () => number;
  /** An error that is reported after the list, which is printed whole. */
  readonly failure?: CalError | undefined;
}

export interface RecordReport {
  readonly kind: "record";
  /** A hint below it. */
  readonly nextStep?: string;
  readonly toDocument?: DocumentFormatter;
  readonly columns: readonly Column[];
  readonly fieldNames: readonly string[];
  readonly record: DataRecord;
  /** Fields that come before and after all others where it is shown to people. Absent is the order of the columns. */
  readonly fieldOrder?: { readonly first: readonly string[]; readonly last: readonly string[] };
  /** On a terminal only these fields are shown by default, then the command that shows all. Absent is everything. */
  readonly recordSummary?: { readonly fields: readonly string[]; readonly all?: string };
}

/** The result for one ref out of several. */
export interface Outcome<T = DataRecord> {
  readonly ref: string;
  readonly ok: boolean;
  readonly record?: T;
  readonly error?: CalError;
  /** Of a plan: the name of the record, and more values of the row. */
  readonly change?: { readonly name: string; readonly details: DataRecord };
}

/** Several refs in their order, all of them or in batches as they are done; `--format json` prints `{ref, ok, record|error}` rows. */
export interface OutcomesReport {
  readonly kind: "outcomes";
  readonly columns: readonly Column[];
  readonly fieldNames: readonly string[];
  readonly outcomes: readonly Outcome[] | AsyncIterable<readonly Outcome[]>;
  readonly toDocument?: DocumentFormatter;
  /** Records are written: that goes on where nothing can be printed any more. */
  readonly isWrite?: true;
  /** Called after the last outcome: 0, the code that all failures share, or 8; after an interruption that of the signal. */
  readonly exitCode: () => number;
  /** Called after the last outcome: what an interruption left undone. */
  readonly interruption?: () => CalError | undefined;
}

/** Any JSON value (`cal root`, `cal doc`, `cal api`); `text` is for people. */
export interface ValueReport {
  readonly kind: "value";
  readonly value: unknown;
  readonly text?: string;
  /** Part of the error where it can't be printed in this format: `POST /x was sent and answered 201`. */
  readonly completedRequest?: string;
}

/** A request that `--dry-run` did not send. */
export interface PlanEntry {
  readonly method: string;
  readonly url: string;
  /** The text that would be sent: JSON. */
  readonly body?: string;
}

/** Requests that `--dry-run` did not send, and the refs that failed. */
export interface PlanReport {
  readonly kind: "plan";
  readonly requests: readonly (PlanEntry | Outcome<PlanEntry>)[];
  /** Several refs were given: JSON and YAML are an array, however many requests there are. */
  readonly many?: true;
  /** Absent is 0. */
  readonly exitCode?: () => number;
}

export type Report =
  | ListReport
  | RecordReport
  | OutcomesReport
  | ValueReport
  | PlanReport
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nothing" };

/** The values of `--format`. */
export const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;

/** The values of `--format` that only some commands take, and no setting. */
export const exportFormats = ["ics", "markdown", "html"] as const;

export type ExportFormat = (typeof exportFormats)[number];

export type Format = (typeof formats)[number] | ExportFormat;

/** How a report is shown, by the streams, the settings and the flags. */
export interface OutputOptions {
  readonly format: Format;
  /** `--fields`, by path or header of a column, in this order: `id`, `venue.city`, `categories.name`. */
  readonly fields?: readonly string[];
  /** `--field`: one bare value on each line in any format (as JSON in the JSON formats). */
  readonly field?: string;
  /** Whether a header line comes first (table, TSV, CSV). */
  readonly header: boolean;
  /** `--envelope`: `{items, total, ...}` around a list (JSON, YAML). */
  readonly envelope: boolean;
  /** `--excel`: byte order mark, plain words and formula guard (CSV). */
  readonly excel: boolean;
  /** `--wide`: no column is dropped or cut. */
  readonly wide: boolean;
  /** Columns of the terminal; absent is unlimited. */
  readonly width?: number | undefined;
  /** Whether it goes to a terminal, where control characters do harm. */
  readonly tty: boolean;
  readonly style: Style;
  /** The viewer's zone; dates of another zone are marked with it. Absent: none is marked. */
  readonly zone?: string | undefined;
  /** Milliseconds since 1970. Near it, short dates have no year; absent: all have one. */
  readonly now?: number;
  /** Called with the headers of the columns that a table had no room for. */
  readonly onDropped?: (headers: readonly string[]) => void;
  /** Called for each path of `--fields` that holds records, which cells show as JSON, with a path into them: `venue`, `venue.venue`. */
  readonly onNested?: (path: string, part: string) => void;
}

/** A record or an outcome. */
export interface Row {
  /** For JSON, NDJSON and YAML. */
  readonly data: unknown;
  /** The values for the paths of the columns. */
  readonly cells: DataRecord;
  /** Absent where a ref failed. */
  readonly record?: DataRecord | undefined;
}
