// A failure as text for people and as one line of JSON for programs; both go to stderr.
import type { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json-text.ts";
import { oneLine } from "../http/line.ts";
import type { Style } from "../terminal/style.ts";

/** A failure as data; what is not known is absent. */
export interface Problem {
  /** The server's code where it gave one, else our own kind. */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly hint?: string;
  readonly request?: { readonly method: string; readonly path: string };
  readonly server?: Readonly<Record<string, unknown>>;
}

/** What programs are told of a failure. */
export function problemOf(error: CalError): Problem {
  const { code = error.kind, status, hint, request, server } = error.details;
  return {
    code,
    message: error.message,
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint }),
    ...(request && { request }),
    ...(server && { server }),
  };
}

/** `{"error":{...}}` in one line. */
export function problemJson(error: CalError): string {
  return `${stringifyExact({ error: problemOf(error) })}\n`;
}

/** `cal: message` for every line of the message, then `hint: ...`; safe on a terminal. */
export function problemText(error: CalError, style: Style): string {
  const told = lines(error.message).map((line) => `${style.red("cal:")} ${line}\n`);
  const hints = lines(error.details.hint ?? "").map((line) => `${style.cyan("hint:")} ${line}\n`);
  return [...told, ...hints].join("");
}

function lines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => oneLine(line).trimEnd())
    .filter((line) => line !== "");
}
