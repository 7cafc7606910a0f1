// "Did you mean": the known word that is closest to a mistyped one.

/** The edit distance; undefined where it is above the limit. */
function levenshteinDistance(a: string, b: string, limit: number): number | undefined {
  let start = 0;
  let [endOfA, endOfB] = [a.length, b.length];
  // What both begin and end with costs nothing.
  while (start < endOfA && start < endOfB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA--;
    endOfB--;
  }
  let above = Array.from({ length: endOfB - start + 1 }, (_, column) => column);
  for (let row = start; row < endOfA; row++) {
    const line = [row - start + 1];
    let least = row - start + 1;
    for (let column = start; column < endOfB; column++) {
      const at = column - start;
      const swap = (above[at] ?? 0) + (a.charCodeAt(row) === b.charCodeAt(column) ? 0 : 1);
      const distance = Math.min(swap, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1);
      line.push(distance);
      if (distance < least) least = distance;
    }
    // No later line has a smaller number.
    if (least > limit) return undefined;
    above = line;
  }
  const distance = above.at(-1) ?? 0;
  return distance > limit ? undefined : distance;
}

/**
 * The edit distance without regard to case. Undefined where it is too far: more than 1 for words of up to 3 letters, else more than 2 or a
 * third of the letters.
 */
export function boundedEditDistance(word: string, candidate: string, limit = getLimit(word.toLowerCase())): number | undefined {
  const typed = word.toLowerCase();
  if (Math.abs(candidate.length - typed.length) > limit) return undefined;
  return levenshteinDistance(typed, candidate.toLowerCase(), limit);
}

const getLimit = ({ length }: string) => (length < 4 ? 1 : Math.max(2, Math.floor(length / 3)));

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
