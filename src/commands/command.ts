// What a command is to the program: data that describes it, and a handler that is loaded only when it is called.

import type { SettingTypes } from "../config/settings.ts";
import type { Context, Flags, FlagValue } from "../context.ts";
import type { Problem } from "../errors.ts";
import type { Report } from "../output/report.ts";

/** What the user typed, parsed and checked as far as that goes without a file, a clock or a network. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: Flags;
  /** What was wrong on the command line already, for a command that tells all its problems at once. */
  readonly problems: readonly (string | Problem)[];
}

/** A flag's value as a list of texts; absent is none. */
export function getTexts(value: FlagValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "object" ? value : [String(value)];
}

/** The names in a flag that takes several, whether it was repeated or they are joined by commas. */
export function parseNames(value: FlagValue | undefined): readonly string[] {
  return getTexts(value)
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Does the work of a command and answers with data for stdout; throws a CalError where it can't. */
export type Handler = (invocation: Invocation, context: Context) => Promise<Report>;

/** A flag. `texts` may be repeated; a boolean is three-state where it is negatable. */
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
  /** Words that are typed for a choice although none is called so, and what to type. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Words that people look for among the choices, and what they do instead. */
  readonly unsupported?: { readonly words: readonly string[]; readonly reason: string; readonly hint: string };
  /** Several choices may be joined by commas. */
  readonly commaSeparated?: true;
  /** What sends a value that is none of the choices, up to the value: told in the refusal. */
  readonly escapeHatch?: string;
  /** Told in the help only. */
  readonly default?: string;
  /** The environment variable that gives the same, told in the help. */
  readonly env?: string;
  readonly negatable?: true;
  readonly aliases?: readonly string[];
  /** The value may be left out; the flag is then `true`. */
  readonly optionalValue?: true;
}

/** A word after the command that is no flag. */
export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly required?: true;
  readonly many?: true;
}

/** A command as data: the parser, the help, the completions, the man page and the reference are made from it. */
export interface CommandSpec {
  /** The words that call it: `["events", "list"]`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** More, for the help page: paragraphs. */
  readonly details?: string;
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Whole commands that can be pasted, with what they do. */
  readonly examples: readonly { readonly command: string; readonly does: string }[];
  /** The handler tells `Invocation.problems` together with its own. */
  readonly reportsProblems?: true;
  /** It answers with what has no id: then `--format ids` is refused before anything is done. */
  readonly withoutIds?: true;
  /** Settings that have another default for this command. */
  readonly settingDefaults?: Partial<SettingTypes>;
  readonly load: () => Promise<Handler>;
}
