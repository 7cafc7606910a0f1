// Reads the Markdown tables of an interface document, by the headings above them.

/** The rows of a table: each cell by the name of its column, with backticks. */
export type TableRow = Readonly<Record<string, string>>;

/** Every table of a document, in order, with the nearest heading above it. Throws where there is none. */
export function parseTables(markdown: string): readonly { readonly heading: string; readonly rows: readonly TableRow[] }[] {
  const tables: { heading: string; rows: TableRow[] }[] = [];
  let heading = "";
  let columns: readonly string[] | undefined;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("#")) heading = line.replace(/^#+\s*/, "");
    if (!line.startsWith("|")) columns = undefined;
    else if (columns === undefined) {
      columns = cells(line);
      tables.push({ heading, rows: [] });
    } else if (!/^[|\s-]+$/.test(line)) tables.at(-1)?.rows.push(rowOf(columns, cells(line)));
  }
  if (tables.length === 0) throw new Error("the document has no table");
  return tables;
}

function cells(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function rowOf(columns: readonly string[], values: readonly string[]): TableRow {
  if (columns.length !== values.length) throw new Error(`${values.length} cells for ${columns.length} columns: ${values.join(" | ")}`);
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
}
