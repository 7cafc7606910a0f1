// Records as words of a command line: refs that name exactly one, and names in flags.
import type { CompletionEntry } from "../../commands/completion/cache.ts";
import type { Candidate } from "./stand.ts";

/**
 * Candidates for the word as far as it is typed. As a `ref` a record is its slug, as a flag's `value` its name where no other has the
 * same, else its id; after digits or `id:`, `slug:` and `name:` what these ask for, a name of several too: at a terminal one of them is chosen.
 */
export function createRecordCandidates(entries: readonly CompletionEntry[], as: "ref" | "value", word: string): readonly Candidate[] {
  const ids = entries.map(({ id, name }) => ({ text: id, means: name }));
  const slugs = entries.filter(({ slug }) => slug !== "").map(({ slug, name }) => ({ text: `slug:${slug}`, means: name }));
  if (word.startsWith("id:")) return ids.map(({ text, means }) => ({ text: `id:${text}`, means }));
  if (word.startsWith("slug:")) return slugs;
  const digits = /^\d+$/.test(word) ? ids : [];
  if (as === "ref" && !word.startsWith("name:")) return [...digits, ...entries.map(({ ref, name }) => ({ text: ref, means: name }))];
  const groups = groupByName(entries);
  if (word.startsWith("name:"))
    return groups.map(([{ id, name }, ...others]) => ({
      text: `name:${name}`,
      means: others.length === 0 ? id : `${others.length + 1} of this name`,
    }));
  const unique = new Set(groups.flatMap(([first, ...others]) => (others.length === 0 ? [first] : [])));
  return [...digits, ...entries.map((entry) => (unique.has(entry) ? createNameCandidate(entry) : { text: entry.id, means: entry.name }))];
}

/** Those with a name, together where they have the same. */
function groupByName(entries: readonly CompletionEntry[]): readonly (readonly [CompletionEntry, ...CompletionEntry[]])[] {
  const groups = new Map<string, [CompletionEntry, ...CompletionEntry[]]>();
  for (const entry of entries.filter(({ name }) => name !== "")) {
    const group = groups.get(normalizeName(entry));
    if (group === undefined) groups.set(normalizeName(entry), [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}

function createNameCandidate({ id, name }: CompletionEntry): Candidate {
  return { text: isUnambiguousName(name) ? name : `name:${name}`, means: id };
}

/** Whether a text is not read as something else: an id, a ref of a kind, or the list on stdin. */
function isUnambiguousName(text: string): boolean {
  return !/^\d+$|^(?:id|slug|name):|^-/.test(text);
}

function normalizeName({ name }: Pick<CompletionEntry, "name">): string {
  return name.normalize("NFKC").toLowerCase();
}
