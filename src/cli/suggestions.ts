// What the user probably meant: suggestions for unknown flags and commands, surplus words and curly quotes.
import { formatSuggestion } from "../closest.ts";
import { type CommandSpec, type Flag, getFlagNames } from "../commands/command.ts";
import type { Problem } from "../errors.ts";
import { shellQuote } from "../text.ts";
import { type CommandTree, findGroup, getGroupCommands, getLastWords, getSynonyms } from "./command-lookup.ts";

/** Flags, and their names in other programs. Of several flags for a name, the first that the command has is suggested. */
const flagSynonyms: Readonly<Record<string, readonly string[]>> = {
  data: ["file", "from-file", "f"],
  "start-date": ["from", "since", "begin", "when"],
  "end-date": ["to", "until", "till"],
  on: ["date"],
  website: ["url", "link"],
  "base-url": ["url"],
  orderby: ["sort"],
  title: ["name"],
  venue: ["name"],
  organizer: ["name"],
  search: ["query", "filter"],
  limit: ["max", "count"],
  format: ["output", "f", "o"],
};

interface FlagAdvice {
  readonly onlyWith: string;
  readonly text: string;
}

const moveSeries = "cal series shift moves the events of a series, and --start-time gives them another time of day";
const ruledTimes = "the rule gives the days; --start-time or --at gives another time of day";

/** Advice for flags that no flag replaces, on commands that have the flag `onlyWith`. */
const flagAdvice: Readonly<Record<string, readonly FlagAdvice[]>> = {
  year: [{ onlyWith: "month", text: "a year is --start-date 2025 --end-date 2025" }],
  sort: [{ onlyWith: "search", text: "the interface has no order to choose here: pipe --json to jq" }],
  "start-date": [
    { onlyWith: "remove-category", text: moveSeries },
    { onlyWith: "every", text: ruledTimes },
  ],
  "end-date": [
    { onlyWith: "remove-category", text: `${moveSeries}; --duration gives them another length` },
    { onlyWith: "every", text: "the copies last as long as the event" },
  ],
  shift: [{ onlyWith: "remove-category", text: "cal series shift moves the events of a series" }],
  slug: [
    { onlyWith: "remove-category", text: "a slug belongs to one event: cal events update" },
    { onlyWith: "every", text: "a slug belongs to one event" },
  ],
  duration: [{ onlyWith: "every", text: "the copies last as long as the event" }],
};

/** A problem for each unknown flag among the words that commander did not know. */
export function formatUnknownFlags(
  unknown: readonly string[],
  known: readonly Flag[],
  command?: { readonly tree: CommandTree; readonly spec: CommandSpec },
): readonly (string | Problem)[] {
  if (unknown.length === 0) return [];
  const names = known.flatMap(getFlagNames);
  const formats = known.flatMap(({ name, choices = [] }) => (name === "format" ? choices : []));
  const formatSynonyms = Object.fromEntries(formats.filter((name) => !names.includes(name)).map((name) => [name, `format ${name}`]));
  const isFilterable = command === undefined ? () => true : createFilterCheck(command.tree, command.spec);
  const suggest = (name: string): string => {
    if (!isFilterable(name)) return `; ${command?.spec.path.join(" ")} can't filter by ${name}: --search finds words, or pipe --json to jq`;
    const [flag] = Object.entries(flagSynonyms).find(([flag, synonyms]) => names.includes(flag) && synonyms.includes(name)) ?? [];
    if (flag !== undefined) return `; did you mean --${flag}${flag === "data" ? " @<file>" : ""}?`;
    const advice = Object.hasOwn(flagAdvice, name) ? flagAdvice[name]?.find(({ onlyWith }) => names.includes(onlyWith)) : undefined;
    if (advice !== undefined) return `; ${advice.text}`;
    return formatSuggestion(name, names, { synonyms: formatSynonyms, prefix: "--" });
  };
  const end = unknown.indexOf("--");
  const words = unknown.slice(0, end === -1 ? unknown.length : end).filter((word) => /^-./.test(word));
  return words.map((word) => {
    const [, dashes = "", name = ""] = /^(--?)([^=]*)/.exec(word) ?? [];
    const takesNoValue = dashes === "--" && word.includes("=") && names.includes(name);
    if (takesNoValue) return `--${name} takes no value`;
    const message = `unknown flag ${dashes}${name}${suggest(name)}`;
    // The fields are in that file.
    return message.includes("mean --data ") ? { message, hidesFields: true } : message;
  });
}

