// What was typed -> an invocation, and nothing more. The tree says which command is meant; parser.ts reads the flags.
import type { CommandSpec, Flag, Invocation } from "../commands/command.ts";
import type { Flags } from "../context.ts";
import { CalError, type Problem, usageError } from "../errors.ts";
import type { Format } from "../output/report.ts";
import { type CommandTree, type LookupResult, lookupCommand } from "./command-lookup.ts";
import { type CompletionLine, completionCommand, parseCompletionLine } from "./completion/words.ts";
import { getFlagValues, type ParsedArguments, type ParsedFlag } from "./flags.ts";
import { applyImpliedFlags, globalFlags, validateOutputFlags } from "./global-flags.ts";
import { createFilterAdvice, formatUnknownFlags, suggestRangeFlag } from "./suggestions.ts";

/** A command, and what was typed for it. */
export interface ParsedCommand {
  readonly kind: "command";
  readonly spec: CommandSpec;
  readonly invocation: Invocation;
  readonly globals: Flags;
}

/** What the command line asks for. */
type ParseResult = ParsedCommand | { readonly kind: "text"; readonly text: string };

/** The flags that ask for something else than the command itself. */
const helpAndVersionFlags: readonly Flag[] = [
  { name: "help", short: "h", type: "boolean", meaning: "Print help" },
  { name: "version", short: "V", type: "boolean", meaning: "Print the version" },
];

/** The marks that some editors and pages make of quotes. */
const curlyQuotes = /[“„«‘]/;

const commonFlags: readonly Flag[] = [...globalFlags, ...helpAndVersionFlags];

/** Parses the arguments after the program's name. Rejects with a usage error that tells all that is wrong. */
export async function parseCommandLine(argv: readonly string[], tree: CommandTree, version: string): Promise<ParseResult> {
  // An alias may have flags of its own before it.
  const pressed = argv.indexOf(completionCommand);
  if (pressed === 0 || (pressed > 0 && argv[0]?.startsWith("-")))
    return createCompletionCommand(argv.slice(0, pressed), parseCompletionLine(argv.slice(pressed + 1)), tree);
  const front = await parseArguments(argv, commonFlags, "");
  const place = lookupCommand(tree, front.operands);
  if (place.kind === "nowhere") throw await createUnknownCommandError(tree, place.problem, argv, front.operands);
  const reading =
    place.kind === "command" ? await parseArguments(argv, [...commonFlags, ...place.spec.flags], place.spec.path.join(" ")) : front;
  const asked = (name: string) => reading.parsedFlags.some(({ flag }) => flag.name === name);
  if (asked("version")) return { kind: "text", text: `${version}\n` };
  if (asked("help")) return createHelpCommand(tree, place, reading);
  if (place.kind === "command") return createInvocation(tree, place.spec, reading, argv);
  if (reading.unknown.length > 0) throw createMissingCommandError(place, argv, reading);
  return createHelpCommand(tree, place, reading, place.kind === "whole" ? { short: true } : {});
}

/** Reads the words. Where no flag is typed but --help, the parser is not needed, which takes as long to load as a page of the help. */
async function parseArguments(argv: readonly string[], flags: readonly Flag[], path: string): Promise<ParsedArguments> {
  const help = flags.find(({ name }) => name === "help");
  const asks = (word: string) => help !== undefined && (word === "--help" || word === "-h");
  if (argv.some((word) => word.startsWith("-") && !asks(word))) return (await import("./parser.ts")).parseFlags(argv, flags, path);
  const parsedFlags = argv.flatMap((word) => (help !== undefined && asks(word) ? [{ flag: help, value: true }] : []));
  return { parsedFlags, operands: argv.filter((word) => !asks(word)), unknown: [] };
}

async function createInvocation(
  tree: CommandTree,
  spec: CommandSpec,
  { parsedFlags, operands, unknown }: ParsedArguments,
  argv: readonly string[],
): Promise<ParseResult> {
  const straight = curlyQuotes.test(argv.join(" ")) ? (await import("./suggestions.ts")).straightenQuotes(argv) : undefined;
  if (straight !== undefined) throw usageError("curly quotes are no quotes to a shell; type straight ones", straight);
  const problems: (string | Problem)[] = formatUnknownFlags(unknown, [...commonFlags, ...spec.flags], createFilterAdvice(tree, spec));
  const args = operands.slice(spec.path.length);
  // An unknown flag may have swallowed words, so that nothing is said of their number.
  if (problems.length === 0) problems.push(...(await validateArguments(spec, args, argv)));
  const isGlobal = ({ flag }: ParsedFlag) => globalFlags.includes(flag);
  const globals = applyImpliedFlags(getFlagValues(parsedFlags.filter(isGlobal), problems));
  problems.push(...validateOutputFlags(globals));
  const flags = getFlagValues(
    parsedFlags.filter((one) => !isGlobal(one)),
    problems,
  );
  if (problems.length > 0 && spec.reportsProblems !== true)
    throw usageError(problems, { text: "see", command: `cal ${spec.path.join(" ")} --help` });
  return { kind: "command", spec, globals, invocation: { args, flags, problems } };
}

