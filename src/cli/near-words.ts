// What was typed in other words, or in another order: the whole line as it is here, to be pasted.
import { shellQuote } from "../http/shell-word.ts";
import { type CommandGroup, type CommandTree, findGroup, getGroupCommands } from "./tree/lookup.ts";
import { getSynonyms } from "./tree/synonyms.ts";

/** The line that was meant. `turned`: its words are this program's own, and only their order is not. */
export interface SuggestedLine {
  readonly line: string;
  readonly isReordered: boolean;
}

/** Undefined where nobody knows what was meant, or something is still to be filled in. `isKnown`: the refusal names something already. */
export function suggestLine(
  tree: CommandTree,
  operands: readonly string[],
  argv: readonly string[],
  isKnown: boolean,
): SuggestedLine | undefined {
  const [first = "", second] = operands;
  const group = findGroup(tree, first);
  if (group !== undefined && second !== undefined) {
    const template = getOwnProperty(getSynonyms(group.name), second);
    if (template !== undefined) return createSuggestedLine(fillTemplate(template, operands.slice(2), removeWords(argv, operands)));
    const isRef = !isKnown && getGroupCommands(tree, group).some(({ path }) => path[1] === "get");
    return isRef ? createSuggestedLine(formatLine(`cal ${first} get`, removeWords(argv, [first]))) : undefined;
  }
  const turned = second === undefined ? undefined : findGroup(tree, second);
  const behind = turned === undefined ? undefined : findReorderedLine(tree, turned, first);
  if (behind !== undefined) return createSuggestedLine(fillTemplate(behind, operands.slice(2), removeWords(argv, operands)), true);
  const template = getOwnProperty(getSynonyms(), first);
  return template === undefined ? undefined : createSuggestedLine(fillTemplate(template, operands.slice(1), removeWords(argv, operands)));
}

function createSuggestedLine(text: string | undefined, isReordered = false): SuggestedLine | undefined {
  return text === undefined ? undefined : { line: text, isReordered };
}

/** A word before the name of a group means what it means behind it. */
function findReorderedLine(tree: CommandTree, group: CommandGroup, word: string): string | undefined {
  const spec = getGroupCommands(tree, group).find(({ path, aliases }) => path[1] === word || aliases?.includes(word));
  if (spec === undefined) return getOwnProperty(getSynonyms(group.name), word);
  return `cal ${group.name} ${word}${spec.args.length === 0 ? "" : " <ref>"}`;
}

/** What was typed takes the places that the line has for it; what follows in the line is prose, and flags go before that. */
function fillTemplate(template: string, operands: readonly string[], flags: readonly string[]): string | undefined {
  const refs = operands.map(shellQuote).join(" ");
  const takes = /<(?:ref|text)>/.test(template);
  if (takes && refs === "") return undefined;
  const text = template.replaceAll("<ref>", refs).replaceAll("<text>", shellQuote(operands.join(" ")));
  if (/<[\w-]+>/.test(text)) return undefined;
  const [, command = "", prose = ""] = /^([^,]*)(.*)$/s.exec(text) ?? [];
  return `${formatLine(command, takes ? flags : [...operands, ...flags])}${prose}`;
}

function formatLine(command: string, words: readonly string[]): string {
  return [command, ...words.map(shellQuote)].join(" ");
}

function getOwnProperty(lines: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(lines, word) ? lines[word] : undefined;
}

/** The words without the first of each of these. */
function removeWords(words: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...words];
  for (const word of taken) left.splice(left.indexOf(word), 1);
  return left;
}
