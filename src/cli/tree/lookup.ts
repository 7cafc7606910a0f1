// The command tree as a whole, and finding one's way in it by the words that are typed.
import { formatSuggestion } from "../../closest.ts";
import type { CommandSpec } from "../../commands/command.ts";
import { getSynonyms } from "./synonyms.ts";

/** Words that stand for a group of commands. */
export interface CommandGroup {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** All commands and the groups of those that have two words. */
export interface CommandTree {
  /** All of them; who knows the first word asks for those that begin with it. */
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly CommandGroup[];
  /** The commands whose first word this is, in the order of the tree. */
  readonly findByFirstWord: (word: string) => readonly CommandSpec[];
}

/** Where words lead: to a command, to a group, to the whole where there are none, or nowhere. */
export type LookupResult =
  | { readonly kind: "whole" }
  | { readonly kind: "group"; readonly group: CommandGroup }
  | { readonly kind: "command"; readonly spec: CommandSpec }
  | { readonly kind: "nowhere"; readonly problem: string };

/** Follows the first one or two words; words after a command are its arguments. */
export function lookupCommand(tree: CommandTree, words: readonly string[]): LookupResult {
  const [first, second] = words;
  if (first === undefined) return { kind: "whole" };
  const single = findSingleWordCommand(tree, first);
  if (single !== undefined) return { kind: "command", spec: single };
  const group = findGroup(tree, first);
  if (group === undefined)
    return {
      kind: "nowhere",
      problem: `unknown command ${JSON.stringify(first)}${formatSuggestion(first, getFirstWords(tree), { synonyms: getSynonyms() })}`,
    };
  if (second === undefined) return { kind: "group", group };
  const members = getGroupCommands(tree, group);
  const spec = members.find(({ path, aliases }) => path[1] === second || aliases?.includes(second));
  if (spec !== undefined) return { kind: "command", spec };
  return {
    kind: "nowhere",
    problem: `unknown command ${JSON.stringify(`${first} ${second}`)}${formatSuggestion(second, members.flatMap(getSecondWords), { synonyms: getSynonyms(group.name) })}`,
  };
}

/** The group of a name or an alias. */
export function findGroup(tree: CommandTree, word: string): CommandGroup | undefined {
  return tree.groups.find(({ name, aliases }) => name === word || aliases.includes(word));
}

/** The commands of a group, in the order of the tree. */
export function getGroupCommands(tree: CommandTree, group: CommandGroup): readonly CommandSpec[] {
  return tree.findByFirstWord(group.name);
}

/** The command of this one word. */
export function findSingleWordCommand(tree: CommandTree, word: string): CommandSpec | undefined {
  return tree.findByFirstWord(word).find(({ path }) => path.length === 1);
}

/** The commands of one word, in the order of the tree. */
export function getSingleWordCommands(tree: CommandTree): readonly CommandSpec[] {
  return tree.commands.filter(({ path }) => path.length === 1);
}

/** Every word that a command line can begin with. */
function getFirstWords(tree: CommandTree): readonly string[] {
  return [
    ...tree.groups.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...getSingleWordCommands(tree).flatMap(({ path, aliases }) => [...path, ...(aliases ?? [])]),
  ];
}

function getSecondWords({ path, aliases }: CommandSpec): readonly string[] {
  return [...path.slice(1), ...(aliases ?? [])];
}
