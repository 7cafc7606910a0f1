// What is dear is made when it is first asked for, and only once.

/** A function that calls `make` at its first call, and answers with the same value, or the same promise, ever after. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
