// The JSON of an answer: exact in its numbers, and refused where it is not JSON from its first to its last byte.
import { isRounded, TooDeep } from "./json-depth.ts";
import { oneLine } from "./line.ts";

/** Why a body is no JSON; the caller knows the request and says where. */
export class NotJson extends Error {
  override readonly name = "NotJson";
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as text. Rejects with NotJson where it is no UTF-8. */
export function textOf(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new NotJson("it is not UTF-8 text");
  }
}

/**
 * Parses a body: integers beyond 2^53 come as bigint, the last of duplicate keys wins, a byte order mark is passed over. `clean` takes out of
 * it what may not be told where it is no JSON.
 */
export async function parseJson(body: Uint8Array, clean = (text: string): string => text): Promise<unknown> {
  const text = textOf(body);
  if (text.trim() === "") throw new NotJson("it is empty");
  try {
    const value: unknown = JSON.parse(text);
    return isRounded(value) ? (await import("./exact-json.ts")).parseExact(text) : value;
  } catch (error) {
    throw new NotJson(
      error instanceof TooDeep
        ? error.message
        : `it starts with ${JSON.stringify(oneLine(clean(text.trimStart().slice(0, 4096)).slice(0, 60)))}`,
    );
  }
}
