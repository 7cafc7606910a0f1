// A typed line -> its words, as a shell reads them as far as quotes and escapes go. Nothing is expanded: a line is only looked at.

/** How a shell quotes. */
export interface QuotingRules {
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
export interface ScanResult {
  readonly words: readonly string[];
  readonly current: string;
  /** The quote that is open at the cursor, or "". */
  readonly openQuote: string;
  /** So many characters of `current` stand before the last unquoted break, or before the open quote. */
  readonly prefixLength: number;
}

/** Scans a line up to the cursor; `breaks` are the characters at which the shell breaks a word when it completes. */
export function scan(line: string, quoting: QuotingRules, breaks = ""): ScanResult {
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
