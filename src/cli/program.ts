// What was typed -> an invocation, and nothing more. The tree says which command is meant; commander reads the flags.
import { Command, CommanderError } from "commander";
import type { CommandSpec, Flag, FlagValue, Invocation } from "../commands/command.ts";
import { CalError, usage } from "../errors.ts";
import { type CompletionLine, completingWord, readLine } from "./completion/line.ts";
import { declare, namesOf, type TypedFlag, valuesOf } from "./flags.ts";
import { globalFlags, viewProblems } from "./globals.ts";
import { type Group, type Place, placeOf, type Tree } from "./lookup.ts";
import { shapesData } from "./shaping.ts";
import { unfiltered, unknownFlags } from "./unknown-flags.ts";

/** A command, and what was typed for it. */
export interface ParsedCommand {
  readonly kind: "command";
  readonly spec: CommandSpec;
  readonly invocation: Invocation;
  readonly globals: Readonly<Record<string, FlagValue>>;
}

/** What the command line asks for. */
export type Parsed = ParsedCommand | { readonly kind: "text"; readonly text: string };

/** The flags that ask for something else than the command itself. */
const ownFlags: readonly Flag[] = [
  { name: "help", short: "h", type: "boolean", meaning: "Print help" },
  { name: "version", short: "V", type: "boolean", meaning: "Print the version" },
];

const everywhere: readonly Flag[] = [...globalFlags, ...ownFlags];

/** Parses the arguments after the program's name. Throws a usage error with all that is wrong. */
export function parse(argv: readonly string[], specs: readonly CommandSpec[], groups: readonly Group[], version: string): Parsed {
  const tree = { commands: specs, groups };
  // An alias may have flags of its own before it.
  const pressed = argv.indexOf(completingWord);
  if (pressed === 0 || (pressed > 0 && argv[0]?.startsWith("-")))
    return completion(argv.slice(0, pressed), readLine(argv.slice(pressed + 1)), tree);
  const front = read(argv, everywhere, "");
  const place = placeOf(tree, front.operands);
  if (place.kind === "nowhere") throw usage(place.problem, oldStyle(argv) ?? "all commands: cal help");
  const reading = place.kind === "command" ? read(argv, [...everywhere, ...place.spec.flags], place.spec.path.join(" ")) : front;
  const asked = (name: string) => reading.typed.some(({ flag }) => flag.name === name);
  if (asked("version")) return { kind: "text", text: `${version}\n` };
  if (asked("help")) return helpOn(tree, place, reading);
  if (place.kind === "command") return invocationOf(tree, place.spec, reading);
  if (reading.unknown.length > 0) throw lacksCommand(place, argv, reading);
  return helpOn(tree, place, reading, place.kind === "whole" ? { short: true } : {});
}

/** What commander made of the words: flags in their order, words before the first unknown flag, and what follows from it on. */
interface Reading {
  readonly typed: readonly TypedFlag[];
  readonly operands: readonly string[];
  readonly unknown: readonly string[];
}

function read(argv: readonly string[], flags: readonly Flag[], path: string): Reading {
  const typed: TypedFlag[] = [];
  const command = new Command("cal")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  // To declare all hundred flags costs more than everything else that is done here.
  const words = new Set(argv.map((word) => word.split("=", 1)[0]));
  const present = (flag: Flag) => flag.short !== undefined || namesOf(flag).some((name) => words.has(`--${name}`));
  for (const flag of flags.filter(present)) declare(command, flag, (one) => typed.push(one));
  try {
    return { typed, ...command.parseOptions([...argv]) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const flag = /--[^\s']+/.exec(error.message)?.[0];
    throw usage(`${flag} lacks its value`, `see: cal ${path === "" ? "" : `${path} `}--help`);
  }
}

function invocationOf(tree: Tree, spec: CommandSpec, { typed, operands, unknown }: Reading): Parsed {
  const problems = unknownFlags(unknown, [...everywhere, ...spec.flags], unfiltered(tree, spec));
  const args = operands.slice(spec.path.length);
  // An unknown flag may have swallowed words, so that nothing is said of their number.
  if (problems.length === 0) problems.push(...wrongArguments(spec, args));
  const isGlobal = ({ flag }: TypedFlag) => globalFlags.includes(flag);
  const globals = valuesOf(typed.filter(isGlobal), problems);
  problems.push(...viewProblems(globals));
  const flags = valuesOf(
    typed.filter((one) => !isGlobal(one)),
    problems,
  );
  if (problems.length > 0 && spec.takesProblems !== true) throw usage(problems, `see: cal ${spec.path.join(" ")} --help`);
  return { kind: "command", spec, globals, invocation: { args, flags, problems } };
}

function wrongArguments({ args }: CommandSpec, given: readonly string[]): readonly string[] {
  const missing = args.slice(given.length).filter(({ required }) => required === true);
  const surplus = args.some(({ many }) => many === true) ? [] : given.slice(args.length);
  return [
    ...missing.map(({ name, meaning }) => `<${name}> is missing: ${meaning}`),
    ...surplus.map((word) => `there is no place for ${JSON.stringify(word)}`),
  ];
}

/** Flags without the command that they belong to. */
function lacksCommand(place: Place, argv: readonly string[], { unknown }: Reading): CalError {
  if (place.kind === "group")
    return usage(`cal ${place.group.name} needs its command before the flags`, `see: cal ${place.group.name} --help`);
  return usage(unknownFlags(unknown, everywhere), oldStyle(argv) ?? "see: cal help");
}

/** The page of a place, as `cal help` shows it. */
function helpOn(tree: Tree, place: Place, { typed }: Reading, flags: Invocation["flags"] = {}): Parsed {
  const spec = tree.commands.find(({ path }) => path[0] === "help");
  if (spec === undefined) throw new CalError("internal", "the tree has no help");
  const args = place.kind === "command" ? place.spec.path : place.kind === "group" ? [place.group.name] : [];
  return { kind: "command", spec, globals: globalsOf(typed), invocation: { args, flags, problems: [] } };
}

/** The global flags of what prints no data: those that shape data are passed over. */
function globalsOf(typed: readonly TypedFlag[]): Record<string, FlagValue> {
  return valuesOf(
    typed.filter(({ flag }) => globalFlags.includes(flag) && !shapesData(flag.name)),
    [],
  );
}

/** What a shell asks on the Tab key. The flags that say which site are heeded; nothing may be asked, told or waited for. */
function completion(before: readonly string[], asked: CompletionLine, tree: Tree): Parsed {
  const line = { ...asked, words: [...before, ...asked.words] };
  let typed: Readonly<Record<string, FlagValue>> = {};
  try {
    typed = globalsOf(read(line.words, globalFlags, "").typed);
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
