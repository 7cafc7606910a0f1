// What is made when it is first asked for: a call looks at one command of the tree, and need not wait for the flags of all others.

/** A function that calls `make` at its first call, and answers with the same value ever after. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
