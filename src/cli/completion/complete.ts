// The answer to a shell on the Tab key: candidates for the word at the cursor. Never an error, never a question.
import { type Argument, type CommandSpec, type Flag, getFlagNames, type Handler } from "../../commands/command.ts";
import { findSettingDefinition, settingDefinitions } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import { namespaces, resources } from "../../model/resources.ts";
import { normalizeText } from "../../text.ts";
import { type CommandTree, findGroup, getGroupCommands, getSingleWordCommands, lookupCommand } from "../command-lookup.ts";
import { globalFlags, withoutOwn } from "../global-flags.ts";
import { topics } from "../help-topics.ts";
import { parseWords } from "../parser.ts";
import type { CompletionEntry } from "./value-cache.ts";
import { type CompletionLine, shells } from "./words.ts";

/** A word to offer, and its description. */
interface Candidate {
  readonly text: string;
  readonly means: string;
}

/**
 * The handler of the hidden command that the scripts call. It prints lines: first `words`, `open` (words after which no space goes)
 * or `files` with a tab and the text before a file's name; then the candidates, each with a tab and its description where the shell
 * shows descriptions; then an empty line, which ends the answer.
 */
export function createCompletionHandler(tree: CommandTree, line: CompletionLine): Handler {
  return async (_invocation, context) => {
    const answer = await completeLine(tree, line, context).catch(() => ["words"]);
    await context.io.stdout.write(`${[...answer, "", ""].join("\n")}`);
    return { kind: "nothing" };
  };
}

async function completeLine(tree: CommandTree, line: CompletionLine, context: Context): Promise<readonly string[]> {
  const position = await findCursorPosition(tree, line.words, line.current);
  const { before, rest } = position.at === "value" ? position : { before: "", rest: line.current };
  const source = getCandidateSource(tree, position);
  if (source.from === "files") return [`files\t${before}${rest.startsWith("@") ? "@" : ""}`];
  const list = "isList" in source && source.isList === true ? rest.slice(0, rest.lastIndexOf(",") + 1) : "";
  const word = rest.slice(list.length);
  const candidates = filterCandidates(await loadCandidates(source, word, context), word).filter(
    ({ text }) => list === "" || !text.includes(","),
  );
  const lines = candidates.map(({ text, means }) => {
    const inserted = line.escapeCandidate(`${before}${list}${text}`);
    return line.showsDescriptions && means !== "" ? `${inserted}\t${means}` : inserted;
  });
  return [source.from === "words" && source.noSpace === true ? "open" : "words", ...lines];
}

/** The candidates that begin with the word; upper and lower case count only where some do. None twice, and none with control characters. */
function filterCandidates(candidates: readonly Candidate[], word: string): readonly Candidate[] {
  const unique = [...new Map(candidates.map((one) => [one.text, one])).values()].filter(({ text, means }) => !/\p{Cc}/u.test(text + means));
  const exact = unique.filter(({ text }) => text.startsWith(word));
  return exact.length > 0 ? exact : unique.filter(({ text }) => text.toLowerCase().startsWith(word.toLowerCase()));
}

// The position of the cursor.

/** What is expected at the cursor. `rest` is the part of the word that candidates must match, `before` the part before it. */
type CursorPosition =
  | { readonly at: "word"; readonly candidates: readonly Candidate[] }
  | { readonly at: "flag"; readonly flags: readonly Flag[] }
  | { readonly at: "value"; readonly flag: Flag; readonly spec: CommandSpec | undefined; readonly before: string; readonly rest: string }
  | { readonly at: "argument"; readonly argument: Argument; readonly spec: CommandSpec; readonly args: readonly string[] };

