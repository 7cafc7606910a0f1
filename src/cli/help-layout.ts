// The layout of help pages in the width of a terminal. Help is in ASCII, so each character takes one column.
import type { Argument, CommandSpec, Flag } from "../commands/command.ts";

/** A section of a help page. Its parts are printed in this order. */
export interface HelpSection {
  readonly title?: string;
  /** A line that is never broken. */
  readonly usage?: string;
  /** Terms and their meanings, in two columns. */
  readonly rows?: Readonly<Record<string, string>>;
  readonly examples?: CommandSpec["examples"];
  /** An indented paragraph for each. */
  readonly texts?: readonly string[];
}

/** A page: paragraphs and sections. */
export type HelpPage = readonly (string | HelpSection)[];

/** Prints a page in so many columns. `heading` styles the titles. */
export function renderPage(page: HelpPage, width: number, heading: (text: string) => string): string {
  const parts = page.map((part) => {
    if (typeof part === "string") return wrapText(part, width);
    const { title, usage, rows = {}, examples = [], texts = [] } = part;
    return [
      ...(title === undefined ? [] : [heading(title)]),
      ...(usage === undefined ? [] : [`${indent}${usage}`]),
      ...formatColumns(Object.entries(rows), width),
      ...examples.map(
        ({ command, does }) => `${indent}${command}\n${exampleIndent}${wrapText(does, width - exampleIndent.length, exampleIndent)}`,
      ),
      ...texts.map((text) => `${indent}${wrapText(text, width - indent.length).replaceAll("\n", `\n${indent}`)}`),
    ].join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}

const indent = "  ";
const exampleIndent = "      ";
/** The column of terms takes at most this share of the width, and this number of columns. */
const maxTermShare = 0.4;
const maxTermWidth = 28;

/** Breaks a text into lines of at most `width` columns. A longer word has a line of its own. All lines but the first begin with `later`. */
function wrapText(text: string, width: number, later = ""): string {
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
function formatColumns(rows: readonly (readonly [term: string, meaning: string])[], width: number): readonly string[] {
  const column = Math.min(maxTermWidth, Math.floor(width * maxTermShare), Math.max(0, ...rows.map(([term]) => term.length))) + 2;
  const later = " ".repeat(indent.length + column);
  return rows.map(([term, meaning]) => {
    const text = wrapText(`${later}${meaning}`.trimStart(), width - later.length).replaceAll("\n", `\n${later}`);
    return term.length + 2 > column ? `${indent}${term}\n${later}${text}` : `${indent}${term.padEnd(column)}${text}`.trimEnd();
  });
}

/** A row such as `-p, --profile <name>`, with meaning, choices, default and environment variable. */
export function formatFlagRow(flag: Flag): readonly [term: string, meaning: string] {
  const { name, short, type, value = name, optionalValue, negatable, meaning, choices, default: defaultValue, env } = flag;
  const valuePart = type === "boolean" ? "" : optionalValue === true ? `[=${value}]` : ` <${value}>`;
  const notes = [
    choices === undefined ? "" : `(${choices.join(", ")})`,
    defaultValue === undefined ? "" : `(default: ${defaultValue})`,
    env === undefined ? "" : `[${env}]`,
  ].filter((note) => note !== "");
  const term = `${short === undefined ? "" : `-${short}, `}--${negatable === true ? "[no-]" : ""}${name}${valuePart}`;
  return [term, [meaning, ...notes].join(" ")];
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
