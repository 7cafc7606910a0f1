// The command line as a whole: which command it calls, with which invocation. All problems are in one usage error.
import type { CommandSpec, Flag, Invocation } from "../commands/command.ts";
import type { Flags } from "../context.ts";
import { CalError, type Hint, type Problem, usageError } from "../errors.ts";
import { type CommandTree, type LookupResult, lookupCommand } from "./command-lookup.ts";
import { type CompletionLine, completionCommand, parseCompletionLine } from "./completion/words.ts";
import { applyImpliedFlags, globalFlags, isFormatSpecific, validateOutputFlags, withoutOwn } from "./global-flags.ts";
import { type ParsedWords, parseWords } from "./parser.ts";

/** A command and how it is called. */
export interface ParsedCommand {
  readonly kind: "command";
  readonly spec: CommandSpec;
  readonly invocation: Invocation;
  readonly globals: Flags;
}

type ParseResult = ParsedCommand | { readonly kind: "text"; readonly text: string };

const commonFlags: readonly Flag[] = [
  ...globalFlags,
  { name: "help", short: "h", type: "boolean", meaning: "Print help" },
  { name: "version", short: "V", type: "boolean", meaning: "Print the version" },
];

/** Parses the arguments after the program's name. Rejects with a usage error that lists all problems. */
export async function parseCommandLine(argv: readonly string[], tree: CommandTree, version: string): Promise<ParseResult> {
  // A shell alias of the program can put flags before the word.
  const completionAt = argv.indexOf(completionCommand);
  if (completionAt === 0 || (completionAt > 0 && argv[0]?.startsWith("-"))) {
    const line = parseCompletionLine(argv.slice(completionAt + 1));
    return createCompletionCommand({ ...line, words: [...argv.slice(0, completionAt), ...line.words] }, tree);
  }
  // First with the flags of every command, to find the command; then with its own flags, which can take any word as their value.
  const front = await parseWords(argv, commonFlags);
  checkComplete(front, []);
  const found = lookupCommand(tree, front.operands);
  if (found.kind === "unknown") throw await createUnknownCommandError(tree, found, argv, front.operands);
  const parsed =
    found.kind === "command" ? await parseWords(argv, [...withoutOwn(commonFlags, found.spec.flags), ...found.spec.flags]) : front;
  if (found.kind === "command") checkComplete(parsed, found.spec.path);

  if (parsed.values["version"] === true) return { kind: "text", text: `${version}\n` };
  if (parsed.values["help"] === true) return createHelpCommand(tree, found, parsed);
  if (found.kind === "command") return createInvocation(tree, found.spec, parsed, argv);
  if (parsed.unknown.length === 0) return createHelpCommand(tree, found, parsed, found.kind === "root" ? { short: true } : {});
  if (found.kind === "group")
    throw usageError(`cal ${found.group.name} needs its command before the flags`, hintAtHelp([found.group.name]));
  const { formatUnknownFlags } = await import("./suggestions.ts");
  throw usageError(formatUnknownFlags(parsed.unknown, commonFlags), getUnixCalHint(argv) ?? { text: "see", command: "cal help" });
}

/** Quotes that a word processor makes. */
const curlyQuotes = /[“”„«»‘’]/;

function checkComplete({ incomplete }: ParsedWords, path: readonly string[]): void {
  if (incomplete !== undefined) throw usageError(`--${incomplete.name} needs a value`, hintAtHelp(path));
}

function hintAtHelp(path: readonly string[]): Hint {
  return { text: "see", command: ["cal", ...path, "--help"].join(" ") };
}

