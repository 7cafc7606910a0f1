// Where the cursor stands in a command line: at a command's word, a flag, a flag's value or an argument.
import type { Argument, CommandSpec, Flag } from "../../commands/command.ts";
import { namesOf } from "../flags.ts";
import { globalFlags } from "../globals.ts";
import { groupNamed, membersOf, singleNamed, singlesOf, type Tree } from "../tree/lookup.ts";

/** A word to offer, and what it means. */
export interface Candidate {
  readonly text: string;
  readonly means: string;
}

/** Where the cursor stands; `rest` is the part of the word that is still to be matched, `before` what goes before it. */
export type Stand =
  | { readonly at: "word"; readonly candidates: readonly Candidate[] }
  | { readonly at: "flag"; readonly flags: readonly Flag[]; readonly spec: CommandSpec | undefined }
  | { readonly at: "value"; readonly flag: Flag; readonly spec: CommandSpec | undefined; readonly before: string; readonly rest: string }
  | { readonly at: "argument"; readonly argument: Argument; readonly spec: CommandSpec; readonly args: readonly string[] };

/** Reads the whole words and the one at the cursor; words that fit nowhere are passed over. */
export function standOf(tree: Tree, words: readonly string[], current: string): Stand {
  const { path, args, used, waiting, onlyArguments } = walked(tree, words);
  const spec = commandOf(tree, path);
  const known = [...(spec?.flags ?? []), ...globalFlags];
  if (waiting !== undefined) return { at: "value", flag: waiting, spec, before: "", rest: current };
  if (!onlyArguments && current.startsWith("-")) {
    const [, name = ""] = /^--([^=]+)=/.exec(current) ?? [];
    const flag = flagNamed(known, `--${name}`);
    const before = `--${name}=`;
    if (flag !== undefined) return { at: "value", flag, spec, before, rest: current.slice(before.length) };
    return { at: "flag", flags: known.filter((one) => one.type === "texts" || !used.has(one)), spec };
  }
  if (spec === undefined) return { at: "word", candidates: wordsAt(tree, path[0]) };
  const argument = spec.args[args.length] ?? spec.args.findLast(({ many }) => many === true);
  if (argument !== undefined) return { at: "argument", argument, spec, args };
  return { at: "flag", flags: spec.flags.filter((one) => !used.has(one)), spec };
}

interface Walked {
  readonly path: readonly string[];
  readonly args: readonly string[];
  readonly used: ReadonlySet<Flag>;
  /** A flag whose value comes next. */
  readonly waiting: Flag | undefined;
  readonly onlyArguments: boolean;
}

function walked(tree: Tree, words: readonly string[]): Walked {
  const path: string[] = [];
  const args: string[] = [];
  const used = new Set<Flag>();
  let waiting: Flag | undefined;
  let onlyArguments = false;
  for (const word of words) {
    const spec = commandOf(tree, path);
    if (waiting !== undefined) waiting = undefined;
    else if (!onlyArguments && word === "--") onlyArguments = true;
    else if (!onlyArguments && /^-./.test(word)) {
      const flag = flagNamed([...(spec?.flags ?? []), ...globalFlags], word.replace(/=.*$/s, ""));
      if (flag === undefined) continue;
      used.add(flag);
      if (flag.type !== "boolean" && flag.optionalValue !== true && !word.includes("=")) waiting = flag;
    } else if (spec === undefined) path.push(word);
    else args.push(word);
  }
  return { path, args, used, waiting, onlyArguments };
}

function commandOf(tree: Tree, [first, second]: readonly string[]): CommandSpec | undefined {
  if (first === undefined) return undefined;
  const group = groupNamed(tree, first);
  if (group === undefined) return singleNamed(tree, first);
  return membersOf(tree, group).find(({ path, aliases }) => second !== undefined && (path[1] === second || aliases?.includes(second)));
}

/** The words that come first, or those of a group. */
export function wordsAt(tree: Tree, first: string | undefined): readonly Candidate[] {
  const group = first === undefined ? undefined : groupNamed(tree, first);
  const commands = (specs: readonly CommandSpec[]) => specs.map(({ path, summary }) => ({ text: path.at(-1) ?? "", means: summary }));
  if (group !== undefined) return commands(membersOf(tree, group));
  if (first !== undefined) return [];
  return [...tree.groups.map(({ name, summary }) => ({ text: name, means: summary })), ...commands(singlesOf(tree))];
}

function flagNamed(flags: readonly Flag[], word: string): Flag | undefined {
  return flags.find((flag) => word === `-${flag.short}` || namesOf(flag).some((name) => word === `--${name}`));
}
