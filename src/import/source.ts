// The records of a file, a URL or stdin, one after the other, whatever their format.
import type { Problem } from "../errors.ts";

export const sourceFormats = ["csv", "tsv", "json", "ndjson", "yaml", "ics"] as const;

export type SourceFormat = (typeof sourceFormats)[number];

/** One record of a source. */
export interface SourceRow {
  /** The line in the source on which it begins, from 1. Absent where the format does not tell (YAML, JSON). */
  readonly line?: number;
  /** What names it in messages: the UID of an iCalendar event, or the place in a list (`[3]`). */
  readonly item?: string;
  /** By header or field name, as in the source. Of iCalendar: fields of the interface. A cell is a text. */
  readonly values: Readonly<Record<string, unknown>>;
  /** iCalendar: UID, and for an occurrence of a rule its RECURRENCE-ID. Absent where there is no UID. */
  readonly key?: string;
  /** iCalendar: STATUS is CANCELLED. */
  readonly cancelled?: true;
  /** What is wrong with this record: it can't be written. */
  readonly problems: readonly Problem[];
  /** What was taken although it is not quite right, such as a row that has too few cells. */
  readonly warnings: readonly string[];
  /** The cells as they stand in the source, in the order of the header: for `--rejects`. Only csv and tsv. */
  readonly cells?: readonly string[];
}

export interface Source {
  /** `--source`, else the file name, the origin of the URL with 8 hex digits of the hash of its address, or `stdin`. Free of secrets. */
  readonly name: string;
  /** What messages begin with: `events.csv`, `https://example.com`, `stdin`. Free of secrets. */
  readonly label: string;
  readonly format: SourceFormat;
  /** csv and tsv: the names of the columns, as they are written. */
  readonly header?: readonly string[];
  /** csv and tsv: what separates the cells. */
  readonly delimiter?: string;
  /** Can be read once. Throws a usage error where the structure of the source breaks (a quote that never ends). */
  readonly rows: AsyncIterable<SourceRow>;
  /** Whether every row was read to the end of the source. */
  isWhole(): boolean;
  /** What is said about the source as a whole, such as floating times; complete when all rows were read. */
  readonly warnings: readonly string[];
}

export interface SourceOptions {
  /** A file, an address (`https:`, `http:`, `webcal:`), or `-` for stdin. */
  readonly location: string;
  /** `--url-file`: the file from which the address was to be read. Then `location` is not used. */
  readonly urlFile?: string;
  /** `--source`. */
  readonly name?: string;
  /** `--input-format`. */
  readonly format?: SourceFormat;
  /** `--encoding`: utf-8, utf-16le, utf-16be, latin1 or windows-1252. */
  readonly encoding?: string;
  /** Name of the resource: iCalendar has events only. */
  readonly resource: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Milliseconds for a URL as a whole, with its redirects. */
  readonly timeout: number;
  readonly allowPrivate?: boolean;
  readonly allowHttp?: boolean;
  /** Certificates of additional authorities, as PEM. */
  readonly ca?: readonly string[];
  /** iCalendar: the zone of floating times, and of times whose zone has no name that a calendar knows. */
  readonly zone: string;
  /** iCalendar: occurrences of rules that start at or after this instant, in milliseconds since 1970. */
  readonly from?: number;
  /** iCalendar: occurrences of rules that start at or before this instant. Required where a rule has no end. */
  readonly until?: number;
  /** iCalendar: occurrences of the whole file at most; more are refused. */
  readonly maxOccurrences?: number;
  /** iCalendar: the field that CATEGORIES fill. */
  readonly categoriesAs?: "categories" | "tags";
}
