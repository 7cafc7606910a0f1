// Where the cursor stands in a command line: at a command's word, a flag, a flag's value or an argument.
import type { Argument, CommandSpec, Flag } from "../../commands/command.ts";
import { getFlagNames } from "../flags.ts";
import { globalFlags } from "../globals.ts";
import { type CommandTree, findGroup, findSingleWordCommand, getGroupCommands, getSingleWordCommands } from "../tree/lookup.ts";

/** A word to offer, and what it means. */
export interface Candidate {
  readonly text: string;
  readonly means: string;
}

/** Where the cursor stands; `rest` is the part of the word that is still to be matched, `before` what goes before it. */
export type CursorPosition =
  | { readonly at: "word"; readonly candidates: readonly Candidate[] }
  | { readonly at: "flag"; readonly flags: readonly Flag[]; readonly spec: CommandSpec | undefined }
  | { readonly at: "value"; readonly flag: Flag; readonly spec: CommandSpec | undefined; readonly before: string; readonly rest: string }
  | { readonly at: "argument"; readonly argument: Argument; readonly spec: CommandSpec; readonly args: readonly string[] };

/** Reads the whole words and the one at the cursor; words that fit nowhere are passed over. */
export function findCursorPosition(tree: CommandTree, words: readonly string[], current: string): CursorPosition {
  const { path, args, usedFlags, pendingFlag, onlyArguments } = parseWords(tree, words);
  const spec = findCommand(tree, path);
  const known = [...(spec?.flags ?? []), ...globalFlags];
  if (pendingFlag !== undefined) return { at: "value", flag: pendingFlag, spec, before: "", rest: current };
  if (!onlyArguments && current.startsWith("-")) {
    const [, name = ""] = /^--([^=]+)=/.exec(current) ?? [];
    const flag = findFlag(known, `--${name}`);
    const before = `--${name}=`;
    if (flag !== undefined) return { at: "value", flag, spec, before, rest: current.slice(before.length) };
    return { at: "flag", flags: known.filter((one) => one.type === "texts" || !usedFlags.has(one)), spec };
  }
  if (spec === undefined) return { at: "word", candidates: getCommandCandidates(tree, path[0]) };
  const argument = spec.args[args.length] ?? spec.args.findLast(({ many }) => many === true);
  if (argument !== undefined) return { at: "argument", argument, spec, args };
  return { at: "flag", flags: spec.flags.filter((one) => !usedFlags.has(one)), spec };
}

interface ParsedWords {
  readonly path: readonly string[];
  readonly args: readonly string[];
  readonly usedFlags: ReadonlySet<Flag>;
  /** A flag whose value comes next. */
  readonly pendingFlag: Flag | undefined;
  readonly onlyArguments: boolean;
}

function parseWords(tree: CommandTree, words: readonly string[]): ParsedWords {
  const path: string[] = [];
  const args: string[] = [];
  const usedFlags = new Set<Flag>();
  let pendingFlag: Flag | undefined;
  let onlyArguments = false;
  for (const word of words) {
    const spec = findCommand(tree, path);
    if (pendingFlag !== undefined) pendingFlag = undefined;
    else if (!onlyArguments && word === "--") onlyArguments = true;
    else if (!onlyArguments && /^-./.test(word)) {
      const flag = findFlag([...(spec?.flags ?? []), ...globalFlags], word.replace(/=.*$/s, ""));
      if (flag === undefined) continue;
      usedFlags.add(flag);
      if (flag.type !== "boolean" && flag.optionalValue !== true && !word.includes("=")) pendingFlag = flag;
    } else if (spec === undefined) path.push(word);
    else args.push(word);
  }
  return { path, args, usedFlags, pendingFlag, onlyArguments };
}

function findCommand(tree: CommandTree, [first, second]: readonly string[]): CommandSpec | undefined {
  if (first === undefined) return undefined;
  const group = findGroup(tree, first);
  if (group === undefined) return findSingleWordCommand(tree, first);
  return getGroupCommands(tree, group).find(
    ({ path, aliases }) => second !== undefined && (path[1] === second || aliases?.includes(second)),
  );
}

/** The words that come first, or those of a group. */
export function getCommandCandidates(tree: CommandTree, first: string | undefined): readonly Candidate[] {
  const group = first === undefined ? undefined : findGroup(tree, first);
  const commands = (specs: readonly CommandSpec[]) => specs.map(({ path, summary }) => ({ text: path.at(-1) ?? "", means: summary }));
  if (group !== undefined) return commands(getGroupCommands(tree, group));
  if (first !== undefined) return [];
  return [...tree.groups.map(({ name, summary }) => ({ text: name, means: summary })), ...commands(getSingleWordCommands(tree))];
}

function findFlag(flags: readonly Flag[], word: string): Flag | undefined {
  return flags.find((flag) => word === `-${flag.short}` || getFlagNames(flag).some((name) => word === `--${name}`));
}
