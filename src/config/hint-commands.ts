// The commands of hints, for the call that failed: the same profile and site, and each setting is changed where its value comes from.
import { CalError, type Hint, type Hints, listHints, usageError } from "../errors.ts";
import { shellQuote } from "../text.ts";
import { findSettingDefinition, getSettingFlag, type Settings } from "./settings.ts";

/** What the commands depend on. */
export interface HintScope {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The arguments of the call, for hints with the same command. */
  readonly argv?: readonly string[];
  /** Absent where they can't be read, or are not needed. */
  readonly settings?: Settings | undefined;
}

/** Commands for which a profile and a site mean nothing. */
const unscoped = /^cal (?:help|profile|completion|schema|date)\b|^cal(?: [^ ]+)* --help$/;

/** Commands that do not ask the site of a call: they are about the profile. */
const withoutSite = /^cal (?:-p \S+ )?(?:auth|config|init|sandbox)\b/;

/** `cal events list` as `cal -p work events list`: a command of a hint, also behind a pipe, with the profile and the site of the call. */
export function addCallScope(line: string, { globals, env }: Pick<HintScope, "globals" | "env">): string {
  const [, before = "", command] = /^(.*\| )?(cal .*)$/s.exec(line) ?? [];
  if (command === undefined || unscoped.test(command)) return line;
  const namesProfile = / (?:-p|--profile) /.test(command);
  const flags: string[] = [];
  const add = (flag: string, value: unknown) => {
    if (typeof value === "string" && value !== "" && !command.includes(`${flag} `)) flags.push(`${flag} ${shellQuote(value)}`);
  };
  if (!namesProfile) add("-p", globals["profile"] ?? env["CAL_PROFILE"]);
  if (!namesProfile && !withoutSite.test(command) && !command.includes(" --sandbox")) {
    if (globals["sandbox"] === true) flags.push("--sandbox");
    add("--base-url", globals["base-url"]);
    add("--namespace", globals["namespace"]);
  }
  return [`${before}cal`, ...flags, command.slice("cal ".length)].join(" ");
}

/** Hints with their commands adapted. */
export function adaptHints(hints: Hints, scope: HintScope): Hints {
  const adapted = listHints(hints).flatMap((hint) => adaptHint(hint, scope));
  return adapted.length === 1 && adapted[0] !== undefined ? adapted[0] : adapted;
}

/** Whether a hint changes a setting, so that it matters where its value comes from. */
export function needsSettings({ details: { hint, problems = [] } }: CalError): boolean {
  const hints = [hint, ...problems.map((problem) => problem.hint)].flatMap(listHints);
  return hints.some(
    (one) => typeof one !== "string" && "command" in one && /^cal (?:-p \S+ )?(?:config (?:set|unset)|init) /.test(one.command),
  );
}

/** The error with its hints adapted. */
export function adaptErrorHints(error: CalError, scope: HintScope): CalError {
  const { hint, problems } = error.details;
  if (hint === undefined && problems === undefined) return error;
  const details = hint === undefined ? error.details : { ...error.details, hint: adaptHints(hint, scope) };
  if (problems === undefined) return new CalError(error.kind, error.message, details);
  // The message of several problems is made of them and their hints.
  const list = problems.map((problem) => (problem.hint === undefined ? problem : { ...problem, hint: adaptHints(problem.hint, scope) }));
  const { message, details: rebuilt } = usageError(list, details.hint);
  return new CalError(error.kind, message, { ...details, ...rebuilt });
}

function adaptHint(hint: Hint, scope: HintScope): readonly Hint[] {
  if (typeof hint === "string") return [hint];
  if ("flags" in hint) {
    const command = repeatCommand(scope.argv ?? [], hint.flags);
    return [command === undefined ? hint : { text: hint.text, command }];
  }
  const [, verb, name = "", value = "<value>"] = /^cal (?:-p \S+ )?config (set|unset) (\w+)(?: (.*))?$/.exec(hint.command) ?? [];
  const source = findSource(verb === undefined ? undefined : name, scope);
  if (source !== undefined) {
    const text = `${hint.text === undefined ? "" : `${hint.text}${/\bor$/.test(hint.text) ? "" : ","} `}`;
    if (source.kind === "flag") return [`${text}${verb === "set" ? `change ${source.name} to ${value}` : `leave ${source.name} out`}`];
    return [{ text: `${text}change ${source.name}`, command: verb === "set" ? `export ${source.name}=${value}` : `unset ${source.name}` }];
  }
  const scoped = { ...hint, command: addCallScope(hint.command, scope) };
  const address = /^cal (?:-p \S+ )?init /.test(hint.command) ? findSource("base_url", scope) : undefined;
  if (address === undefined) return [scoped];
  // What init stores in the profile has no effect while something else comes before it.
  return [scoped, `then ${address.kind === "flag" ? `leave ${address.name} out` : `change ${address.name}`}: it comes before the profile`];
}

/** A longer command is not repeated: it has more records than a user reads. */
const maxRepeatedLength = 500;

/** The same command with these flags. Undefined where it has an address that may be secret: that of a feed. */
function repeatCommand(argv: readonly string[], flags: string): string | undefined {
  const names = flags.split(" ").filter((word) => word.startsWith("--"));
  const isSet = (word: string | undefined) => names.some((name) => word === name || word?.startsWith(`${name}=`));
  const kept = argv.filter((word, at) => !isSet(word) && !names.includes(argv[at - 1] ?? ""));
  if (kept.length === 0 || kept.some((word, at) => /^\w+:\/\//.test(word) && kept[at - 1] !== "--base-url")) return undefined;
  const end = kept.includes("--") ? kept.indexOf("--") : kept.length;
  const quote = (words: readonly string[]) => words.map(shellQuote);
  const command = ["cal", ...quote(kept.slice(0, end)), ...(flags === "" ? [] : [flags]), ...quote(kept.slice(end))].join(" ");
  return command.length > maxRepeatedLength ? undefined : command;
}

/** The flag or variable that a setting has its value from; undefined where that is a profile, the sandbox or a default. */
function findSource(
  name: string | undefined,
  { settings }: HintScope,
): { readonly kind: "flag" | "environment"; readonly name: string } | undefined {
  const definition = name === undefined ? undefined : findSettingDefinition(name);
  if (definition === undefined || settings === undefined) return undefined;
  const origin = settings[definition.name]?.origin ?? "";
  if (origin.startsWith("environment ")) return { kind: "environment", name: origin.slice("environment ".length) };
  return origin.startsWith("flag ") ? { kind: "flag", name: `--${getSettingFlag(definition)}` } : undefined;
}
