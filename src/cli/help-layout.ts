// The layout of help pages in the width of a terminal. Help is in ASCII, so each character takes one column.
import type { Argument, CommandSpec, Flag } from "../commands/command.ts";

export interface HelpRow {
  readonly term: string;
  readonly means: string;
}

/** How a page is printed: its width in columns, and the style of its headings. */
export interface HelpStyle {
  readonly width: number;
  readonly heading: (text: string) => string;
}

const indent = "  ";
/** The column of terms takes at most this share of the width, and this number of columns. */
const maxTermShare = 0.4;
const maxTermWidth = 28;

/** Breaks a text into lines of at most `width` columns. A longer word has a line of its own. All lines but the first begin with `later`. */
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

/** Rows in two columns. The meaning of a term that is too long is on the next line. */
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

/** Each command on a line that is never broken, with its description below it. */
export function formatExamples(examples: CommandSpec["examples"], width: number): string {
  return examples
    .map(({ command, does }) => `${indent}${command}\n${indent}${indent}${indent}${wrapText(does, width - 6, "      ")}`)
    .join("\n");
}

/** An indented paragraph. */
export function formatParagraph(text: string, width: number): string {
  return `${indent}${wrapText(text, width - indent.length, "").replaceAll("\n", `\n${indent}`)}`;
}

/** A row such as `-p, --profile <name>`, with meaning, choices, default and environment variable. */
export function formatFlagRow(flag: Flag): HelpRow {
  const { name, short, type, value = name, optionalValue, negatable, meaning, choices, default: defaultValue, env } = flag;
  const valuePart = type === "boolean" ? "" : optionalValue === true ? `[=${value}]` : ` <${value}>`;
  const notes = [
    choices === undefined ? "" : `(${choices.join(", ")})`,
    defaultValue === undefined ? "" : `(default: ${defaultValue})`,
    env === undefined ? "" : `[${env}]`,
  ].filter((note) => note !== "");
  return {
    term: `${short === undefined ? "" : `-${short}, `}--${negatable === true ? "[no-]" : ""}${name}${valuePart}`,
    means: [meaning, ...notes].join(" "),
  };
}

/** Flags by their headings, in the order of the flags. */
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
