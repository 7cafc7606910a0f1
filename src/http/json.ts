// JSON with exact integers: integers beyond ±(2^53 - 1) are bigint. The only importer of lossless-json, which is loaded when it is needed.
import { sanitizeLine } from "../text.ts";

/** A body that is not JSON; the message says why, and the caller adds which request it was. */
export class InvalidJsonError extends Error {}

/** JSON that is refused although it is well-formed. */
export class JsonLimitError extends SyntaxError {}

/** Deeper than any record, and far from the depth at which a recursive function overflows the stack. */
export const maxDepth = 500;

/** Values in one answer; a page of 100 records has about 20,000. A million take less than a second and 100 MB. */
const maxValues = 1_000_000;

/** Digits of an integer. The time to read more is not linear. */
const maxDigits = 1000;

const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a body of at most a million values; a byte order mark is skipped. `redact` removes secrets from the text that an InvalidJsonError quotes. */
export async function parseJson(body: Uint8Array, redact = (text: string): string => text): Promise<unknown> {
  let text: string;
  try {
    text = utf8Decoder.decode(body);
  } catch {
    throw new InvalidJsonError("it is not UTF-8 text");
  }
  if (text.trim() === "") throw new InvalidJsonError("it is empty");
  if (body.length > maxValues && countValues(body) > maxValues) throw new InvalidJsonError("it has more than 1,000,000 values");
  try {
    return await parseExactJson(text);
  } catch (error) {
    if (error instanceof JsonLimitError) throw new InvalidJsonError(error.message);
    const start = redact(text.trimStart().slice(0, 4096)).slice(0, 60);
    throw new InvalidJsonError(`it starts with ${JSON.stringify(sanitizeLine(start))}`);
  }
}

/** The values of a JSON text: one for each comma and each bracket outside of texts, so never fewer than there are. */
function countValues(body: Uint8Array): number {
  let count = 1;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x22) inText = !inText;
    else if (inText) at += byte === 0x5c ? 1 : 0;
    else if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  }
  return count;
}

/**
 * Parses a text; of duplicate keys the last wins. Rejects with a SyntaxError where it is not JSON, is nested deeper than 500 levels, or has a
 * number that would not be the same when it is written again (`1e400`).
 */
export async function parseExactJson(text: string): Promise<unknown> {
  const value: unknown = JSON.parse(text);
  if (!hasUnsafeNumber(value)) return value;
  const { parse } = await import("lossless-json");
  const parseNumber = (digits: string): number | bigint => {
    const number = Number(digits);
    const isInteger = /^-?\d+$/.test(digits);
    if (digits.length > maxDigits || (!isInteger && !Number.isFinite(number)))
      throw new JsonLimitError(`the number ${digits.length > 40 ? `${digits.slice(0, 40)}…` : digits} is too large`);
    return isInteger && !Number.isSafeInteger(number) ? BigInt(digits) : number;
  };
  return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Whether a parsed value holds a number that JSON.parse may have rounded. Throws JsonLimitError. */
function hasUnsafeNumber(value: unknown, levels = maxDepth): boolean {
  if (typeof value === "number") return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) throw new JsonLimitError(`JSON nested deeper than ${maxDepth} levels`);
  let unsafe = false;
  // Every value of every reply is visited; `for in` takes ten times as long on Node 24.
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (hasUnsafeNumber(part, levels - 1)) unsafe = true;
  return unsafe;
}

/** JSON.stringify for values that may hold a bigint, compact or indented. Written by hand, for it must not load a package. */
export function stringifyExact(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch (error) {
    // JSON.stringify throws a TypeError for a bigint; the other reason is a cycle, and parsed JSON has none.
    if (!(error instanceof TypeError)) throw error;
    return stringifyExactValue(value, indent, "\n");
  }
}

function stringifyExactValue(value: unknown, indent: number, newline: string): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = newline + " ".repeat(indent);
  const colon = indent > 0 ? ": " : ":";
  const list = Array.isArray(value);
  const parts = list
    ? value.map((part: unknown) => stringifyExactValue(part, indent, inner))
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => JSON.stringify(key) + colon + stringifyExactValue(part, indent, inner));
  const [open, close] = list ? "[]" : "{}";
  if (parts.length === 0 || indent === 0) return `${open}${parts.join(",")}${close}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${newline}${close}`;
}

/** Any JSON value as text: scalars as they are, "" for undefined and null, the rest as JSON (`String` fails for an object with a key `toString`). */
export function valueToText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? stringifyExact(value) : String(value);
}
