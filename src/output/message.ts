// Messages and errors as text. On a terminal lines are wrapped between words, but never inside a command that can be pasted.
import { type CalError, formatHints } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Style } from "../terminal/style.ts";
import { sanitizeLine } from "../text.ts";
import { measureWidth } from "./width.ts";

/** A command starts with one of these, at the beginning or after one of the words or signs below. */
const commandPrograms = "cal calctl rm unset mkdir npm apt-get dnf sudo ssh curl printf".split(" ");
const beforeCommandPattern = /(?:[:;,(|&]|^(?:or|and|then|with|is|use|by|to|mean|))$/;
/** Words like these belong to a command; prose after a command has none of them. */
const commandWordPattern = /[-<@"'/=.\d|>]/;
const minCommandWords = 4;

/** Indented lines, and lines of a change or a request, are not wrapped. */
const preformattedPattern = /^(?:\s|[-+<>] )/;
const continuationIndent = "  ";

/**
 * Wraps each line of the text to at most `width` columns and indents the second and later ones. A longer word, address or command is left
 * to the terminal, from which it can still be copied in one piece.
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

/** Words, commands, quoted words of a shell, dates with their times, and flags with the next word. */
function* splitUnbreakable(words: readonly string[]): Generator<string> {
  for (let at = 0; at < words.length; ) {
    const [word = "", next = ""] = words.slice(at, at + 2);
    const isDateTime = /\d{4}-\d\d-\d\d$/.test(word) && /^\d\d:\d\d/.test(next);
    let end = at + 1;
    if (isCommand(word, words[at - 1])) end = findCommandEnd(words, at);
    else if (isDateTime || /^--[\w-]+$/.test(word)) end = at + 2;
    else if (/^\(?'[^']*$/.test(word)) end = Math.max(end, words.findIndex((one, index) => index > at && one.includes("'")) + 1);
    yield words.slice(at, end).join(" ");
    at = end;
  }
}

function isCommand(word: string, previous: string | undefined): boolean {
  if (word.startsWith("(")) return commandPrograms.includes(word.slice(1));
  return commandPrograms.includes(word) && (previous === undefined || beforeCommandPattern.test(previous));
}

/** The index after a command. It ends with a comma, a semicolon or a closing bracket, or with its last word that prose never has. */
function findCommandEnd(words: readonly string[], start: number): number {
  let end = start;
  let quote: string | undefined;
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? "";
    quote = findOpenQuote(word, quote);
    // After a flag comes its value, as a rule.
    const isValue = /^--[\w-]+$/.test(words[at - 1] ?? "");
    if (quote !== undefined || isValue || commandWordPattern.test(word) || at - start < minCommandWords) end = at;
    if (quote === undefined && /[;,):]$/.test(word)) break;
  }
  return end + 1;
}

/** The quotation mark that is still open after a word. */
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

/** `cal: message` for every line of the message, then `hint: ...`; safe on a terminal and wrapped to its columns. */
export function formatErrorText(error: CalError, style: Style, columns?: number): string {
  const formatLines = (mark: string, paint: (text: string) => string, text: string) =>
    text
      .split(/\r?\n/)
      .map((line) => sanitizeLine(line).trimEnd())
      .filter((line) => line !== "")
      .map((line) => `${paint(mark)}${wrapMessage(`${mark} ${line}`, columns).slice(mark.length)}\n`);
  return [...formatLines("cal:", style.red, error.message), ...formatLines("hint:", style.cyan, formatHints(error.details.hint))].join("");
}
