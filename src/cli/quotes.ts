// A text of several words that came as several, because it was not quoted, or with quotes that are none to a shell.
import type { Flag } from "../commands/command.ts";
import { shellQuote } from "../http/shell-word.ts";
import { getFlagNames } from "./flags.ts";

const openingQuote = /^(?:--[\w-]+=)?[“„«‘]\S*$/;
const closingQuote = /^[^\s-]\S*[”“»’]$/;
const nonFlagWord = /^[^\s-]\S*$/;

/** The line with quotes that a shell knows; undefined where no text of several words has others. Words with spaces were quoted well. */
export function straightenQuotes(argv: readonly string[]): string | undefined {
  const from = argv.findIndex((word, at) => openingQuote.test(word) && !closingQuote.test(word) && findClosingQuote(argv, at) !== -1);
  if (from === -1) return undefined;
  const to = findClosingQuote(argv, from);
  const [, flag = "", text = ""] = /^(--[\w-]+=)?(.*)$/.exec(argv.slice(from, to + 1).join(" ")) ?? [];
  const before = argv.slice(0, from).map(shellQuote);
  return ["cal", ...before, `${flag}${shellQuote(text.slice(1, -1))}`, ...argv.slice(to + 1).map(shellQuote)].join(" ");
}

/** Where a text that begins with such a quote ends with one; -1 where it does not. */
function findClosingQuote(argv: readonly string[], from: number): number {
  const length = argv.slice(from + 1).findIndex((word) => closingQuote.test(word) || !nonFlagWord.test(word));
  return length !== -1 && closingQuote.test(argv[from + 1 + length] ?? "") ? from + 1 + length : -1;
}

/** Words for which there is no place, and where they stand behind the value of a flag, both as one text. */
export interface SurplusWords {
  readonly words: readonly string[];
  readonly quotedSuggestion?: string;
}

/** The words without a place, those that stand together as one. */
export function findSurplusWords(argv: readonly string[], surplus: readonly string[], flags: readonly Flag[]): readonly SurplusWords[] {
  const left = [...surplus];
  const found: SurplusWords[] = [];
  for (let at = 0; at < argv.length; at++) {
    const words = matchPrefix(argv.slice(at), left);
    if (words.length === 0) continue;
    left.splice(0, words.length);
    const [flag = "", value = ""] = [argv[at - 2], argv[at - 1]];
    found.push(isTextFlag(flag, flags) ? { words, quotedSuggestion: `${flag} ${shellQuote([value, ...words].join(" "))}` } : { words });
    at += words.length - 1;
  }
  return found;
}

/** How many of the words come next. */
function matchPrefix(argv: readonly string[], words: readonly string[]): readonly string[] {
  const length = words.findIndex((word, at) => word !== argv[at]);
  return length === -1 ? words.slice() : words.slice(0, length);
}

function isTextFlag(typed: string, flags: readonly Flag[]): boolean {
  return flags.some((flag) => flag.type.startsWith("text") && getFlagNames(flag).some((name) => `--${name}` === typed));
}

/** What is said of them; `advice` is for a word that stands alone. */
export function formatSurplusWords({ words, quotedSuggestion }: SurplusWords, advice: (word: string) => string): string {
  const shown = words.map((word) => JSON.stringify(word));
  const all = shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  if (quotedSuggestion !== undefined) return `there is no place for ${all} (one text needs quotes: ${quotedSuggestion})`;
  return `there is no place for ${all}${words.length === 1 ? advice(words[0] ?? "") : ""}`;
}
