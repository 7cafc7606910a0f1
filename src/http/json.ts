// The JSON of an answer: exact in its numbers, and refused where it is not JSON from its first to its last byte.
import { hasUnsafeNumber, JsonTooDeepError } from "./json-depth.ts";
import { sanitizeLine } from "./line.ts";

/** Why a body is no JSON; the caller knows the request and says where. */
export class InvalidJsonError extends Error {
  override readonly name = "NotJson";
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

/** The body as text. Rejects with NotJson where it is no UTF-8. */
export function decodeUtf8(body: Uint8Array): string {
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
