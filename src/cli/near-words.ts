// What was typed in other words, or in another order: the whole line as it is here, to be pasted.
import { shellWord } from "../http/shell-word.ts";
import { type Group, groupNamed, membersOf, type Tree } from "./tree/lookup.ts";
import { synonyms } from "./tree/synonyms.ts";

/** The line that was meant. `turned`: its words are this program's own, and only their order is not. */
export interface MeantLine {
  readonly line: string;
  readonly turned: boolean;
}

/** Undefined where nobody knows what was meant, or something is still to be filled in. `isKnown`: the refusal names something already. */
export function lineMeant(tree: Tree, operands: readonly string[], argv: readonly string[], isKnown: boolean): MeantLine | undefined {
  const [first = "", second] = operands;
  const group = groupNamed(tree, first);
  if (group !== undefined && second !== undefined) {
    const template = ownOf(synonyms(group.name), second);
    if (template !== undefined) return said(filled(template, operands.slice(2), without(argv, operands)));
    const isRef = !isKnown && membersOf(tree, group).some(({ path }) => path[1] === "get");
    return isRef ? said(line(`cal ${first} get`, without(argv, [first]))) : undefined;
  }
  const turned = second === undefined ? undefined : groupNamed(tree, second);
  const behind = turned === undefined ? undefined : turnedLine(tree, turned, first);
  if (behind !== undefined) return said(filled(behind, operands.slice(2), without(argv, operands)), true);
  const template = ownOf(synonyms(), first);
  return template === undefined ? undefined : said(filled(template, operands.slice(1), without(argv, operands)));
}

function said(text: string | undefined, turned = false): MeantLine | undefined {
  return text === undefined ? undefined : { line: text, turned };
}

/** A word before the name of a group means what it means behind it. */
function turnedLine(tree: Tree, group: Group, word: string): string | undefined {
  const spec = membersOf(tree, group).find(({ path, aliases }) => path[1] === word || aliases?.includes(word));
  if (spec === undefined) return ownOf(synonyms(group.name), word);
  return `cal ${group.name} ${word}${spec.args.length === 0 ? "" : " <ref>"}`;
}

/** What was typed takes the places that the line has for it; what follows in the line is prose, and flags go before that. */
function filled(template: string, operands: readonly string[], flags: readonly string[]): string | undefined {
  const refs = operands.map(shellWord).join(" ");
  const takes = /<(?:ref|text)>/.test(template);
  if (takes && refs === "") return undefined;
  const text = template.replaceAll("<ref>", refs).replaceAll("<text>", shellWord(operands.join(" ")));
  if (/<[\w-]+>/.test(text)) return undefined;
  const [, command = "", prose = ""] = /^([^,]*)(.*)$/s.exec(text) ?? [];
  return `${line(command, takes ? flags : [...operands, ...flags])}${prose}`;
}

function line(command: string, words: readonly string[]): string {
  return [command, ...words.map(shellWord)].join(" ");
}

function ownOf(lines: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(lines, word) ? lines[word] : undefined;
}

/** The words without the first of each of these. */
function without(words: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...words];
  for (const word of taken) left.splice(left.indexOf(word), 1);
  return left;
}
