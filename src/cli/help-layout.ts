// Text in the width of a terminal: paragraphs, and two columns of terms and what they mean. Help is in ASCII, so a character is a column.
import type { Argument, Flag } from "../commands/command.ts";

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

// How a help page is laid out.

/** How a page is drawn: its width, and how its headings look. */
export interface HelpStyle {
  readonly width: number;
  readonly heading: (text: string) => string;
}

// Flags as rows of the help and the man page.

/** `-p, --profile <name>` and what it means, with choices, default and environment variable. */
export function formatFlagRow(flag: Flag): HelpRow {
  const { name, short, type, value = name, optionalValue, negatable, meaning, choices, default: usual, env } = flag;
  const taken = type === "boolean" ? "" : optionalValue === true ? `[=${value}]` : ` <${value}>`;
  const notes = [
    choices === undefined ? "" : `(${choices.join(", ")})`,
    usual === undefined ? "" : `(default: ${usual})`,
    env === undefined ? "" : `[${env}]`,
  ].filter((note) => note !== "");
  return {
    term: `${short === undefined ? "" : `-${short}, `}--${negatable === true ? "[no-]" : ""}${name}${taken}`,
    means: [meaning, ...notes].join(" "),
  };
}

/** Flags under their headings, in the order in which these come; those without one stand under "Flags". */
export function groupFlags(flags: readonly Flag[]): ReadonlyMap<string, readonly Flag[]> {
  const headings = new Map<string, Flag[]>();
  for (const flag of flags) {
    const heading = flag.group ?? "Flags";
    headings.set(heading, [...(headings.get(heading) ?? []), flag]);
  }
  return headings;
}

/** `<ref>`, `[ref]`, `[ref...]`. */
export function formatArgument({ name, required, many }: Argument): string {
  const word = `${name}${many === true ? "..." : ""}`;
  return required === true ? `<${word}>` : `[${word}]`;
}
