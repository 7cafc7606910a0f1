// How a source is read, as the command line says.

export const sourceFormats = ["csv", "tsv", "json", "ndjson", "yaml", "ics"] as const;

export type SourceFormat = (typeof sourceFormats)[number];

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
