// What can be offered for the value of a flag or for an argument: words that are known here, or where they are to be looked for.
import type { Argument, CommandSpec, Flag } from "../../commands/command.ts";
import { findSettingDefinition, settingDefinitions } from "../../config/settings.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import { namespaces, resources } from "../../model/resources.ts";
import { type CommandTree, findGroup, findSingleWordCommand, getGroupCommands, getSingleWordCommands } from "../command-lookup.ts";
import { getFlagNames } from "../flags.ts";
import { globalFlags } from "../global-flags.ts";
import { topics } from "../help-topics.ts";
import type { CompletionEntry } from "./value-cache.ts";
import { shells } from "./words.ts";

/** Where the candidates come from. `files` is left to the shell. */
export type CandidateSource =
  | { readonly from: "words"; readonly candidates: readonly Candidate[]; readonly list?: true; readonly noSpace?: true }
  | { readonly from: "files" }
  | { readonly from: "profiles" }
  | { readonly from: "records"; readonly resource: Resource; readonly as: "ref" | "value"; readonly list?: true };

/** Words of the date grammar that are offered; a day can also be typed. */
export const dateWords = [
  "today",
  "tomorrow",
  "yesterday",
  "mon",
  "tue",
  "wed",
  "thu",
  "fri",
  "sat",
  "sun",
  "this-week",
  "next-week",
  "this-month",
  "next-month",
] as const;

const noCandidates: CandidateSource = createWordSource([]);

/** What a flag of this name takes, on any command. */
const sourceByFlagName: Readonly<Record<string, (resource: Resource | undefined) => CandidateSource>> = {
  profile: () => ({ from: "profiles" }),
  namespace: () => createWordSource(Object.values(namespaces)),
  fields: (resource) => ({ ...createFieldNameSource(resource), list: true }),
  columns: (resource) => ({ ...createFieldNameSource(resource), list: true }),
  field: createFieldNameSource,
  clear: (resource) => ({ ...createWordSource((resource?.fields ?? []).map(({ name }) => name)), list: true }),
  set: createAssignmentSource,
  "set-json": createAssignmentSource,
};

/** What a flag takes whose value the help calls so. */
const sourceByValueName: Readonly<Record<string, () => CandidateSource>> = {
  zone: () => createWordSource(Intl.supportedValuesOf("timeZone")),
  date: () => createWordSource(dateWords),
  file: () => ({ from: "files" }),
  "@file": () => ({ from: "files" }),
};

/** What an argument of this name takes. */
const wordsByArgument: Readonly<Record<string, readonly string[]>> = {
  shell: shells,
  method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  path: Object.keys(resources),
  date: dateWords,
  expression: dateWords,
  month: ["this-month", "next-month", "last-month"],
};

/** The offer for a flag's value. */
export function getFlagCandidateSource({ flag, spec }: Extract<CursorPosition, { at: "value" }>): CandidateSource {
  const resource = findResource(spec);
  const field = findFieldForFlag(resource, spec, flag.name);
  if (flag.choices !== undefined) return { ...createWordSource(flag.choices), ...(flag.commaSeparated === true ? { list: true } : {}) };
  if (field?.refersTo !== undefined)
    return { from: "records", resource: resources[field.refersTo], as: "value", ...(field.type === "integers" ? { list: true } : {}) };
  return sourceByFlagName[flag.name]?.(resource) ?? sourceByValueName[flag.value ?? ""]?.() ?? noCandidates;
}

/** The offer for an argument. */
export function getArgumentCandidateSource(
  tree: CommandTree,
  { argument, spec, args }: Extract<CursorPosition, { at: "argument" }>,
): CandidateSource {
  const resource = findResource(spec);
  if (argument.name === "ref" && resource !== undefined) return { from: "records", resource, as: "ref" };
  const [first = "", second] = spec.path;
  switch (argument.name) {
    case "name":
      return first === "profile" && second !== "add" ? { from: "profiles" } : noCandidates;
    case "key":
      return {
        from: "words",
        candidates: settingDefinitions
          .filter(({ scope }) => scope !== "never")
          .map(({ name, meaning }) => ({ text: name, means: meaning })),
      };
    case "value":
      return first === "config" ? createSettingValueSource(args[0] ?? "") : noCandidates;
    case "topic":
      return {
        from: "words",
        candidates: [
          ...(args.length === 0 ? topics.map(({ name, summary }) => ({ text: name, means: summary })) : []),
          ...getNextCommandCandidates(tree, args),
        ],
      };
    case "command":
      return { from: "words", candidates: getNextCommandCandidates(tree, args) };
    default:
      return createWordSource(wordsByArgument[argument.name] ?? []);
  }
}

function getNextCommandCandidates(tree: CommandTree, args: readonly string[]): readonly Candidate[] {
  return args.length > 1 ? [] : getCommandCandidates(tree, args[0]);
}

function createSettingValueSource(name: string): CandidateSource {
  const key = findSettingDefinition(name);
  if (key?.type === "zone") return createWordSource(Intl.supportedValuesOf("timeZone"));
  return createWordSource(key?.choices ?? (key?.type === "boolean" ? ["true", "false"] : []));
}

function createWordSource(texts: readonly string[]): Extract<CandidateSource, { from: "words" }> {
  return { from: "words", candidates: texts.map((text) => ({ text, means: "" })) };
}

