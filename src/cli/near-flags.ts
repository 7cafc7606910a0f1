// Flags as other programs call them, and the flags that do here what is meant by them.

/** For each, the flags that it may stand for: the first that the command has is meant. */
const flagSynonyms: Readonly<Record<string, readonly string[]>> = {
  from: ["start-date"],
  since: ["start-date"],
  begin: ["start-date"],
  when: ["start-date"],
  to: ["end-date"],
  until: ["end-date"],
  till: ["end-date"],
  date: ["on"],
  url: ["website", "base-url"],
  link: ["website"],
  sort: ["orderby"],
  name: ["title", "venue", "organizer"],
  query: ["search"],
  filter: ["search"],
  max: ["limit"],
  count: ["limit"],
  output: ["format"],
  f: ["format"],
  o: ["format"],
};

/** What is said where the flag that it needs is there, and nothing that does the same. */
const flagHints: Readonly<Record<string, { readonly needs: string; readonly says: string }>> = {
  year: { needs: "month", says: "a year is --start-date 2025 --end-date 2025" },
  sort: { needs: "search", says: "the interface has no order to choose here: pipe --json to jq" },
};

/** The end of a refusal: what a flag stands for, among those that a command has; undefined where nobody knows. */
export function suggestFlag(name: string, known: readonly string[]): string | undefined {
  const flag = Object.hasOwn(flagSynonyms, name) ? flagSynonyms[name]?.find((one) => known.includes(one)) : undefined;
  if (flag !== undefined) return `; did you mean --${flag}?`;
  const sentence = Object.hasOwn(flagHints, name) ? flagHints[name] : undefined;
  return sentence !== undefined && known.includes(sentence.needs) ? `; ${sentence.says}` : undefined;
}