/** Parses the words before the cursor; unknown flags among them are ignored. */
async function findCursorPosition(tree: CommandTree, words: readonly string[], current: string): Promise<CursorPosition> {
  const front = getOperands(await parseWords(words, globalFlags));
  const found = lookupCommand(tree, front);
  const spec = found.kind === "command" ? found.spec : undefined;
  const own = spec?.flags ?? [];
  const flags = [...own, ...withoutOwn(globalFlags, own)];
  const parsed = await parseWords(words, flags);
  if (parsed.incomplete !== undefined) return { at: "value", flag: parsed.incomplete.flag, spec, before: "", rest: current };
  const unused = (flag: Flag) => parsed.values[flag.name] === undefined;
  if (current.startsWith("-") && !words.includes("--")) {
    const [before = "", name] = /^--([^=]+)=/.exec(current) ?? [];
    const flag = flags.find((one) => name !== undefined && getFlagNames(one).includes(name));
    if (flag !== undefined) return { at: "value", flag, spec, before, rest: current.slice(before.length) };
    return { at: "flag", flags: flags.filter((one) => one.type === "texts" || unused(one)) };
  }
  if (spec === undefined) return { at: "word", candidates: getCommandCandidates(tree, front[0]) };
  const args = getOperands(parsed).slice(spec.path.length);
  const argument = spec.args[args.length] ?? spec.args.findLast(({ many }) => many === true);
  return argument === undefined ? { at: "flag", flags: spec.flags.filter(unused) } : { at: "argument", argument, spec, args };
}

function getOperands({ operands, unknown }: Awaited<ReturnType<typeof parseWords>>): readonly string[] {
  return [...operands, ...unknown.filter((word) => !word.startsWith("-"))];
}

/** The first words of commands, or the second words after the name of a group. */
function getCommandCandidates(tree: CommandTree, first: string | undefined): readonly Candidate[] {
  const group = first === undefined ? undefined : findGroup(tree, first);
  const toCandidates = (specs: readonly CommandSpec[]) => specs.map(({ path, summary }) => ({ text: path.at(-1) ?? "", means: summary }));
  if (group !== undefined) return toCandidates(getGroupCommands(tree, group));
  if (first !== undefined) return [];
  return [...tree.groups.map(({ name, summary }) => ({ text: name, means: summary })), ...toCandidates(getSingleWordCommands(tree))];
}

// Where candidates come from.

/** A source of candidates. The shell itself completes `files`. In a list, words are joined by commas. */
type CandidateSource =
  | { readonly from: "words"; readonly candidates: readonly Candidate[]; readonly isList?: boolean; readonly noSpace?: true }
  | { readonly from: "files" }
  | { readonly from: "profiles" }
  | { readonly from: "operations" }
  | { readonly from: "records"; readonly resource: Resource; readonly as: "ref" | "value"; readonly isList?: boolean };

