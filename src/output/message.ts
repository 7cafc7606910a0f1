// Messages and errors as text. On a terminal lines are wrapped between words, but never inside what `unbreakable` marked.
import { type CalError, formatHints, formatProblem } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import type { Style } from "../terminal/style.ts";
import { restoreSpaces, sanitizeLine, unbreakable } from "../text.ts";
import { measureWidth } from "./width.ts";

/** Indented lines, and lines of a change or a request, are not wrapped. */
const preformattedPattern = /^(?:\s|[-+<>] )/;
const continuationIndent = "  ";

/**
 * Wraps each line of the text to at most `width` columns and indents the second and later ones. A longer word, address or command is left
 * to the terminal, from which it can still be copied in one piece.
 */
export function wrapMessage(text: string, width: number | undefined): string {
  if (width === undefined || width <= 2 * continuationIndent.length) return restoreSpaces(text);
  const lines = text
    .split("\n")
    .map((line) => (measureWidth(line, width) <= width || preformattedPattern.test(line) ? line : wrapLine(line, width)));
  return restoreSpaces(lines.join("\n"));
}

function wrapLine(text: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const piece of splitUnbreakable(text.split(" "))) {
    const longer = line === "" ? piece : `${line} ${piece}`;
    if (measureWidth(longer, width) <= width || line.trim() === "") line = longer;
    else {
      lines.push(line.trimEnd());
      line = `${continuationIndent}${piece}`;
    }
  }
  return [...lines, line].join("\n");
}

/** Words, quoted words of a shell, dates with their times, and flags with the next word. */
function* splitUnbreakable(words: readonly string[]): Generator<string> {
  for (let at = 0; at < words.length; ) {
    const [word = "", next = ""] = words.slice(at, at + 2);
    const isDateTime = /\d{4}-\d\d-\d\d$/.test(word) && /^\d\d:\d\d/.test(next);
    let end = at + 1;
    if (isDateTime || /^--[\w-]+$/.test(word)) end = at + 2;
    else if (/^\(?'[^']*$/.test(word)) {
      while (end < words.length && words[end]?.includes("'") !== true) end += 1;
      end = end < words.length ? end + 1 : at + 1;
    }
    yield words.slice(at, end).join(" ");
    at = end;
  }
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
  const message = error.details.problems?.map((one) => formatProblem(one, unbreakable)).join("\n") ?? error.message;
  const hints = formatHints(error.details.hint, "\n", unbreakable);
  const formatLines = (mark: string, paint: (text: string) => string, text: string) =>
    text
      .split(/\r?\n/)
      .map((line) => sanitizeLine(line).trimEnd())
      .filter((line) => line !== "")
      .map((line) => `${paint(mark)}${wrapMessage(`${mark} ${line}`, columns).slice(mark.length)}\n`);
  return [...formatLines("cal:", style.red, message), ...formatLines("hint:", style.cyan, hints)].join("");
}
