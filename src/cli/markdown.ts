// Tables of the reference, as Markdown.

/** A table without the columns in which no row has anything; "" where there is no row. */
export function formatMarkdownTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = headers.map((_header, at) => rows.some((row) => (row[at] ?? "") !== ""));
  const line = (cells: readonly string[]) => `| ${cells.filter((_cell, at) => used[at] === true).join(" | ")} |`;
  if (rows.length === 0) return "";
  return [line(headers), line(headers.map(() => "---")), ...rows.map((row) => line(row.map(escapeTableCell)))].join("\n");
}

/** A text in the form of code; "" stays "". */
export function formatInlineCode(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** The fragment that leads to a heading, as the usual renderers make it. */
export function getHeadingAnchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;
}

/** A bar would end the cell. */
function escapeTableCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
