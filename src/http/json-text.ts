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
