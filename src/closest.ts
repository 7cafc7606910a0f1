// "Did you mean": the closest of the words that would have been right.

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

/** The letters to change, case aside, to come from the word to the candidate; undefined beyond one in a short word, two, or one in three of them. */
export function boundedEditDistance(word: string, candidate: string): number | undefined {
  const typed = word.toLowerCase();
  const limit = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3));
  if (Math.abs(candidate.length - typed.length) > limit) return undefined;
  const apart = levenshteinDistance(typed, candidate.toLowerCase());
  return apart > limit ? undefined : apart;
}

/** The candidate with the fewest changed letters; undefined where none is close. */
export function findClosest(word: string, candidates: readonly string[]): string | undefined {
  let best: { readonly candidate: string; readonly apart: number } | undefined;
  for (const candidate of candidates) {
    const apart = boundedEditDistance(word, candidate);
    if (apart !== undefined && (best === undefined || apart < best.apart)) best = { candidate, apart };
  }
  return best?.candidate;
}

/** The first candidate that begins with the word, or has it as one of its parts (`start` for `start_date`), else the closest. */
function findBestMatch(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const longer = (holds: (candidate: string) => boolean) =>
    typed.length < 3 ? undefined : candidates.find((one) => holds(one.toLowerCase()));
  return (
    longer((candidate) => candidate.startsWith(typed)) ??
    longer((candidate) => candidate.split(/[-_]/).includes(typed)) ??
    findClosest(word, candidates)
  );
}

/** What is said of a word that is not known, beside the word itself. */
interface SuggestionOptions {
  /** Words that are typed for others although they are not near them: `excel` for `csv --excel`. */
  readonly synonyms?: Readonly<Record<string, string>> | undefined;
  /** What is typed before the word: `--`. */
  readonly prefix?: string;
}

/** `; did you mean ...?`, the end of a refusal, or "" where no word is near. */
export function formatSuggestion(word: string, words: readonly string[], { synonyms = {}, prefix = "" }: SuggestionOptions = {}): string {
  const typed = word.toLowerCase();
  const near = Object.hasOwn(synonyms, typed) ? synonyms[typed] : findBestMatch(word, words);
  return near === undefined ? "" : `; did you mean ${prefix}${near}?`;
}
