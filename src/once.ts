// Makes an expensive value on first use, and only once.

/** A function that calls `make` at its first call, and later returns the same value, or the same promise. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
