// The JSON of an answer: exact in its numbers, and refused where it is not JSON from its first to its last byte.
import { sanitizeLine } from "../text.ts";

/** Why a body is no JSON; the caller knows the request and says where. */
export class InvalidJsonError extends Error {
  override readonly name = "NotJson";
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

/** The body as text. Rejects with NotJson where it is no UTF-8. */
function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8Decoder.decode(body);
  } catch {
    throw new InvalidJsonError("it is not UTF-8 text");
  }
}

/**
 * Parses a body: integers beyond 2^53 come as bigint, the last of duplicate keys wins, a byte order mark is passed over. `clean` takes out of
 * it what may not be told where it is no JSON.
 */
export async function parseJson(body: Uint8Array, clean = (text: string): string => text): Promise<unknown> {
  const text = decodeUtf8(body);
  if (text.trim() === "") throw new InvalidJsonError("it is empty");
  try {
    const value: unknown = JSON.parse(text);
    return hasUnsafeNumber(value) ? (await import("./exact-json.ts")).parseExactJson(text) : value;
  } catch (error) {
    throw new InvalidJsonError(
      error instanceof JsonTooDeepError
        ? error.message
        : `it starts with ${JSON.stringify(sanitizeLine(clean(text.trimStart().slice(0, 4096)).slice(0, 60)))}`,
    );
  }
}

// What is looked at in every value of parsed JSON: how deep it nests, and whether its numbers are what was written.

/** Deeper than any record, and far from where the recursion of what prints it ends. */
const maxDepth = 500;

/** JSON that nests too deep. */
class JsonTooDeepError extends SyntaxError {}

/** Whether a value of parsed JSON holds a number that may stand for an integer beyond 2^53. Throws TooDeep where it nests deeper than 500 levels. */
export function hasUnsafeNumber(value: unknown, levels = maxDepth): boolean {
  if (typeof value === "number") return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) throw new JsonTooDeepError(`JSON nested deeper than ${maxDepth} levels`);
  let rounded = false;
  // Every value of every reply passes here; `for in` takes ten times as long on Node 24.
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (hasUnsafeNumber(part, levels - 1)) rounded = true;
  return rounded;
}

// JSON.stringify for values that may hold a bigint. Written by hand because it is wanted at once and no package need be loaded for it.

/** The JSON text of a value, compact or indented by so many spaces; a bigint is written as the integer it is. */
export function stringifyExact(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch (error) {
    // A bigint is the one thing of ours that JSON.stringify refuses with a TypeError; JSON that was parsed has no cycles.
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

/** Any JSON value as text: scalars as they are, "" for nothing, the rest as JSON (`String` fails where an object has a key `toString`). */
export function valueToText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? stringifyExact(value) : String(value);
}
