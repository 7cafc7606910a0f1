// Rows in groups, so that a chunk of output is worth writing and yet nothing waits for a page that is still under way.

/** Enough rows that the cost of a write does not count. */
const fullBatch = 200;

/** The items in order, in groups of at most 200; a group ends early where the next item is not there at once, or fails. */
export async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: T[] = [];
  let finished = false;
  try {
    while (!finished) {
      const next = iterator.next();
      const ready = batch.length > 0 && (await soon(next));
      if (batch.length >= fullBatch || (batch.length > 0 && !ready)) {
        yield batch;
        batch = [];
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

/** Whether a promise is fulfilled before anything from outside can arrive. */
function soon(promise: Promise<unknown>): Promise<boolean> {
  const fulfilled = promise.then(
    () => true,
    () => false,
  );
  return Promise.race([fulfilled, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}
