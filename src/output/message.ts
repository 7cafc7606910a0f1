// Messages in the lines of a terminal: broken between words, but never inside of what is there to be pasted.
import { type CalError, formatHints } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Style } from "../terminal/style.ts";
import { sanitizeLine } from "../text.ts";
import { measureWidth } from "./width.ts";

/** Commands that hints name begin with one of these, at the beginning or behind one of the other words or signs. */
const commandPrograms: readonly string[] = [
  "cal",
  "calctl",
  "rm",
  "unset",
  "mkdir",
  "npm",
  "apt-get",
  "dnf",
  "sudo",
  "ssh",
  "curl",
  "printf",
];
const beforeCommandPattern = /(?:[:;,(|&]|^(?:or|and|then|with|is|use|by|to|mean|))$/;
/** Words that belong to a command wherever they stand in it, and are in no prose that may follow it. */
const commandWordPattern = /[-<@"'/=.\d|>]/;
const minCommandWords = 4;

/** What is indented, or marked as a line of a change or of a request, is laid out already. */
const preformattedPattern = /^(?:\s|[-+<>] )/;
const continuationIndent = "  ";

/**
 * The text, each of its lines in lines of at most so many columns; what follows the first is indented. A longer word, address or command is
 * left to the terminal, which can still copy it in one piece.
 */
export function wrapMessage(text: string, width: number | undefined): string {
  if (width === undefined || width <= 2 * continuationIndent.length) return text;
  return text
    .split("\n")
    .map((line) => (measureWidth(line) <= width || preformattedPattern.test(line) ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(text: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const piece of splitUnbreakable(text.split(" "))) {
    const longer = line === "" ? piece : `${line} ${piece}`;
    if (measureWidth(longer) <= width || line.trim() === "") line = longer;
    else {
      lines.push(line.trimEnd());
      line = `${continuationIndent}${piece}`;
    }
  }
  return [...lines, line].join("\n");
}

/** Words, commands, words of a shell in their quotes, dates with their times, and flags with the word behind them. */
function* splitUnbreakable(words: readonly string[]): Generator<string> {
  for (let at = 0; at < words.length; ) {
    const end = findUnbreakableEnd(words, at);
    yield words.slice(at, end).join(" ");
    at = end;
  }
}

/** The index behind the piece. */
function findUnbreakableEnd(words: readonly string[], at: number): number {
  const word = words[at] ?? "";
  if (isCommand(words, at)) return findCommandEnd(words, at);
  if (/^--[\w-]+$/.test(word) || isDateTime(word, words[at + 1] ?? "")) return at + 2;
  if (!/^\(?'[^']*$/.test(word)) return at + 1;
  const closing = words.findIndex((one, index) => index > at && one.includes("'"));
  return (closing === -1 ? at : closing) + 1;
}

function isDateTime(day: string, time: string): boolean {
  return /\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d/.test(time);
}

function isCommand(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  if (word.startsWith("(")) return commandPrograms.includes(word.slice(1));
  return commandPrograms.includes(word) && (at === 0 || beforeCommandPattern.test(words[at - 1] ?? ""));
}

/** The index behind a command: it reaches to a comma, a semicolon or a closing bracket, or to its last word that no prose has. */
function findCommandEnd(words: readonly string[], start: number): number {
  let end = start;
  let quote: string | undefined;
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? "";
    quote = findOpenQuote(word, quote);
    // What stands behind a flag is its value as a rule.
    const isValue = /^--[\w-]+$/.test(words[at - 1] ?? "");
    if (quote !== undefined || isValue || commandWordPattern.test(word) || at - start < minCommandWords) end = at;
    if (quote === undefined && /[;,):]$/.test(word)) break;
  }
  return end + 1;
}

/** The quote that is still open behind a word. */
function findOpenQuote(word: string, open: string | undefined): string | undefined {
  const quote = open ?? /(?:^|[=@:])(["'])/.exec(word)?.[1];
  if (quote === undefined) return undefined;
  const closed = word.split(quote).length % 2 === (open === undefined ? 1 : 0);
  return closed ? undefined : quote;
}

/** An error as data; what is not known is absent. */
export interface ErrorData {
  /** The server's code where it sent one, else the kind of the error. */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly hint?: string;
  readonly request?: { readonly method: string; readonly path: string };
  readonly server?: Readonly<Record<string, unknown>>;
}

export function toErrorData(error: CalError): ErrorData {
  const { code = error.kind, status, hint, request, server } = error.details;
  return {
    code,
    message: error.message,
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint: formatHints(hint) }),
    ...(request && { request }),
    ...(server && { server }),
  };
}

/** `{"error":{...}}` in one line. */
export function formatErrorJson(error: CalError): string {
  return `${stringifyExact({ error: toErrorData(error) })}\n`;
}

/** `cal: message` for every line of the message, then `hint: ...`; safe on a terminal, whose columns they are wrapped to. */
export function formatErrorText(error: CalError, style: Style, columns?: number): string {
  const marked = (mark: string, paint: (text: string) => string, text: string) =>
    splitMessageLines(text).map((line) => `${paint(mark)}${wrapMessage(`${mark} ${line}`, columns).slice(mark.length)}\n`);
  return [...marked("cal:", style.red, error.message), ...marked("hint:", style.cyan, formatHints(error.details.hint))].join("");
}

function splitMessageLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => sanitizeLine(line).trimEnd())
    .filter((line) => line !== "");
}