/** On a list command, fields of records that are no filters can't be flags. */
function createFilterCheck({ commands }: CommandTree, { path, flags }: CommandSpec): (name: string) => boolean {
  if (path[1] !== "list" || !flags.some(({ name }) => name === "search")) return () => true;
  const creates = commands.filter((command) => command.path[1] === "create");
  const fields = new Set(creates.flatMap((command) => command.flags.filter(({ group }) => group === "Fields").flatMap(getFlagNames)));
  return (name) => !fields.has(name);
}

// Unknown commands: the whole line that was probably meant.

/**
 * The lines to paste, of which one is meant; undefined where nobody knows what was meant, or a part is missing. `isReordered` means that the words are right
 * but in the wrong order. `hasSuggestion` means that the error message already suggests a word.
 */
export function suggestLine(
  tree: CommandTree,
  operands: readonly string[],
  argv: readonly string[],
  hasSuggestion: boolean,
): { readonly lines: readonly string[]; readonly isReordered: boolean } | undefined {
  const [first = "", second] = operands;
  const fill = (templates: readonly string[], used: number, isReordered = false) => {
    const lines = templates.flatMap((template) => fillTemplate(template, operands.slice(used), removeWords(argv, operands)) ?? []);
    return lines.length === 0 ? undefined : { lines, isReordered };
  };
  const group = findGroup(tree, first);
  if (group !== undefined && second !== undefined) {
    const templates = getSynonym(second, group.name);
    if (templates !== undefined) return fill(templates, 2);
    const canBeRef = !hasSuggestion && getGroupCommands(tree, group).some(({ path }) => path[1] === "get");
    return canBeRef ? { lines: [formatLine(`cal ${first} get`, removeWords(argv, [first]))], isReordered: false } : undefined;
  }
  const laterGroup = second === undefined ? undefined : findGroup(tree, second);
  if (laterGroup !== undefined) {
    const spec = getGroupCommands(tree, laterGroup).find((member) => getLastWords(member).includes(first));
    const line = `cal ${laterGroup.name} ${first}${spec === undefined || spec.args.length === 0 ? "" : " <ref>"}`;
    const templates = spec === undefined ? getSynonym(first, laterGroup.name) : [line];
    if (templates !== undefined) return fill(templates, 2, true);
  }
  const templates = getSynonym(first);
  return templates === undefined ? undefined : fill(templates, 1);
}

function getSynonym(word: string, group?: string): readonly string[] | undefined {
  const synonyms = getSynonyms(group);
  return Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
}

/** Puts the operands into the places of the template, and the flags behind it. An offset is the last operand, a file the only one. */
function fillTemplate(template: string, operands: readonly string[], flags: readonly string[]): string | undefined {
  const last = operands.at(-1) ?? "";
  const offset = template.includes("<offset>") && /^\+?\d+[a-z]/i.test(last) ? last : undefined;
  if (offset !== undefined) return fillTemplate(template.replace("<offset>", offset), operands.slice(0, -1), flags);
  if (template.includes("<file>") && operands.length === 1) return fillTemplate(template.replace("<file>", shellQuote(last)), [], flags);
  const refs = operands.map(shellQuote).join(" ");
  const hasPlace = /<(?:ref|text)>/.test(template);
  if (hasPlace && refs === "") return undefined;
  const text = template.replaceAll("<ref>", refs).replaceAll("<text>", shellQuote(operands.join(" ")));
  if (/<[\w-]+>/.test(text)) return undefined;
  return formatLine(text, hasPlace ? flags : [...operands, ...flags]);
}

