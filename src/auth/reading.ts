// Tolerant readers of answers whose shape the interface does not show.
import { type DataRecord, isRecord } from "../data-record.ts";
import { sanitizeLine } from "../http/line.ts";

/** An object of any keys, or undefined for everything else. */
export function toRecord(value: unknown): DataRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** A text that is not empty; numbers become text (identifiers come as either). */
export function toText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A name or its number, as one line that no terminal acts on: people are asked whether it is theirs. */
export function toDisplayName(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined ? undefined : toText(sanitizeLine(text).trim());
}

/** A finite number, also where it comes as text. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The JSON of a body; undefined where it is none. */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
