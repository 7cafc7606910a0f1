// "Did you mean": the known word that is closest to a mistyped one.

function levenshteinDistance(a: string, b: string): number {
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

/**
 * The edit distance without regard to case. Undefined where it is too far: more than 1 for words of up to 3 letters, else more than 2 or a
 * third of the letters.
 */
export function boundedEditDistance(word: string, candidate: string): number | undefined {
  const typed = word.toLowerCase();
  const limit = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  if (Math.abs(candidate.length - typed.length) > limit) return undefined;
  const distance = levenshteinDistance(typed, candidate.toLowerCase());
  return distance > limit ? undefined : distance;
}

/** The candidate with the smallest distance; undefined where none is close. */
export function findClosest(word: string, candidates: readonly string[]): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = boundedEditDistance(word, candidate);
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** The first candidate that begins with the word, or has it as one of its parts (`start` for `start_date`), else the closest. */
function findBestMatch(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const find = (matches: (candidate: string) => boolean) => candidates.find((candidate) => matches(candidate.toLowerCase()));
  if (typed.length < 3) return findClosest(word, candidates);
  return (
    find((candidate) => candidate.startsWith(typed)) ??
    find((candidate) => candidate.split(/[-_]/).includes(typed)) ??
    findClosest(word, candidates)
  );
}

interface SuggestionOptions {
  /** Suggestions for words that are close to none: `csv --excel` for `excel`. */
  readonly synonyms?: Readonly<Record<string, string>> | undefined;
  /** The start of the suggestion: `--`. */
  readonly prefix?: string;
}

/** `; did you mean ...?` for the end of an error message, or "" where no word is close. */
export function formatSuggestion(word: string, words: readonly string[], { synonyms = {}, prefix = "" }: SuggestionOptions = {}): string {
  const typed = word.toLowerCase();
  const match = Object.hasOwn(synonyms, typed) ? synonyms[typed] : findBestMatch(word, words);
  return match === undefined ? "" : `; did you mean ${prefix}${match}?`;
}
