// The records of a file, a URL or stdin, one after the other, whatever their format.
import { usageError } from "../errors.ts";
import { resources } from "../model/resources.ts";
import { checkEncoding, decodeHead, decodeText, readAll, readText, refuseBinary, toOctets } from "./encoding.ts";
import { type Input, openInput } from "./input.ts";
import type { SourceRow } from "./row.ts";
import { type SourceFormat, type SourceOptions, sourceFormats } from "./source-options.ts";

/** Bytes of a file that is read as a whole; the limit of a URL too. */
const maxDocumentSize = 64 * 1024 * 1024;

/** The reader of YAML needs about 100 times the memory of its text. */
const maxYamlSize = 8 * 1024 * 1024;

export type { SourceRow } from "./row.ts";
export { type SourceFormat, type SourceOptions, sourceFormats } from "./source-options.ts";

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

/** Begins to read a source. A usage error where it is none of the formats, where its encoding is unknown, or where its structure is broken. */
export async function readSource(options: SourceOptions): Promise<Source> {
  if (options.urlFile !== undefined && options.name === undefined)
    throw usageError("--url-file needs --source", "give the source a name that is not secret: --source club-feed");
  const encoding = checkEncoding(options.encoding);
  const input = await openInput(options);
  const head = await input.readHead();
  const format = options.format ?? formatOf(input, head);
  if (format === "ics" && !Object.values(resources).some(({ name, hasDates }) => hasDates && name === options.resource))
    throw usageError(`${input.label} is iCalendar: it has events, not ${options.resource}`);
  refuseBinary(head, input.label);
  const common = { name: options.name ?? input.name, label: input.label, format };
  if (format === "csv" || format === "tsv") {
    const { openTable } = await import("./csv.ts");
    return { ...common, ...(await openTable(decodeText(input.chunks(), input.label, encoding), { label: input.label, format })) };
  }
  if (format === "ndjson") {
    const { readLines } = await import("./documents.ts");
    return createSource(common, readLines(decodeText(input.chunks(), input.label, encoding), input.label));
  }
  if (format === "ics") {
    const { readCalendar } = await import("../ical/read.ts");
    const bytes = toOctets(await readAll(input.chunks(), input.label, maxDocumentSize), encoding);
    const { rows, warnings } = readCalendar(bytes.bytes, {
      label: input.label,
      ...(bytes.encoding !== undefined && { encoding: bytes.encoding }),
      zone: options.zone,
      ...(options.from !== undefined && { from: options.from }),
      ...(options.until !== undefined && { until: options.until }),
      maxOccurrences: options.maxOccurrences ?? 10_000,
      categoriesAs: options.categoriesAs ?? "categories",
    });
    return createSource(common, rows, warnings);
  }
  const { readDocument } = await import("./documents.ts");
  const text = await readText(
    decodeText(input.chunks(), input.label, encoding),
    input.label,
    format === "yaml" ? maxYamlSize : maxDocumentSize,
  );
  return createSource(common, await readDocument(text, format, { label: input.label, resource: options.resource }));
}

function createSource(
  common: Pick<Source, "name" | "label" | "format">,
  list: Iterable<SourceRow> | AsyncIterable<SourceRow>,
  warnings: readonly string[] = [],
): Source {
  let whole = false;
  async function* rows(): AsyncGenerator<SourceRow> {
    yield* list;
    whole = true;
  }
  return { ...common, rows: rows(), warnings, isWhole: () => whole };
}

const extensions: Readonly<Record<string, SourceFormat>> = {
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  yaml: "yaml",
  yml: "yaml",
  ics: "ics",
  ical: "ics",
  ifb: "ics",
};

const contentTypes: Readonly<Record<string, SourceFormat>> = {
  "text/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/yaml": "yaml",
  "application/x-yaml": "yaml",
  "text/calendar": "ics",
};

/** By the extension, then by the content: the first sign that is no space. */
function formatOf({ label, extension, contentType }: Input, head: Uint8Array): SourceFormat {
  const known = extensions[extension] ?? contentTypes[contentType];
  if (known !== undefined) return known;
  refuseBinary(head, label);
  const text = decodeHead(head).trimStart();
  if (/^BEGIN\s*:\s*VCALENDAR/i.test(text)) return "ics";
  if (text.startsWith("[")) return "json";
  if (text.startsWith("{")) return /^\{[^\n]*\}\s*\n\s*\{/.test(text) ? "ndjson" : "json";
  if (/^(?:---|%YAML|- [\w"']+:)/.test(text)) return "yaml";
  if (/^<(?:!doctype|html)/i.test(text))
    throw usageError(`${label} is a web page, and no list of records`, "is the address the one of the file or feed?");
  const [first = ""] = text.split(/\r?\n|\r/, 1);
  if (/[,;\t|]/.test(first)) return first.includes("\t") && !first.includes(",") ? "tsv" : "csv";
  throw usageError(`the format of ${label} is not known`, `name it: --input-format ${sourceFormats.join("|")}`);
}
