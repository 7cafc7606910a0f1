// What a shell tells when the Tab key is pressed, and how a candidate goes back into its line.
import { type QuotingRules, scan } from "./scan.ts";

/** The hidden word with which the completion scripts call the program. */
export const completionCommand = "__complete";

/** The shells that have a script. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** One of them. */
export type Shell = (typeof shells)[number];

/** A line that is being completed. */
export interface CompletionLine {
  /** Whether the shell shows a description beside a candidate. */
  readonly showsDescriptions: boolean;
  /** The whole words after the program's name, before the one at the cursor. */
  readonly words: readonly string[];
  /** The word at the cursor, as far as it is typed. */
  readonly current: string;
  /** A candidate for the whole word, in the form in which the shell puts it into the line. */
  readonly escapeCandidate: (candidate: string) => string;
}

const posixQuoting: QuotingRules = {
  escape: "\\",
  escapableInDoubleQuotes: '\\"$`',
  escapableInSingleQuotes: "",
  escapesByDoubling: false,
};
const fishQuoting: QuotingRules = {
  escape: "\\",
  escapableInDoubleQuotes: '\\"$',
  escapableInSingleQuotes: "\\'",
  escapesByDoubling: false,
};
const powershellQuoting: QuotingRules = {
  escape: "`",
  escapableInDoubleQuotes: '`"$',
  escapableInSingleQuotes: "",
  escapesByDoubling: true,
};

const identity = (candidate: string): string => candidate;

/**
 * Reads the arguments after `__complete`:
 * `bash <COMP_WORDBREAKS> <line>`, `zsh <word>... <current>`, `fish <word>... <current, still quoted>`, `powershell <line in Base64>`.
 */
export function parseCompletionLine([shell, ...rest]: readonly string[]): CompletionLine {
  if (shell === "bash") return parseBashLine(rest[0] ?? "", rest[1] ?? "");
  if (shell === "powershell") return parsePowershellLine(Buffer.from(rest[0] ?? "", "base64").toString("utf8"));
  const typed = rest.at(-1) ?? "";
  const current = shell === "fish" ? scan(typed, fishQuoting).current : typed;
  return { showsDescriptions: true, words: rest.slice(0, -1), current, escapeCandidate: identity };
}

/** bash replaces only what follows the last break, or the open quote, and takes a candidate to the letter. */
function parseBashLine(breaks: string, line: string): CompletionLine {
  const { words, current, openQuote, prefixLength } = scan(line, posixQuoting, breaks);
  const escapeCandidate = (candidate: string) => quoteForBash(candidate.slice(prefixLength), openQuote);
  return { showsDescriptions: false, words: words.slice(1), current, escapeCandidate };
}

function quoteForBash(text: string, quote: string): string {
  if (quote === "") return text.replace(/[^\w@%+:,./=\u0080-\uffff-]/g, "\\$&");
  // Inside double quotes nothing keeps an interactive shell from expanding its history but leaving them for a moment.
  const inside = quote === "'" ? text.replaceAll("'", "'\\''") : text.replace(/[\\"$`]/g, "\\$&").replaceAll("!", `"'!'"`);
  // The shell closes the quote, but not where the last character looks as if it did already.
  return inside.endsWith(quote) ? inside + quote : inside;
}

/** PowerShell replaces the whole word, with its quotes. */
function parsePowershellLine(line: string): CompletionLine {
  const { words, current } = scan(line, powershellQuoting);
  const escapeCandidate = (candidate: string) =>
    /^[\w./:=+-]+$/.test(candidate) ? candidate : `'${candidate.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
  return { showsDescriptions: true, words: words.slice(1), current, escapeCandidate };
}
