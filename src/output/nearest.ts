// What somebody who mistyped a name may have meant.

/** The name that is at most two letters away from the word; undefined where there is none. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const close = names.map((name) => ({ name, far: distance(word.toLowerCase(), name) })).filter(({ far }) => far <= 2);
  return close.sort((a, b) => a.far - b.far)[0]?.name;
}

/** How many letters must be put in, left out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
