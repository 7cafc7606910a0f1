// The line that a shell wants to complete, and how a candidate is quoted for that shell.

/** The hidden command that the completion scripts call. */
export const completionCommand = "__complete";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof shells)[number];

export interface CompletionLine {
  /** Whether the shell shows a description beside a candidate. */
  readonly showsDescriptions: boolean;
  /** The words between the program's name and the word at the cursor. */
  readonly words: readonly string[];
  /** The word at the cursor, up to the cursor. */
  readonly current: string;
  /** A candidate for the whole word, quoted as the shell inserts it. */
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

/**
 * Parses the arguments after `__complete`:
 * `bash <COMP_WORDBREAKS> <line>`, `zsh <word>... <current>`, `fish <word>... <current, still quoted>`, `powershell <line in Base64>`.
 */
export function parseCompletionLine([shell, ...rest]: readonly string[]): CompletionLine {
  if (shell === "bash") return parseBashLine(rest[0] ?? "", rest[1] ?? "");
  if (shell === "powershell") return parsePowershellLine(Buffer.from(rest[0] ?? "", "base64").toString("utf8"));
  const last = rest.at(-1) ?? "";
  const current = shell === "fish" ? scan(last, fishQuoting).current : last;
  return { showsDescriptions: true, words: rest.slice(0, -1), current, escapeCandidate: (candidate) => candidate };
}

/** bash replaces only the text after the last word break or the open quote, and inserts a candidate without quoting it. */
function parseBashLine(breaks: string, line: string): CompletionLine {
  const { words, current, openQuote, prefixLength } = scan(line, posixQuoting, breaks);
  const escapeCandidate = (candidate: string) => quoteForBash(candidate.slice(prefixLength), openQuote);
  return { showsDescriptions: false, words: words.slice(1), current, escapeCandidate };
}

function quoteForBash(text: string, quote: string): string {
  if (quote === "") return text.replace(/[^\w@%+:,./=\u0080-\uffff-]/g, "\\$&");
  // Between double quotes an interactive shell expands history, so the exclamation mark goes between single quotes.
  const inside = quote === "'" ? text.replaceAll("'", "'\\''") : text.replace(/[\\"$`]/g, "\\$&").replaceAll("!", `"'!'"`);
  // The shell adds the closing quote, except where the text already ends with one.
  return inside.endsWith(quote) ? inside + quote : inside;
}

/** PowerShell replaces the whole word and its quotes. */
function parsePowershellLine(line: string): CompletionLine {
  const { words, current } = scan(line, powershellQuoting);
  const escapeCandidate = (candidate: string) =>
    /^[\w./:=+-]+$/.test(candidate) ? candidate : `'${candidate.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
  return { showsDescriptions: true, words: words.slice(1), current, escapeCandidate };
}

// The words of a line, without quotes and escapes. Nothing is expanded.

interface QuotingRules {
  /** The escape character. */
  readonly escape: string;
  /** The characters that can be escaped between double quotes; before others the escape character is literal. */
  readonly escapableInDoubleQuotes: string;
  readonly escapableInSingleQuotes: string;
  /** Whether a quote between quotes of its own kind is written twice. */
  readonly escapesByDoubling: boolean;
}

interface ScanResult {
  readonly words: readonly string[];
  readonly current: string;
  /** The quote that is open at the cursor, or "". */
  readonly openQuote: string;
  /** The number of characters of `current` before the last unquoted word break, or before the open quote. */
  readonly prefixLength: number;
}

/** Scans a line up to the cursor. `breaks` are the characters at which the shell divides a word for completion. */
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
        // The shell also replaces the @, because a host name can begin there.
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
