// What was typed -> an invocation, and nothing more. The tree says which command is meant; parser.ts reads the flags.
import type { CommandSpec, Flag, Invocation } from "../commands/command.ts";
import type { Flags } from "../context.ts";
import { CalError, usage } from "../errors.ts";
import { type CompletionLine, completingWord, readLine } from "./completion/line.ts";
import { type Reading, type TypedFlag, valuesOf } from "./flags.ts";
import { globalFlags, viewProblems, withImplied } from "./globals.ts";
import { shapesData } from "./shaping.ts";
import { type Place, placeOf, type Tree } from "./tree/lookup.ts";
import { asRange, unfiltered, unknownFlags } from "./unknown-flags.ts";

/** A command, and what was typed for it. */
export interface ParsedCommand {
  readonly kind: "command";
  readonly spec: CommandSpec;
  readonly invocation: Invocation;
  readonly globals: Flags;
}

/** What the command line asks for. */
export type Parsed = ParsedCommand | { readonly kind: "text"; readonly text: string };

/** The flags that ask for something else than the command itself. */
const ownFlags: readonly Flag[] = [
  { name: "help", short: "h", type: "boolean", meaning: "Print help" },
  { name: "version", short: "V", type: "boolean", meaning: "Print the version" },
];

/** The marks that some editors and pages make of quotes. */
const curly = /[“„«‘]/;

const everywhere: readonly Flag[] = [...globalFlags, ...ownFlags];

/** Parses the arguments after the program's name. Rejects with a usage error that tells all that is wrong. */
export async function parse(argv: readonly string[], tree: Tree, version: string): Promise<Parsed> {
  // An alias may have flags of its own before it.
  const pressed = argv.indexOf(completingWord);
  if (pressed === 0 || (pressed > 0 && argv[0]?.startsWith("-")))
    return completion(argv.slice(0, pressed), readLine(argv.slice(pressed + 1)), tree);
  const front = await read(argv, everywhere, "");
  const place = placeOf(tree, front.operands);
  if (place.kind === "nowhere") throw await ledNowhere(tree, place.problem, argv, front.operands);
  const reading = place.kind === "command" ? await read(argv, [...everywhere, ...place.spec.flags], place.spec.path.join(" ")) : front;
  const asked = (name: string) => reading.typed.some(({ flag }) => flag.name === name);
  if (asked("version")) return { kind: "text", text: `${version}\n` };
  if (asked("help")) return helpOn(tree, place, reading);
  if (place.kind === "command") return invocationOf(tree, place.spec, reading, argv);
  if (reading.unknown.length > 0) throw lacksCommand(place, argv, reading);
  return helpOn(tree, place, reading, place.kind === "whole" ? { short: true } : {});
}

/** Reads the words. Where no flag is typed but --help, the parser is not needed, which takes as long to load as a page of the help. */
async function read(argv: readonly string[], flags: readonly Flag[], path: string): Promise<Reading> {
  const help = flags.find(({ name }) => name === "help");
  const asks = (word: string) => help !== undefined && (word === "--help" || word === "-h");
  if (argv.some((word) => word.startsWith("-") && !asks(word))) return (await import("./parser.ts")).readFlags(argv, flags, path);
  const typed = argv.flatMap((word) => (help !== undefined && asks(word) ? [{ flag: help, value: true }] : []));
  return { typed, operands: argv.filter((word) => !asks(word)), unknown: [] };
}

async function invocationOf(
  tree: Tree,
  spec: CommandSpec,
  { typed, operands, unknown }: Reading,
  argv: readonly string[],
): Promise<Parsed> {
  const straight = curly.test(argv.join(" ")) ? (await import("./quotes.ts")).straightened(argv) : undefined;
  if (straight !== undefined) throw usage("curly quotes are no quotes to a shell; type straight ones", straight);
  const problems = unknownFlags(unknown, [...everywhere, ...spec.flags], unfiltered(tree, spec));
  const args = operands.slice(spec.path.length);
  // An unknown flag may have swallowed words, so that nothing is said of their number.
  if (problems.length === 0) problems.push(...(await wrongArguments(spec, args, argv)));
  const isGlobal = ({ flag }: TypedFlag) => globalFlags.includes(flag);
  const globals = withImplied(valuesOf(typed.filter(isGlobal), problems));
  problems.push(...viewProblems(globals));
  const flags = valuesOf(
    typed.filter((one) => !isGlobal(one)),
    problems,
  );
  if (problems.length > 0 && spec.takesProblems !== true) throw usage(problems, `see: cal ${spec.path.join(" ")} --help`);
  return { kind: "command", spec, globals, invocation: { args, flags, problems } };
}

