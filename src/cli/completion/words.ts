// What a shell tells when the Tab key is pressed, and how a candidate goes back into its line.

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

// A typed line -> its words, as a shell reads them as far as quotes and escapes go. Nothing is expanded: a line is only looked at.

/** How a shell quotes. */
interface QuotingRules {
  /** Takes the meaning from the next character. */
  readonly escape: string;
  /** What can be escaped between double quotes; elsewhere there the escape stands for itself. */
  readonly escapableInDoubleQuotes: string;
  /** What can be escaped between single quotes. */
  readonly escapableInSingleQuotes: string;
  /** Whether a quote inside its own kind of quotes is written twice. */
  readonly escapesByDoubling: boolean;
}

/** The words before the cursor, unquoted; the last one is still being typed. */
interface ScanResult {
  readonly words: readonly string[];
  readonly current: string;
  /** The quote that is open at the cursor, or "". */
  readonly openQuote: string;
  /** So many characters of `current` stand before the last unquoted break, or before the open quote. */
  readonly prefixLength: number;
}

/** Scans a line up to the cursor; `breaks` are the characters at which the shell breaks a word when it completes. */
function scan(line: string, quoting: QuotingRules, breaks = ""): ScanResult {
  const words: string[] = [];
  let text = "";
  let started = false;
  let openQuote = "";
  let broken = 0;
  let opened = 0;
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    const next = line.charAt(at + 1);
    if (isEscape(quoting, letter, next, openQuote)) {
      text += next;
      started = true;
      at++;
    } else if (openQuote !== "") {
      if (letter !== openQuote) text += letter;
      else openQuote = "";
    } else if (/\s/.test(letter)) {
      if (started) words.push(text);
      [text, started, broken] = ["", false, 0];
    } else {
      started = true;
      if (letter === "'" || letter === '"') {
        openQuote = letter;
        opened = text.length;
      } else {
        text += letter;
        // At an @ a name of a host might begin, so that it is part of what the shell replaces.
        if (breaks.includes(letter)) broken = text.length - (letter === "@" ? 1 : 0);
      }
    }
  }
  return { words, current: text, openQuote, prefixLength: openQuote === "" ? broken : opened };
}

function isEscape(quoting: QuotingRules, letter: string, next: string, quote: string): boolean {
  if (quoting.escapesByDoubling && quote !== "" && letter === quote) return next === quote;
  if (letter !== quoting.escape) return false;
  if (quote === "") return true;
  return next !== "" && (quote === '"' ? quoting.escapableInDoubleQuotes : quoting.escapableInSingleQuotes).includes(next);
}
