// The command tree as a whole, and finding one's way in it by the words that are typed.
import { meant } from "../../closest.ts";
import type { CommandSpec } from "../../commands/command.ts";
import { synonyms } from "./synonyms.ts";

/** Words that stand for a group of commands. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
}

/** All commands and the groups of those that have two words. */
export interface Tree {
  /** All of them; who knows the first word asks for those that begin with it. */
  readonly commands: readonly CommandSpec[];
  readonly groups: readonly Group[];
  /** The commands whose first word this is, in the order of the tree. */
  readonly beginning: (word: string) => readonly CommandSpec[];
}

/** Where words lead: to a command, to a group, to the whole where there are none, or nowhere. */
export type Place =
  | { readonly kind: "whole" }
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "command"; readonly spec: CommandSpec }
  | { readonly kind: "nowhere"; readonly problem: string };

/** Follows the first one or two words; words after a command are its arguments. */
export function placeOf(tree: Tree, words: readonly string[]): Place {
  const [first, second] = words;
  if (first === undefined) return { kind: "whole" };
  const single = singleNamed(tree, first);
  if (single !== undefined) return { kind: "command", spec: single };
  const group = groupNamed(tree, first);
  if (group === undefined)
    return { kind: "nowhere", problem: `unknown command ${JSON.stringify(first)}${meant(first, firstWords(tree), { usual: synonyms() })}` };
  if (second === undefined) return { kind: "group", group };
  const members = membersOf(tree, group);
  const spec = members.find(({ path, aliases }) => path[1] === second || aliases?.includes(second));
  if (spec !== undefined) return { kind: "command", spec };
  return {
    kind: "nowhere",
    problem: `unknown command ${JSON.stringify(`${first} ${second}`)}${meant(second, members.flatMap(secondWords), { usual: synonyms(group.name) })}`,
  };
}

/** The group of a name or an alias. */
export function groupNamed(tree: Tree, word: string): Group | undefined {
  return tree.groups.find(({ name, aliases }) => name === word || aliases.includes(word));
}

/** The commands of a group, in the order of the tree. */
export function membersOf(tree: Tree, group: Group): readonly CommandSpec[] {
  return tree.beginning(group.name);
}

/** The command of this one word. */
export function singleNamed(tree: Tree, word: string): CommandSpec | undefined {
  return tree.beginning(word).find(({ path }) => path.length === 1);
}

/** The commands of one word, in the order of the tree. */
export function singlesOf(tree: Tree): readonly CommandSpec[] {
  return tree.commands.filter(({ path }) => path.length === 1);
}

/** Every word that a command line can begin with. */
function firstWords(tree: Tree): readonly string[] {
  return [
    ...tree.groups.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...singlesOf(tree).flatMap(({ path, aliases }) => [...path, ...(aliases ?? [])]),
  ];
}

function secondWords({ path, aliases }: CommandSpec): readonly string[] {
  return [...path.slice(1), ...(aliases ?? [])];
}
