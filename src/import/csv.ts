// CSV and TSV: the header and the rows. The only importer of csv-parse.
import { Readable } from "node:stream";
import { CsvError, type Options, parse } from "csv-parse";
import { usageError } from "../errors.ts";
import { sanitizeLine } from "../text.ts";
import type { SourceRow } from "./row.ts";

/** Characters of one row at most; a quote that never ends would take the rest of the file. */
const maxRow = 4 * 1024 * 1024;

/** The header must come within so many characters. */
const maxHead = 65_536;

interface Table {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly rows: AsyncIterable<SourceRow>;
  readonly warnings: readonly string[];
  isWhole(): boolean;
}

/** Reads the header. A usage error where there is none, where two columns have one name, and with its line where a quote is wrong. */
export async function openTable(texts: AsyncIterable<string>, { label, format }: { label: string; format: "csv" | "tsv" }): Promise<Table> {
  const source = texts[Symbol.asyncIterator]();
  const { head, isEnd } = await readHead(source);
  if (head.trim() === "") throw usageError(isEnd ? `${label} is empty` : `${label} begins with nothing but spaces and empty lines`);
  // Excel reads and writes the delimiter in a line of its own.
  const [separatorLine, separator] = /^[\s]*sep=(.)\r?\n/i.exec(head) ?? [];
  const start = separatorLine ?? "";
  const body = head.slice(start.length);
  const skipped = start.split("\n").length - 1;
  const dialect = detectDialect(body, separator ?? (format === "tsv" ? "\t" : undefined));
  const options: Options = {
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.escape,
    relaxColumnCount: true,
    skipEmptyLines: true,
    maxRecordSize: maxRow,
  };
  async function* rest(): AsyncGenerator<string> {
    yield body;
    for (let next = isEnd ? undefined : await source.next(); next !== undefined && next.done !== true; next = await source.next())
      yield next.value;
  }
  const records = parseRecords(rest(), options, label, skipped);
  const first = await records.next();
  if (first.done === true) throw usageError(`${label} has no header`);
  const header = first.value.cells.map((name) => name.trim());
  checkHeader(header, label, first.value.line);
  let whole = false;
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const { cells, line } of records) yield toRow(cells, line, header);
    whole = true;
  }
  return { header, delimiter: dialect.delimiter, rows: rows(), warnings: [], isWhole: () => whole };
}

async function readHead(source: AsyncIterator<string>): Promise<{ head: string; isEnd: boolean }> {
  let head = "";
  while (head.length < maxHead) {
    const { value, done } = await source.next();
    if (done === true) return { head, isEnd: true };
    head += value;
  }
  return { head, isEnd: false };
}

/** The delimiter that is most frequent in the header outside of quotes; the quote and its escape by how they are used. */
function detectDialect(head: string, named: string | undefined): { delimiter: string; quote: string; escape: string } {
  const [first = ""] = head.trimStart().split(/\r\n|\n|\r/, 1);
  const quote = /^'[^']*'[,;\t|]/.test(first) ? "'" : '"';
  const plain = first.replaceAll(quote === "'" ? /'[^']*'/g : /"[^"]*"/g, "");
  const counts = [",", ";", "\t", "|"].map((sign) => ({ sign, count: plain.split(sign).length }));
  const delimiter = named ?? counts.reduce((most, one) => (one.count > most.count ? one : most)).sign;
  // PHP, and with it the importer of The Events Calendar, escapes a quote with a backslash.
  const hasBackslash = /[^\\]\\"[^,;\t|\r\n]/.test(head) && !/[^,;\t|\r\n]""[^,;\t|\r\n]/.test(head);
  return { delimiter, quote, escape: hasBackslash ? "\\" : quote };
}

interface TableRecord {
  readonly cells: readonly string[];
  /** On which the record begins. */
  readonly line: number;
}

async function* parseRecords(texts: AsyncIterable<string>, options: Options, label: string, skipped: number): AsyncGenerator<TableRecord> {
  // csv-parse counts a CRLF within a cell as two lines.
  let surplus = -skipped;
  let next = skipped + 1;
  // The lines of the records that are parsed and not taken yet.
  const lines: number[] = [];
  const onRecord = (record: string[], info: { readonly lines: number }): string[] => {
    const count = (pattern: RegExp) => record.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0);
    surplus += count(/\r\n/g);
    next = info.lines - surplus + 1;
    lines.push(info.lines - surplus - count(/\r\n|\n|\r/g));
    return record;
  };
  const parser = Readable.from(texts)
    .on("error", (error) => parser.destroy(error))
    .pipe(parse({ ...options, onRecord }));
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield { cells, line: lines.shift() ?? next };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw usageError(
      `${label}:${next}: ${csvProblems[error.code] ?? "this row can't be read"}`,
      "a quote within a cell is written twice, and the cell stands in quotes",
    );
  }
}

const csvProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "in the row that begins here a quote is opened and not closed",
  CSV_INVALID_CLOSING_QUOTE: "in the row that begins here something follows the quote that ends a cell",
  INVALID_OPENING_QUOTE: "in the row that begins here a quote stands within a cell",
  CSV_MAX_RECORD_SIZE: "the row that begins here is longer than 4 MB: a quote is opened and not closed, or this is not a table",
};

function checkHeader(header: readonly string[], label: string, line: number): void {
  const names = header.filter((name) => name !== "");
  if (names.length === 0) throw usageError(`${label}:${line}: the first row has no names of columns`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usageError(`${label}:${line}: two columns are named ${JSON.stringify(sanitizeLine(twice))}`);
}

function toRow(cells: readonly string[], line: number, header: readonly string[]): SourceRow {
  const warnings: string[] = [];
  const named = header.flatMap((name, at) => (name === "" || at >= cells.length ? [] : [[name, cells[at]] as const]));
  const unnamed = cells.flatMap((cell, at) => ((header[at] ?? "") === "" && cell.trim() !== "" ? [at + 1] : []));
  if (cells.length < header.length) warnings.push(`it has ${cells.length} of ${header.length} cells: the others are taken as absent`);
  else if (cells.length > header.length) warnings.push(`it has ${cells.length} cells, and the header ${header.length}`);
  if (unnamed.length > 0) warnings.push(`cell ${unnamed.join(", ")} has no header and is not read`);
  const isWhole = cells.length === header.length && named.length === header.length;
  return { line, values: Object.fromEntries(named), ...(isWhole ? {} : { cells }), problems: [], warnings };
}
