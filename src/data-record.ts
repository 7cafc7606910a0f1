// A record as every room sees it: an object of any keys, for the shapes of replies are "not shown" in the interface.

/** A record as it came: unknown keys and all. */
export type DataRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (and no array). */
export function isRecord(value: unknown): value is DataRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
