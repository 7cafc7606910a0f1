// Rows in groups, so that a chunk of output is worth writing.

/** Enough rows that the cost of a write does not count. */
const batchSize = 200;

/** What is there at once in groups of at most 200; what comes in groups as it comes. */
export async function* toBatches<T>(items: readonly T[] | AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in items) return yield* items;
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}
