// Records as words of a command line: refs that name exactly one, and names in flags.
import type { Entry } from "../../commands/completion/cache.ts";
import type { Candidate } from "./stand.ts";

/**
 * Candidates for the word as far as it is typed. As a `ref` a record is its slug, as a flag's `value` its name where no other has the
 * same, else its id; after digits or `id:`, `slug:` and `name:` what these ask for.
 */
export function recordCandidates(entries: readonly Entry[], as: "ref" | "value", word: string): readonly Candidate[] {
  const ids = entries.map(({ id, name }) => ({ text: id, means: name }));
  const slugs = entries.filter(({ slug }) => slug !== "").map(({ slug, name }) => ({ text: `slug:${slug}`, means: name }));
  const unique = entries.filter(({ name }) => name !== "" && entries.filter((other) => folded(other) === folded({ name })).length === 1);
  const names = unique.map(({ id, name }) => ({ text: `name:${name}`, means: id }));
  if (word.startsWith("id:")) return ids.map(({ text, means }) => ({ text: `id:${text}`, means }));
  if (word.startsWith("slug:")) return slugs;
  if (word.startsWith("name:")) return names;
  const digits = /^\d+$/.test(word) ? ids : [];
  if (as === "ref") return [...digits, ...entries.map(({ ref, name }) => ({ text: ref, means: name }))];
  return [...digits, ...entries.map((entry) => (unique.includes(entry) ? asName(entry) : { text: entry.id, means: entry.name }))];
}

function asName({ id, name }: Entry): Candidate {
  return { text: isBare(name) ? name : `name:${name}`, means: id };
}

/** Whether a text is not read as something else: an id, a ref of a kind, or the list on stdin. */
function isBare(text: string): boolean {
  return !/^\d+$|^(?:id|slug|name):|^-/.test(text);
}

function folded({ name }: Pick<Entry, "name">): string {
  return name.normalize("NFKC").toLowerCase();
}
