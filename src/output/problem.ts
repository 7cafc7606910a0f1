// A failure as text for people and as one line of JSON for programs; both go to stderr.
import type { CalError } from "../errors.ts";
import { stringifyExact } from "../http/json-text.ts";
import { sanitizeLine } from "../http/line.ts";
import type { Style } from "../terminal/style.ts";
import { wrapMessage } from "./message.ts";

/** A failure as data; what is not known is absent. */
export interface ErrorData {
  /** The server's code where it gave one, else our own kind. */
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly hint?: string;
  readonly request?: { readonly method: string; readonly path: string };
  readonly server?: Readonly<Record<string, unknown>>;
}

/** What programs are told of a failure. */
export function toErrorData(error: CalError): ErrorData {
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
export function formatErrorJson(error: CalError): string {
  return `${stringifyExact({ error: toErrorData(error) })}\n`;
}

/** `cal: message` for every line of the message, then `hint: ...`; safe on a terminal, whose columns they are wrapped to. */
export function formatErrorText(error: CalError, style: Style, columns?: number): string {
  const marked = (mark: string, paint: (text: string) => string, text: string) =>
    splitMessageLines(text).map((line) => `${paint(mark)}${wrapMessage(`${mark} ${line}`, columns).slice(mark.length)}\n`);
  return [...marked("cal:", style.red, error.message), ...marked("hint:", style.cyan, error.details.hint ?? "")].join("");
}

function splitMessageLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => sanitizeLine(line).trimEnd())
    .filter((line) => line !== "");
}
