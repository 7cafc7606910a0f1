// A command as data, and the handler that runs it.
import type { SettingTypes } from "../config/settings.ts";
import type { Context, Flags, FlagValue } from "../context.ts";
import type { Problem } from "../errors.ts";
import type { Report } from "../output/report.ts";

/** The parsed command line, validated as far as possible without a file, a clock or the network. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: Flags;
  /** What is wrong with the command line, for a command that reports all its problems at once. */
  readonly problems: readonly (string | Problem)[];
  /** The filters of `--where`, as the flags of the list. */
  readonly where?: Flags;
}

/** A flag's value as a list of texts; an absent flag gives an empty list. */
export function getTexts(value: FlagValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "object" ? value : [String(value)];
}

/** The names in a flag that takes several: it can be repeated, and each value can hold several names joined by commas. */
export function parseNames(value: FlagValue | undefined): readonly string[] {
  return getTexts(value)
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Runs a command and resolves with the data for stdout. Rejects with a CalError. */
export type Handler = (invocation: Invocation, context: Context) => Promise<Report>;

/** A flag. `texts` may be repeated. A negatable boolean has three states: true, false and absent. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly type: "text" | "texts" | "integer" | "boolean";
  /** The word for the value in the help: `<date>`. */
  readonly value?: string;
  readonly meaning: string;
  /** The heading under which the help lists it. */
  readonly group?: string;
  readonly choices?: readonly string[];
  /** Earlier names of choices: accepted, and listed nowhere. */
  readonly choiceAliases?: Readonly<Record<string, string>>;
  /** Words that users type for a choice, and the choice that they mean. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Words that users look for among the choices and that no choice means. */
  readonly unsupported?: { readonly words: readonly string[]; readonly reason: string; readonly hint: string };
  /** Several choices may be joined by commas, or given one by one. */
  readonly commaSeparated?: true;
  /** The words that send a value that is none of the choices; the error message adds the value. */
  readonly escapeHatch?: string;
  /** For the help only. */
  readonly default?: string;
  /** The environment variables that set the same, for the help only. */
  readonly env?: string;
  readonly negatable?: true;
  readonly aliases?: readonly string[];
  /** The value may be left out; then it is `true`. */
  readonly optionalValue?: true;
}

/** All names of a flag, without dashes: its name, its aliases and its negation. */
export function getFlagNames({ name, aliases = [], negatable }: Flag): readonly string[] {
  return [name, ...aliases, ...(negatable === true ? [`no-${name}`] : [])];
}

/** An operand of a command: a word that is no flag. */
export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly required?: true;
  readonly many?: true;
}

/** A command as data. The parser, the help, the completions, the man page and the reference use it. */
export interface CommandSpec {
  /** One or two words: `["events", "list"]`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** A paragraph for the help page. */
  readonly details?: string;
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Complete command lines that can be pasted. */
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /** The handler reports `Invocation.problems` together with its own. Without this, problems end the program before the handler. */
  readonly reportsProblems?: true;
  /** What it prints has no ids, so `--format ids` is refused before anything is done. */
  readonly withoutIds?: true;
  /** Without this flag the line is probably meant for another command of the group, which the error names. */
  readonly insteadWithout?: { readonly flag: string; readonly verb: string };
  /** Other defaults of settings for this command. */
  readonly settingDefaults?: Partial<SettingTypes>;
  readonly load: () => Promise<Handler>;
}
