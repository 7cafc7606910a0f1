// The output formats, in the words of the help and the schema.
import type { Format } from "../output/view.ts";

const formatMeanings: Readonly<Record<Format, string>> = {
  table: "a table fitted to the terminal; one record as a list of its fields. The default on a terminal",
  json: "the records as the server sent them: a list is an array, one record is an object",
  ndjson: "one record a line, as JSON, printed as pages arrive",
  csv: "comma-separated (RFC 4180), with a header line, printed as pages arrive; --excel for spreadsheets",
  tsv: "tab-separated, with a header line, nothing cut, printed as pages arrive. The default in a pipe",
  yaml: "the records as YAML",
  ids: "the bare ids, one a line, when the list is whole: made for `cal events update -`",
  count: "how many records there are",
};

/** Every format with its meaning, in the order of `--format`. */
export const outputFormats: readonly { readonly name: string; readonly meaning: string }[] = Object.entries(formatMeanings).map(
  ([name, meaning]) => ({
    name,
    meaning,
  }),
);
