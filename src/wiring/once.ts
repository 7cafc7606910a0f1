// Dear parts are made when they are first asked for.

/** Makes a part at the first call, and answers with the same one ever after. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