async function validateArguments(
  { args, flags }: CommandSpec,
  given: readonly string[],
  argv: readonly string[],
): Promise<readonly (string | Problem)[]> {
  const missing = args.slice(given.length).filter(({ required }) => required === true);
  const surplus = args.some(({ many }) => many === true) ? [] : given.slice(args.length);
  const lacking = missing.map(({ name, meaning }) => `<${name}> is missing: ${meaning}`);
  if (surplus.length === 0) return lacking;
  const { formatSurplusWords, findSurplusWords } = await import("./suggestions.ts");
  const advice = (word: string) => suggestRangeFlag(word, flags);
  return [...lacking, ...findSurplusWords(argv, surplus, [...commonFlags, ...flags]).map((stray) => formatSurplusWords(stray, advice))];
}

/** Words that are no command. Where what was meant by them is known, the hint is the whole line. */
async function createUnknownCommandError(
  tree: CommandTree,
  problem: string,
  argv: readonly string[],
  operands: readonly string[],
): Promise<CalError> {
  const old = getUnixCalHint(argv);
  if (old !== undefined) return usageError(problem, old);
  const { suggestLine } = await import("./suggestions.ts");
  const meant = suggestLine(tree, operands, argv, problem.includes("; did you mean "));
  if (meant === undefined) return usageError(problem, { text: "all commands", command: "cal help" });
  return usageError(meant.isReordered ? `unknown command ${JSON.stringify(operands.slice(0, 2).join(" "))}` : problem, meant.line);
}

/** Flags without the command that they belong to. */
function createMissingCommandError(place: LookupResult, argv: readonly string[], { unknown }: ParsedArguments): CalError {
  if (place.kind === "group")
    return usageError(`cal ${place.group.name} needs its command before the flags`, {
      text: "see",
      command: `cal ${place.group.name} --help`,
    });
  return usageError(formatUnknownFlags(unknown, commonFlags), getUnixCalHint(argv) ?? "see: cal help");
}

/** The page of a place, as `cal help` shows it. */
function createHelpCommand(tree: CommandTree, place: LookupResult, { parsedFlags }: ParsedArguments, flags: Flags = {}): ParseResult {
  const [spec] = tree.findByFirstWord("help");
  if (spec === undefined) throw new CalError("internal", "the tree has no help");
  const args = place.kind === "command" ? place.spec.path : place.kind === "group" ? [place.group.name] : [];
  return { kind: "command", spec, globals: getGlobalFlagValues(parsedFlags), invocation: { args, flags, problems: [] } };
}

/** The global flags of what prints no data: those that shape data are passed over. */
function getGlobalFlagValues(typed: readonly ParsedFlag[]): Flags {
  return getFlagValues(
    typed.filter(({ flag }) => globalFlags.includes(flag) && !isFormatSpecific(flag.name)),
    [],
  );
}

/** What a shell asks on the Tab key. The flags that say which site are heeded; nothing may be asked, told or waited for. */
async function createCompletionCommand(before: readonly string[], asked: CompletionLine, tree: CommandTree): Promise<ParseResult> {
  const line = { ...asked, words: [...before, ...asked.words] };
  let typed: Flags = {};
  try {
    typed = getGlobalFlagValues((await parseArguments(line.words, globalFlags, "")).parsedFlags);
  } catch {
    // A value is still missing: that is why the key was pressed.
  }
  const spec: CommandSpec = {
    path: [completionCommand],
    summary: "Answer a shell",
    args: [],
    flags: [],
    examples: [],
    load: async () => (await import("./completion/complete.ts")).createCompletionHandler(tree, line),
  };
  return {
    kind: "command",
    spec,
    globals: { ...typed, timeout: "1s", retries: "0", "no-input": true, quiet: true, debug: false },
    invocation: { args: [], flags: {}, problems: [] },
  };
}

/** `cal 12 2026` and `cal -3` mean the month printer of Unix. */
function getUnixCalHint(argv: readonly string[]): string | undefined {
  const old = argv.length > 0 && argv.every((word) => /^(-[0-9a-zA-Z]|\d{1,4})$/.test(word));
  return old
    ? "this cal manages an events calendar, and is also installed as calctl; the month printer of Unix is `ncal`, or its cal by the full path"
    : undefined;
}

// Flags that shape the data, and the formats that have a use for them: what was typed is never silently without effect.

/** What --wide and --no-header ask for holds in all formats: those in which they change nothing cut nothing and have no header. */
const formatSpecificFlags: Readonly<Record<string, { readonly formats: readonly Format[]; readonly instead: string }>> = {
  columns: { formats: ["table", "tsv", "csv"], instead: "--fields chooses in every format" },
  excel: { formats: ["csv"], instead: "for a spreadsheet: --format csv --excel" },
  envelope: { formats: ["json", "yaml"], instead: "what is known of a list: --json --envelope" },
};

/** Whether a flag is one of them. */
export function isFormatSpecific(name: string): boolean {
  return Object.hasOwn(formatSpecificFlags, name);
}

/** What is wrong with those that were typed. */
export function validateFormatFlags(flags: Flags, format: Format): readonly string[] {
  return Object.entries(formatSpecificFlags).flatMap(([name, { formats, instead }]) => {
    if (flags[name] === undefined) return [];
    if (flags["field"] !== undefined) return [`--${name} and --field exclude each other`];
    return formats.includes(format) ? [] : [`--${name} is for ${formatWordList(formats)}, not for ${format}; ${instead}`];
  });
}

function formatWordList(words: readonly string[]): string {
  return words.length === 1 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