function createFieldNameSource(resource: Resource | undefined): Extract<CandidateSource, { from: "words" }> {
  const written = (resource?.fields ?? []).map(({ name, meaning }) => ({ text: name, means: meaning }));
  return { from: "words", candidates: [...written, ...(resource?.readOnlyFields ?? []).map((text) => ({ text, means: "" }))] };
}

function createAssignmentSource(resource: Resource | undefined): CandidateSource {
  return {
    from: "words",
    candidates: (resource?.fields ?? []).map(({ name, meaning }) => ({ text: `${name}=`, means: meaning })),
    noSpace: true,
  };
}

function findResource(spec: CommandSpec | undefined): Resource | undefined {
  return Object.values(resources).find(({ name }) => name === spec?.path[0]);
}

/** The field or filter that a flag stands for; commands that are about no resource (`cal month`) filter events. */
function findFieldForFlag(resource: Resource | undefined, spec: CommandSpec | undefined, flag: string): Field | undefined {
  const isList = resource === undefined || spec?.path[1] === "list";
  const fields = isList ? (resource ?? resources.events).filters : resource.fields;
  const own = flag.replace(/^(?:add|remove)-/, "");
  return fields.find((field) => getFieldFlagName(field) === own);
}

// Records as words of a command line: refs that name exactly one, and names in flags.

/**
 * Candidates for the word as far as it is typed. As a `ref` a record is its slug, as a flag's `value` its name where no other has the
 * same, else its id; after digits or `id:`, `slug:` and `name:` what these ask for, a name of several too: at a terminal one of them is chosen.
 */
export function createRecordCandidates(entries: readonly CompletionEntry[], as: "ref" | "value", word: string): readonly Candidate[] {
  const ids = entries.map(({ id, name }) => ({ text: id, means: name }));
  const slugs = entries.filter(({ slug }) => slug !== "").map(({ slug, name }) => ({ text: `slug:${slug}`, means: name }));
  if (word.startsWith("id:")) return ids.map(({ text, means }) => ({ text: `id:${text}`, means }));
  if (word.startsWith("slug:")) return slugs;
  const digits = /^\d+$/.test(word) ? ids : [];
  if (as === "ref" && !word.startsWith("name:")) return [...digits, ...entries.map(({ ref, name }) => ({ text: ref, means: name }))];
  const groups = groupByName(entries);
  if (word.startsWith("name:"))
    return groups.map(([{ id, name }, ...others]) => ({
      text: `name:${name}`,
      means: others.length === 0 ? id : `${others.length + 1} of this name`,
    }));
  const unique = new Set(groups.flatMap(([first, ...others]) => (others.length === 0 ? [first] : [])));
  return [...digits, ...entries.map((entry) => (unique.has(entry) ? createNameCandidate(entry) : { text: entry.id, means: entry.name }))];
}

/** Those with a name, together where they have the same. */
function groupByName(entries: readonly CompletionEntry[]): readonly (readonly [CompletionEntry, ...CompletionEntry[]])[] {
  const groups = new Map<string, [CompletionEntry, ...CompletionEntry[]]>();
  for (const entry of entries.filter(({ name }) => name !== "")) {
    const group = groups.get(normalizeName(entry));
    if (group === undefined) groups.set(normalizeName(entry), [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}

function createNameCandidate({ id, name }: CompletionEntry): Candidate {
  return { text: isUnambiguousName(name) ? name : `name:${name}`, means: id };
}

/** Whether a text is not read as something else: an id, a ref of a kind, or the list on stdin. */
function isUnambiguousName(text: string): boolean {
  return !/^\d+$|^(?:id|slug|name):|^-/.test(text);
}

function normalizeName({ name }: Pick<CompletionEntry, "name">): string {
  return name.normalize("NFKC").toLowerCase();
}

// Which candidates fit what is typed.

/** Those that begin with the word, case aside only where none does otherwise; each text once, nothing that would break a line. */
export function filterCandidates(candidates: readonly Candidate[], word: string): readonly Candidate[] {
  const once = [...new Map(candidates.map((one) => [one.text, one])).values()].filter(({ text, means }) => !/\p{Cc}/u.test(text + means));
  const exact = once.filter(({ text }) => text.startsWith(word));
  if (exact.length > 0) return exact;
  const typed = word.toLowerCase();
  return once.filter(({ text }) => text.toLowerCase().startsWith(typed));
}

// Where the cursor stands in a command line: at a command's word, a flag, a flag's value or an argument.

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
function getCommandCandidates(tree: CommandTree, first: string | undefined): readonly Candidate[] {
  const group = first === undefined ? undefined : findGroup(tree, first);
  const commands = (specs: readonly CommandSpec[]) => specs.map(({ path, summary }) => ({ text: path.at(-1) ?? "", means: summary }));
  if (group !== undefined) return commands(getGroupCommands(tree, group));
  if (first !== undefined) return [];
  return [...tree.groups.map(({ name, summary }) => ({ text: name, means: summary })), ...commands(getSingleWordCommands(tree))];
}

function findFlag(flags: readonly Flag[], word: string): Flag | undefined {
  return flags.find((flag) => word === `-${flag.short}` || getFlagNames(flag).some((name) => word === `--${name}`));
}