async function createInvocation(
  tree: CommandTree,
  spec: CommandSpec,
  parsed: ParsedWords,
  argv: readonly string[],
): Promise<ParsedCommand> {
  if (spec.insteadWithout !== undefined && parsed.values[spec.insteadWithout.flag] === undefined)
    throw await createMissingFlagError(spec, spec.insteadWithout, parsed.operands, argv);
  const flags = [...withoutOwn(commonFlags, spec.flags), ...spec.flags];
  const args = parsed.operands.slice(spec.path.length);
  const surplus = spec.args.some(({ many }) => many === true) ? [] : args.slice(spec.args.length);
  const problems: (string | Problem)[] = [];
  if (parsed.unknown.length > 0 || surplus.length > 0 || argv.some((word) => curlyQuotes.test(word))) {
    const { formatSurplusWords, formatUnknownFlags, straightenQuotes } = await import("./suggestions.ts");
    const straightened = straightenQuotes(argv);
    if (straightened !== undefined) throw usageError("a shell does not accept curly quotes; type straight ones", { command: straightened });
    problems.push(...formatUnknownFlags(parsed.unknown, flags, { tree, spec }));
    // An unknown flag can hide words, so the number of arguments is not checked then.
    if (problems.length === 0) problems.push(...formatSurplusWords(surplus, argv, flags));
  }
  if (parsed.unknown.length === 0) {
    const missing = spec.args.slice(args.length).filter(({ required }) => required === true);
    problems.unshift(...missing.map(({ name, meaning }) => `<${name}> is missing: ${meaning}`));
  }
  const globals = applyImpliedFlags(getGlobals(parsed));
  problems.push(...parsed.problems, ...validateOutputFlags(globals));
  if (problems.length > 0 && spec.reportsProblems !== true) throw usageError(problems, hintAtHelp(spec.path));
  const own = Object.fromEntries(Object.entries(parsed.values).filter(([name]) => spec.flags.some((flag) => flag.name === name)));
  return { kind: "command", spec, globals, invocation: { args, flags: own, problems } };
}

async function createMissingFlagError(
  { path, summary }: CommandSpec,
  { flag, verb }: NonNullable<CommandSpec["insteadWithout"]>,
  operands: readonly string[],
  argv: readonly string[],
): Promise<CalError> {
  const { formatOtherVerb } = await import("./suggestions.ts");
  return usageError(`${path.join(" ")} needs --${flag}: ${summary}`, [
    { text: "within one site", command: formatOtherVerb(path, verb, operands, argv) },
    { text: "see", command: ["cal", ...path, "--help"].join(" ") },
  ]);
}

function getGlobals({ values }: ParsedWords): Flags {
  return Object.fromEntries(Object.entries(values).filter(([name]) => globalFlags.some((flag) => flag.name === name)));
}

/** The global flags for a command that prints no data: the flags that only some formats allow are ignored. */
function getGlobalsWithoutFormat(parsed: ParsedWords): Flags {
  return Object.fromEntries(Object.entries(getGlobals(parsed)).filter(([name]) => !isFormatSpecific(name)));
}

/** The help page of a command or a group, as `cal help` prints it. */
function createHelpCommand(tree: CommandTree, found: LookupResult, parsed: ParsedWords, flags: Flags = {}): ParsedCommand {
  const [spec] = tree.findByFirstWord("help");
  if (spec === undefined) throw new CalError("internal", "the tree has no help");
  const args = found.kind === "command" ? found.spec.path : found.kind === "group" ? [found.group.name] : [];
  return { kind: "command", spec, globals: getGlobalsWithoutFormat(parsed), invocation: { args, flags, problems: [] } };
}

/** The hidden command behind the Tab key. It uses the flags that choose the site, and must not ask, print or wait. */
async function createCompletionCommand(line: CompletionLine, tree: CommandTree): Promise<ParsedCommand> {
  const globals = getGlobalsWithoutFormat(await parseWords(line.words, globalFlags));
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
    globals: { ...globals, timeout: "1s", retries: "0", "no-input": true, quiet: true, debug: false },
    invocation: { args: [], flags: {}, problems: [] },
  };
}

/** An error for words that are no command. Where the intended command is known, the hint is the whole line. */
async function createUnknownCommandError(
  tree: CommandTree,
  { problem, hasSuggestion }: Extract<LookupResult, { kind: "unknown" }>,
  argv: readonly string[],
  operands: readonly string[],
): Promise<CalError> {
  const unixCalHint = getUnixCalHint(argv);
  if (unixCalHint !== undefined) return usageError(problem, unixCalHint);
  const { suggestLine } = await import("./suggestions.ts");
  const suggested = suggestLine(tree, operands, argv, hasSuggestion);
  if (suggested === undefined) return usageError(problem, { text: "all commands", command: "cal help" });
  return usageError(
    suggested.isReordered ? `unknown command ${JSON.stringify(operands.slice(0, 2).join(" "))}` : problem,
    suggested.lines.map((command, at) => (at === 0 ? { command } : { text: "or", command })),
  );
}

/** `cal 12 2026` and `cal -3` are lines for the Unix program that prints a month. */
function getUnixCalHint(argv: readonly string[]): string | undefined {
  const isUnixCal = argv.length > 0 && argv.every((word) => /^(-[0-9a-zA-Z]|\d{1,4})$/.test(word));
  return isUnixCal
    ? "this cal manages an events calendar, and is also installed as calctl; the month printer of Unix is `ncal`, or its cal by the full path"
    : undefined;
}