/** The same line with another command of the group. */
export function formatOtherVerb(path: readonly string[], verb: string, operands: readonly string[], argv: readonly string[]): string {
  return formatLine(`cal ${path[0] ?? ""} ${verb}`, removeWords(argv, operands.slice(0, path.length)));
}

function formatLine(command: string, words: readonly string[]): string {
  return [command, ...words.map(shellQuote)].join(" ");
}

/** The words without the first occurrence of each of the others. */
function removeWords(words: readonly string[], removed: readonly string[]): readonly string[] {
  const left = [...words];
  for (const word of removed) left.splice(left.indexOf(word), 1);
  return left;
}

// Texts of several words without quotes, or with curly quotes.

/** A problem for each run of words that the command has no argument for. After the value of a flag they are probably part of it. */
export function formatSurplusWords(
  surplus: readonly string[],
  argv: readonly string[],
  flags: readonly Flag[],
): readonly (string | Problem)[] {
  const left = [...surplus];
  const problems: (string | Problem)[] = [];
  for (let at = 0; at < argv.length; at++) {
    const mismatch = left.findIndex((word, offset) => word !== argv[at + offset]);
    const words = left.splice(0, mismatch === -1 ? left.length : mismatch);
    if (words.length === 0) continue;
    const shown = words.map((word) => JSON.stringify(word));
    const all = shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
    const [flag = "", value = ""] = [argv[at - 2], argv[at - 1]];
    const isText = flags.some((one) => one.type.startsWith("text") && getFlagNames(one).some((name) => `--${name}` === flag));
    const message = `unexpected ${words.length === 1 ? "argument" : "arguments"} ${all}`;
    if (isText)
      problems.push({ message, hint: { text: "one text needs quotes", command: `${flag} ${shellQuote([value, ...words].join(" "))}` } });
    else if (words[0] === "-" && words.length === 1 && flags.some(({ name }) => name === "data"))
      problems.push({ message: `${message}; did you mean --data -?`, hidesFields: true });
    else problems.push(`${message}${words.length === 1 ? suggestFlagFor(words[0] ?? "", flags) : ""}`);
    at += words.length - 1;
  }
  return problems;
}

/** Suggests the flag of a date range for a word that is its value. */
function suggestFlagFor(word: string, flags: readonly Flag[]): string {
  const [, range] = /^(?:this|next|last)-(week|month)$/.exec(word) ?? [];
  const isDay =
    /^(?:today|tomorrow|yesterday|(?:this-|next-)?weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|\d{4}(?:-\d\d){0,2})$/.test(
      word,
    );
  const name = range ?? (isDay ? "on" : undefined);
  return name === undefined || !flags.some((flag) => flag.name === name) ? "" : `; did you mean --${name} ${word}?`;
}

const openingQuote = /^(?:--[\w-]+=)?[“„«‘]\S*$/;
const closingQuote = /^[^\s-]\S*[”“»’]$/;
const nonFlagWord = /^[^\s-]\S*$/;

/** The line with straight quotes; undefined where no text of several words has curly quotes. A word with spaces was quoted correctly. */
export function straightenQuotes(argv: readonly string[]): string | undefined {
  const from = argv.findIndex((word, at) => openingQuote.test(word) && !closingQuote.test(word) && findClosingQuote(argv, at) !== -1);
  if (from === -1) return undefined;
  const to = findClosingQuote(argv, from);
  const [, flag = "", text = ""] = /^(--[\w-]+=)?(.*)$/.exec(argv.slice(from, to + 1).join(" ")) ?? [];
  const before = argv.slice(0, from).map(shellQuote);
  return ["cal", ...before, `${flag}${shellQuote(text.slice(1, -1))}`, ...argv.slice(to + 1).map(shellQuote)].join(" ");
}

/** Where the text that begins at a word ends with a closing quote; -1 where it does not. */
function findClosingQuote(argv: readonly string[], from: number): number {
  const length = argv.slice(from + 1).findIndex((word) => closingQuote.test(word) || !nonFlagWord.test(word));
  return length !== -1 && closingQuote.test(argv[from + 1 + length] ?? "") ? from + 1 + length : -1;
}