async function wrongArguments({ args, flags }: CommandSpec, given: readonly string[], argv: readonly string[]): Promise<readonly string[]> {
  const missing = args.slice(given.length).filter(({ required }) => required === true);
  const surplus = args.some(({ many }) => many === true) ? [] : given.slice(args.length);
  const lacking = missing.map(({ name, meaning }) => `<${name}> is missing: ${meaning}`);
  if (surplus.length === 0) return lacking;
  const { noPlace, strays } = await import("./quotes.ts");
  const advice = (word: string) => asRange(word, flags);
  return [...lacking, ...strays(argv, surplus, [...everywhere, ...flags]).map((stray) => noPlace(stray, advice))];
}

/** Words that are no command. Where what was meant by them is known, the hint is the whole line. */
async function ledNowhere(tree: Tree, problem: string, argv: readonly string[], operands: readonly string[]): Promise<CalError> {
  const old = oldStyle(argv);
  if (old !== undefined) return usage(problem, old);
  const { lineMeant } = await import("./near-words.ts");
  const meant = lineMeant(tree, operands, argv, problem.includes("; did you mean "));
  if (meant === undefined) return usage(problem, "all commands: cal help");
  return usage(meant.turned ? `unknown command ${JSON.stringify(operands.slice(0, 2).join(" "))}` : problem, meant.line);
}

/** Flags without the command that they belong to. */
function lacksCommand(place: Place, argv: readonly string[], { unknown }: Reading): CalError {
  if (place.kind === "group")
    return usage(`cal ${place.group.name} needs its command before the flags`, `see: cal ${place.group.name} --help`);
  return usage(unknownFlags(unknown, everywhere), oldStyle(argv) ?? "see: cal help");
}

/** The page of a place, as `cal help` shows it. */
function helpOn(tree: Tree, place: Place, { typed }: Reading, flags: Flags = {}): Parsed {
  const [spec] = tree.beginning("help");
  if (spec === undefined) throw new CalError("internal", "the tree has no help");
  const args = place.kind === "command" ? place.spec.path : place.kind === "group" ? [place.group.name] : [];
  return { kind: "command", spec, globals: globalsOf(typed), invocation: { args, flags, problems: [] } };
}

/** The global flags of what prints no data: those that shape data are passed over. */
function globalsOf(typed: readonly TypedFlag[]): Flags {
  return valuesOf(
    typed.filter(({ flag }) => globalFlags.includes(flag) && !shapesData(flag.name)),
    [],
  );
}

/** What a shell asks on the Tab key. The flags that say which site are heeded; nothing may be asked, told or waited for. */
async function completion(before: readonly string[], asked: CompletionLine, tree: Tree): Promise<Parsed> {
  const line = { ...asked, words: [...before, ...asked.words] };
  let typed: Flags = {};
  try {
    typed = globalsOf((await read(line.words, globalFlags, "")).typed);
  } catch {
    // A value is still missing: that is why the key was pressed.
  }
  const spec: CommandSpec = {
    path: [completingWord],
    summary: "Answer a shell",
    args: [],
    flags: [],
    examples: [],
    load: async () => (await import("./completion/handler.ts")).completing(tree, line),
  };
  return {
    kind: "command",
    spec,
    globals: { ...typed, timeout: "1s", retries: "0", "no-input": true, quiet: true, debug: false },
    invocation: { args: [], flags: {}, problems: [] },
  };
}

/** `cal 12 2026` and `cal -3` mean the month printer of Unix. */
function oldStyle(argv: readonly string[]): string | undefined {
  const old = argv.length > 0 && argv.every((word) => /^(-[0-9a-zA-Z]|\d{1,4})$/.test(word));
  return old
    ? "this cal manages an events calendar, and is also installed as calctl; the month printer of Unix is `ncal`, or its cal by the full path"
    : undefined;
}