const dayWords = ["today", "tomorrow", "yesterday", "mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The words for dates that are offered; other forms of dates are not. */
export const dateWords = [...dayWords, "weekend", "next-weekend", "this-week", "next-week", "this-month", "next-month"] as const;

/** By the name of the flag, on any command. */
const sourceByFlagName: Readonly<Record<string, (resource: Resource | undefined) => CandidateSource>> = {
  profile: () => ({ from: "profiles" }),
  namespace: () => createWordSource(Object.values(namespaces)),
  fields: (resource) => ({ ...createFieldNameSource(resource), isList: true }),
  field: createFieldNameSource,
  clear: (resource) => ({ ...createWordSource((resource?.fields ?? []).map(({ name }) => name)), isList: true }),
  set: createAssignmentSource,
  "set-json": createAssignmentSource,
  into: (resource) => (resource === undefined ? createWordSource([]) : { from: "records", resource, as: "ref" }),
};

/** By the name of the value in the help. */
const sourceByValueName: Readonly<Record<string, () => CandidateSource>> = {
  zone: () => createWordSource(Intl.supportedValuesOf("timeZone")),
  date: () => createWordSource(dateWords),
  file: () => ({ from: "files" }),
  "@file": () => ({ from: "files" }),
  profile: () => ({ from: "profiles" }),
};

const wordsByArgumentName: Readonly<Record<string, readonly string[]>> = {
  shell: shells,
  method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  path: Object.keys(resources),
  date: dateWords,
  from: dateWords,
  to: dateWords,
  expression: dateWords,
  month: ["this-month", "next-month", "last-month"],
};

function getCandidateSource(tree: CommandTree, position: CursorPosition): CandidateSource {
  switch (position.at) {
    case "word":
      return { from: "words", candidates: position.candidates };
    case "flag":
      return { from: "words", candidates: position.flags.flatMap(createFlagCandidates) };
    case "value":
      return getFlagValueSource(position.flag, position.spec);
    case "argument":
      return getArgumentSource(tree, position.argument, position.spec, position.args);
  }
}

function createFlagCandidates({ name, meaning, negatable }: Flag): readonly Candidate[] {
  return [{ text: `--${name}`, means: meaning }, ...(negatable === true ? [{ text: `--no-${name}`, means: `Not: ${meaning}` }] : [])];
}

function getFlagValueSource(flag: Flag, spec: CommandSpec | undefined): CandidateSource {
  if (flag.choices !== undefined) return { ...createWordSource(flag.choices), isList: flag.commaSeparated === true };
  const resource = findResource(spec);
  const field = findFieldForFlag(resource, spec, flag.name);
  if (field?.refersTo !== undefined)
    return { from: "records", resource: resources[field.refersTo], as: "value", isList: field.type === "integers" };
  return sourceByFlagName[flag.name]?.(resource) ?? sourceByValueName[flag.value ?? ""]?.() ?? createWordSource([]);
}

function getArgumentSource(tree: CommandTree, { name }: Argument, spec: CommandSpec, args: readonly string[]): CandidateSource {
  const resource = findResource(spec);
  const [first = "", second] = spec.path;
  const commands = args.length > 1 ? [] : getCommandCandidates(tree, args[0]);
  if (name === "ref" && resource !== undefined) return { from: "records", resource, as: "ref" };
  if (name === "name" && first === "profile" && second !== "add") return { from: "profiles" };
  if (name === "operation") return { from: "operations" };
  if (name === "show") return createWordSource(["show"]);
  if (name === "file") return { from: "files" };
  if (name === "key") {
    const stored = settingDefinitions.filter(({ scope }) => scope !== "never");
    return { from: "words", candidates: stored.map((setting) => ({ text: setting.name, means: setting.meaning })) };
  }
  if (name === "value" && first === "config") return createSettingValueSource(args[0] ?? "");
  if (name === "command") return { from: "words", candidates: commands };
  if (name === "topic") {
    const topicCandidates = args.length > 0 ? [] : topics.map((topic) => ({ text: topic.name, means: topic.summary }));
    return { from: "words", candidates: [...topicCandidates, ...commands] };
  }
  return createWordSource(wordsByArgumentName[name] ?? []);
}

/** Operations that are offered: the newest ones. */
const maxOperations = 50;

function createWordSource(texts: readonly string[]): Extract<CandidateSource, { from: "words" }> {
  return { from: "words", candidates: texts.map((text) => ({ text, means: "" })) };
}

function createSettingValueSource(name: string): CandidateSource {
  const setting = findSettingDefinition(name);
  if (setting?.type === "zone") return createWordSource(Intl.supportedValuesOf("timeZone"));
  return createWordSource(setting?.choices ?? (setting?.type === "boolean" ? ["true", "false"] : []));
}

function createFieldNameSource(resource: Resource | undefined): Extract<CandidateSource, { from: "words" }> {
  const writable = (resource?.fields ?? []).map(({ name, meaning }) => ({ text: name, means: meaning }));
  return { from: "words", candidates: [...writable, ...(resource?.readOnlyFields ?? []).map((text) => ({ text, means: "" }))] };
}

function createAssignmentSource(resource: Resource | undefined): CandidateSource {
  const candidates = (resource?.fields ?? []).map(({ name, meaning }) => ({ text: `${name}=`, means: meaning }));
  return { from: "words", candidates, noSpace: true };
}

function findResource(spec: CommandSpec | undefined): Resource | undefined {
  return Object.values(resources).find(({ name }) => name === spec?.path[0]);
}

/** The field or filter of a flag. Commands without a resource, such as `cal month`, filter events. */
function findFieldForFlag(resource: Resource | undefined, spec: CommandSpec | undefined, flag: string): Field | undefined {
  const isList = resource === undefined || spec?.path[1] === "list";
  const fields = isList ? (resource ?? resources.events).filters : resource.fields;
  const fieldFlag = flag.replace(/^(?:add|remove)-/, "");
  return fields.find((field) => getFieldFlagName(field) === fieldFlag);
}

async function loadCandidates(
  source: Exclude<CandidateSource, { from: "files" }>,
  word: string,
  context: Context,
): Promise<readonly Candidate[]> {
  if (source.from === "words") return source.candidates;
  if (source.from === "records") {
    const { getCompletionEntries } = await import("./value-cache.ts");
    return createRecordCandidates(await getCompletionEntries(source.resource, context), source.as, word);
  }
  if (source.from === "operations") {
    const { listJournals, readHeader } = await import("../../changes/history.ts");
    const newest = listJournals(context.folders.state).slice(0, maxOperations);
    return Promise.all(newest.map(async (entry) => ({ text: entry.operation, means: (await readHeader(entry))?.command ?? "" })));
  }
  const { profiles } = await (await context.configFile()).read();
  return Object.entries(profiles).map(([text, profile]) => ({ text, means: String(profile["base_url"] ?? "") }));
}

/**
 * A `ref` is completed to the slug of a record, the `value` of a flag to its name where no other record has it, else to its id.
 * After digits or `id:`, `slug:` and `name:` the word says what is wanted. `name:` also offers a name of several records, because
 * at a terminal the user can choose one of them.
 */
function createRecordCandidates(entries: readonly CompletionEntry[], as: "ref" | "value", word: string): readonly Candidate[] {
  const describe = ({ name, when }: CompletionEntry) => (when === undefined ? name : `${name}, ${when}`);
  const ids = entries.map((entry) => ({ text: entry.id, means: describe(entry) }));
  if (word.startsWith("id:")) return ids.map(({ text, means }) => ({ text: `id:${text}`, means }));
  if (word.startsWith("slug:"))
    return entries.flatMap((entry) => (entry.slug === "" ? [] : [{ text: `slug:${entry.slug}`, means: describe(entry) }]));
  const idsForDigits = /^\d+$/.test(word) ? ids : [];
  if (as === "ref" && !word.startsWith("name:"))
    return [...idsForDigits, ...entries.map((entry) => ({ text: entry.ref, means: describe(entry) }))];

  const byName = new Map<string, readonly CompletionEntry[]>();
  const normalize = (name: string) => normalizeText(name, "NFKC").toLowerCase();
  for (const entry of entries) byName.set(normalize(entry.name), [...(byName.get(normalize(entry.name)) ?? []), entry]);
  byName.delete("");
  if (word.startsWith("name:"))
    return [...byName.values()].map((group) => ({
      text: `name:${group[0]?.name}`,
      means: group.length === 1 ? (group[0]?.id ?? "") : `${group.length} of this name`,
    }));
  const named = entries.map((entry) => {
    const { id, name } = entry;
    if (byName.get(normalize(name))?.length !== 1) return { text: id, means: describe(entry) };
    // Without `name:` these would be an id, another kind of ref, or stdin.
    return { text: /^\d+$|^(?:id|slug|name):|^-/.test(name) ? `name:${name}` : name, means: id };
  });
  return [...idsForDigits, ...named];
}
