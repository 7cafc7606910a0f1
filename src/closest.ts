// "Did you mean": the closest of the words that would have been right.

function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const line = [row + 1];
    for (let column = 0; column < b.length; column++) {
      const swap = (above[column] ?? 0) + (letter === b[column] ? 0 : 1);
      line.push(Math.min(swap, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

/** The candidate with the fewest changed letters, case aside: at most one in a short word, two, or one in three of them; undefined where none is that close. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  let limit = (typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3))) + 1;
  let best: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) >= limit) continue;
    const apart = editsBetween(typed, candidate.toLowerCase());
    if (apart >= limit) continue;
    limit = apart;
    best = candidate;
  }
  return best;
}

/** The first candidate that begins with the word, or has it as one of its parts (`start` for `start_date`), else the closest. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const longer = (holds: (candidate: string) => boolean) =>
    typed.length < 3 ? undefined : candidates.find((one) => holds(one.toLowerCase()));
  return (
    longer((candidate) => candidate.startsWith(typed)) ??
    longer((candidate) => candidate.split(/[-_]/).includes(typed)) ??
    closest(word, candidates)
  );
}
