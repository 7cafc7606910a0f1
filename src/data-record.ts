// A record as the server sent it, with unknown keys too: the interface documents do not show the shapes of replies.
export type DataRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, and no array. */
export function isRecord(value: unknown): value is DataRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The record's id as text: an integer of any size, or a text. Undefined where there is none. */
export function idOf(record: DataRecord): string | undefined {
  const id = record["id"];
  if (typeof id === "number" || typeof id === "bigint") return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** A text of the record, or "". */
export function getText(record: DataRecord, key: string): string {
  const value = record[key];
  return typeof value === "string" ? value : "";
}

/** A count as servers send it: a number, or digits in a string or a header. */
export function parseCount(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
