// Text in the width of a terminal: paragraphs, and two columns of terms and what they mean. Help is in ASCII, so a character is a column.

/** A term and what it means. */
export interface HelpRow {
  readonly term: string;
  readonly means: string;
}

const indent = "  ";
/** Terms take at most so much of the width, and so many columns. */
const maxTermShare = 0.4;
const maxTermWidth = 28;

/** The words in lines of at most so many columns; a longer word has a line of its own. Later lines begin with `later`. */
export function wrapText(text: string, width: number, later = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width - (lines.length === 0 ? 0 : later.length) || line === "") line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join(`\n${later}`);
}

/** Rows in two columns; where a term is too long, its meaning stands below it. */
export function formatColumns(rows: readonly HelpRow[], width: number): string {
  const column = Math.min(maxTermWidth, Math.floor(width * maxTermShare), Math.max(...rows.map(({ term }) => term.length))) + 2;
  const later = " ".repeat(indent.length + column);
  return rows
    .map(({ term, means }) => {
      const text = wrapText(`${later}${means}`.trimStart(), width - later.length).replaceAll("\n", `\n${later}`);
      return term.length + 2 > column ? `${indent}${term}\n${later}${text}` : `${indent}${term.padEnd(column)}${text}`.trimEnd();
    })
    .join("\n");
}

/** Commands that can be pasted, never broken, each with what it does below it. */
export function formatExamples(list: readonly { readonly command: string; readonly does: string }[], width: number): string {
  return list
    .map(({ command, does }) => `${indent}${command}\n${indent}${indent}${indent}${wrapText(does, width - 6, "      ")}`)
    .join("\n");
}

/** An indented paragraph. */
export function formatParagraph(text: string, width: number): string {
  return `${indent}${wrapText(text, width - indent.length, "").replaceAll("\n", `\n${indent}`)}`;
}
