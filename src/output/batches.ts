// Rows in groups, so that a chunk of output is worth writing and yet nothing waits for what is still under way.

/** Enough rows that the cost of a write does not count. */
const fullBatch = 200;

/** What is there at once in groups of at most 200; what comes in pages page by page. */
export async function* grouped<T>(items: readonly T[] | AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in items) return yield* items;
  for (let start = 0; start < items.length; start += fullBatch) yield items.slice(start, start + fullBatch);
}

/** The items in order, in groups of at most 200; a group ends early where the next item is not there at once, or fails. */
export async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: T[] = [];
  let later: Promise<boolean> | undefined;
  let finished = false;
  try {
    while (!finished) {
      const next = iterator.next();
      const fulfilled = next.then(
        () => true,
        () => false,
      );
      if (batch.length > 0) {
        later ??= somethingElse();
        if (batch.length >= fullBatch || !(await Promise.race([fulfilled, later]))) {
          yield batch;
          batch = [];
          later = undefined;
        }
      }
      const result = await next;
      if (result.done === true) finished = true;
      else batch.push(result.value);
    }
    if (batch.length > 0) yield batch;
  } finally {
    if (!finished) await iterator.return?.();
  }
}

/** False, as soon as something from outside could arrive; one such promise serves a whole group, for an immediate for every row is dear. */
function somethingElse(): Promise<boolean> {
  return new Promise((resolve) => setImmediate(() => resolve(false)));
}
