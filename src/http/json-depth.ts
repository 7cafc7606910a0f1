// How deep JSON may nest: deeper than any record, and far from where the recursion of what prints it ends.

const maxDepth = 500;

/** JSON that nests too deep. */
export class TooDeep extends SyntaxError {}

/** Throws TooDeep where a value of parsed JSON nests deeper than 500 levels. */
export function checkDepth(value: unknown, levels = maxDepth): void {
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new TooDeep(`JSON nested deeper than ${maxDepth} levels`);
  // Every value of every reply passes here, and this makes no list of them.
  for (const key in value) {
    const part = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof part === "object") checkDepth(part, levels - 1);
  }
}
