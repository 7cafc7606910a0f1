// Flags as other programs call them, and the flags that do here what is meant by them.

import { formatSuggestion } from "../closest.ts";
import type { CommandSpec, Flag } from "../commands/command.ts";
import type { Problem } from "../errors.ts";
import { shellQuote } from "../text.ts";
import { type CommandGroup, type CommandTree, findGroup, getGroupCommands, getSynonyms } from "./command-lookup.ts";
import { getFlagNames } from "./flags.ts";

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
function suggestFlag(name: string, known: readonly string[]): string | undefined {
  const flag = Object.hasOwn(flagSynonyms, name) ? flagSynonyms[name]?.find((one) => known.includes(one)) : undefined;
  if (flag !== undefined) return `; did you mean --${flag}?`;
  const sentence = Object.hasOwn(flagHints, name) ? flagHints[name] : undefined;
  return sentence !== undefined && known.includes(sentence.needs) ? `; ${sentence.says}` : undefined;
}

// What was typed in other words, or in another order: the whole line as it is here, to be pasted.

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

// A text of several words that came as several, because it was not quoted, or with quotes that are none to a shell.

const openingQuote = /^(?:--[\w-]+=)?[“„«‘]\S*$/;
const closingQuote = /^[^\s-]\S*[”“»’]$/;
const nonFlagWord = /^[^\s-]\S*$/;

/** The line with quotes that a shell knows; undefined where no text of several words has others. Words with spaces were quoted well. */
export function straightenQuotes(argv: readonly string[]): string | undefined {
  const from = argv.findIndex((word, at) => openingQuote.test(word) && !closingQuote.test(word) && findClosingQuote(argv, at) !== -1);
  if (from === -1) return undefined;
  const to = findClosingQuote(argv, from);
  const [, flag = "", text = ""] = /^(--[\w-]+=)?(.*)$/.exec(argv.slice(from, to + 1).join(" ")) ?? [];
  const before = argv.slice(0, from).map(shellQuote);
  return ["cal", ...before, `${flag}${shellQuote(text.slice(1, -1))}`, ...argv.slice(to + 1).map(shellQuote)].join(" ");
}

/** Where a text that begins with such a quote ends with one; -1 where it does not. */
function findClosingQuote(argv: readonly string[], from: number): number {
  const length = argv.slice(from + 1).findIndex((word) => closingQuote.test(word) || !nonFlagWord.test(word));
  return length !== -1 && closingQuote.test(argv[from + 1 + length] ?? "") ? from + 1 + length : -1;
}

/** Words for which there is no place, and where they stand behind the value of a flag, both as one text. */
export interface SurplusWords {
  readonly words: readonly string[];
  readonly quotedSuggestion?: string;
}

/** The words without a place, those that stand together as one. */
export function findSurplusWords(argv: readonly string[], surplus: readonly string[], flags: readonly Flag[]): readonly SurplusWords[] {
  const left = [...surplus];
  const found: SurplusWords[] = [];
  for (let at = 0; at < argv.length; at++) {
    const words = matchPrefix(argv.slice(at), left);
    if (words.length === 0) continue;
    left.splice(0, words.length);
    const [flag = "", value = ""] = [argv[at - 2], argv[at - 1]];
    found.push(isTextFlag(flag, flags) ? { words, quotedSuggestion: `${flag} ${shellQuote([value, ...words].join(" "))}` } : { words });
    at += words.length - 1;
  }
  return found;
}

/** How many of the words come next. */
function matchPrefix(argv: readonly string[], words: readonly string[]): readonly string[] {
  const length = words.findIndex((word, at) => word !== argv[at]);
  return length === -1 ? words.slice() : words.slice(0, length);
}

function isTextFlag(typed: string, flags: readonly Flag[]): boolean {
  return flags.some((flag) => flag.type.startsWith("text") && getFlagNames(flag).some((name) => `--${name}` === typed));
}

/** What is said of them; `advice` is for a word that stands alone. */
export function formatSurplusWords({ words, quotedSuggestion }: SurplusWords, advice: (word: string) => string): string | Problem {
  const shown = words.map((word) => JSON.stringify(word));
  const all = shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  if (quotedSuggestion !== undefined)
    return { message: `there is no place for ${all}`, hint: `one text needs quotes: ${quotedSuggestion}` };
  return `there is no place for ${all}${words.length === 1 ? advice(words[0] ?? "") : ""}`;
}

// Flags and words that nobody knows: what was meant by each.

/** Advice for flags that are fields of records, where a list has no filter of that name. */
export function createFilterAdvice({ commands }: CommandTree, { path, flags }: CommandSpec): (name: string) => string | undefined {
  if (path[1] !== "list" || !flags.some(({ name }) => name === "search")) return () => undefined;
  const creates = commands.filter((command) => command.path[1] === "create");
  const fields = new Set(creates.flatMap((command) => command.flags.filter(({ group }) => group === "Fields").flatMap(getFlagNames)));
  return (name) =>
    fields.has(name) ? `; ${path.join(" ")} can't filter by ${name}: --search finds words, or pipe --json to jq` : undefined;
}

/** What is said of flags that a command does not have, in the words as they were typed. */
export function formatUnknownFlags(
  unknown: readonly string[],
  known: readonly Flag[],
  advice: (name: string) => string | undefined = () => undefined,
): string[] {
  const end = unknown.indexOf("--");
  const typed = unknown.slice(0, end === -1 ? unknown.length : end).filter((word) => /^-./.test(word));
  const names = known.flatMap(getFlagNames);
  const formats = known.flatMap(({ name, choices = [] }) => (name === "format" ? choices : []));
  const synonyms = Object.fromEntries(formats.filter((name) => !names.includes(name)).map((name) => [name, `format ${name}`]));
  return typed.map((word) => {
    const [, dashes = "", name = ""] = /^(--?)([^=]*)/.exec(word) ?? [];
    if (dashes === "--" && word.includes("=") && names.includes(name)) return `--${name} takes no value`;
    return `unknown flag ${dashes}${name}${advice(name) ?? suggestFlag(name, names) ?? formatSuggestion(name, names, { synonyms, prefix: "--" })}`;
  });
}

/** Advice for a word that is the value of a range flag. */
export function suggestRangeFlag(word: string, flags: readonly Flag[]): string {
  const [, stretch] = /^(?:this|next|last)-(week|month)$/.exec(word) ?? [];
  const isDay =
    /^(?:today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|\d{4}(?:-\d\d){0,2})$/.test(word);
  const name = stretch ?? (isDay ? "on" : undefined);
  return name === undefined || !flags.some((flag) => flag.name === name) ? "" : `; did you mean --${name} ${word}?`;
}
