// Which candidates fit what is typed.
import type { Candidate } from "./stand.ts";

/** Those that begin with the word, case aside only where none does otherwise; each text once, nothing that would break a line. */
export function filterCandidates(candidates: readonly Candidate[], word: string): readonly Candidate[] {
  const once = [...new Map(candidates.map((one) => [one.text, one])).values()].filter(({ text, means }) => !/\p{Cc}/u.test(text + means));
  const exact = once.filter(({ text }) => text.startsWith(word));
  if (exact.length > 0) return exact;
  const typed = word.toLowerCase();
  return once.filter(({ text }) => text.toLowerCase().startsWith(typed));
}
