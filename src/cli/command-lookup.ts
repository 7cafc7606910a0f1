// The command tree, and how commands are found in it.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec } from "../commands/command.ts";
import { getSynonyms } from "./synonyms.ts";

/** The first word of commands of two words. */
export interface CommandGroup {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

export interface CommandTree {
  /** All commands. It is quicker to look up those of one first word. */
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly CommandGroup[];
  /** The commands with this first word, in the order of the tree. */
  readonly findByFirstWord: (word: string) => readonly CommandSpec[];
}

/** What the first words of a command line name. Without words it is the root. */
export type LookupResult =
  | { readonly kind: "root" }
  | { readonly kind: "group"; readonly group: CommandGroup }
  | { readonly kind: "command"; readonly spec: CommandSpec }
  | { readonly kind: "unknown"; readonly problem: string; readonly hasSuggestion: boolean };

/** Looks up the first one or two words. Words after a command are its arguments. */
export function lookupCommand(tree: CommandTree, [first, second]: readonly string[]): LookupResult {
  if (first === undefined) return { kind: "root" };
  const single = findSingleWordCommand(tree, first);
  if (single !== undefined) return { kind: "command", spec: single };
  const group = findGroup(tree, first);
  if (group === undefined) {
    const names = [...tree.groups.flatMap(({ name, aliases }) => [name, ...aliases]), ...getSingleWordCommands(tree).flatMap(getLastWords)];
    return createUnknown(first, formatSuggestion(first, names, { synonyms: joinLines(getSynonyms()) }));
  }
  if (second === undefined) return { kind: "group", group };
  const members = getGroupCommands(tree, group);
  const spec = members.find((member) => getLastWords(member).includes(second));
  if (spec !== undefined) return { kind: "command", spec };
  return createUnknown(
    `${first} ${second}`,
    formatSuggestion(second, members.flatMap(getLastWords), { synonyms: joinLines(getSynonyms(group.name)) }),
  );
}

function createUnknown(words: string, suggestion: string): LookupResult {
  return { kind: "unknown", problem: `unknown command ${JSON.stringify(words)}${suggestion}`, hasSuggestion: suggestion !== "" };
}

export function findGroup(tree: CommandTree, word: string): CommandGroup | undefined {
  return tree.groups.find(({ name, aliases }) => name === word || aliases.includes(word));
}

export function getGroupCommands(tree: CommandTree, group: CommandGroup): readonly CommandSpec[] {
  return tree.findByFirstWord(group.name);
}

function findSingleWordCommand(tree: CommandTree, word: string): CommandSpec | undefined {
  return tree.findByFirstWord(word).find(({ path }) => path.length === 1);
}

/** The commands of one word, in the order of the tree. */
export function getSingleWordCommands(tree: CommandTree): readonly CommandSpec[] {
  return tree.commands.filter(({ path }) => path.length === 1);
}

/** The last word of a command and its aliases. */
export function getLastWords({ path, aliases = [] }: CommandSpec): readonly string[] {
  return [...path.slice(-1), ...aliases];
}

function joinLines(synonyms: ReturnType<typeof getSynonyms>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(synonyms).map(([word, lines]) => [word, lines.join(" or ")]));
}
