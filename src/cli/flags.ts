// Flags and their names, and how what was typed of them is read.
import { formatSuggestion } from "../closest.ts";
import type { Flag } from "../commands/command.ts";
import type { Flags, FlagValue } from "../context.ts";
import { shellQuote } from "../http/shell-word.ts";

/** A flag as it was typed: its text, true where it stands alone, false where it was negated. */
export interface ParsedFlag {
  readonly flag: Flag;
  readonly value: string | boolean;
}

/** What was made of the words: flags in their order, words before the first unknown flag, and what follows from it on. */
export interface ParsedArguments {
  readonly parsedFlags: readonly ParsedFlag[];
  readonly operands: readonly string[];
  readonly unknown: readonly string[];
}

/** All names of a flag without dashes: its own, its other ones, and the negation. */
export function getFlagNames({ name, aliases = [], negatable }: Flag): readonly string[] {
  return [name, ...aliases, ...(negatable === true ? [`no-${name}`] : [])];
}

/** The values of what was typed, by the flag's name; of a flag that can't be repeated the last one counts. Bad values are told in `problems`. */
export function getFlagValues(typed: readonly ParsedFlag[], problems: string[]): Flags {
  const values: Record<string, FlagValue> = {};
  for (const { flag, value } of typed) {
    const earlier = values[flag.name];
    if (flag.type === "texts") values[flag.name] = [...(typeof earlier === "object" ? earlier : []), String(value)];
    else {
      const read = parseFlagValue(flag, value, problems);
      if (read !== undefined) values[flag.name] = read;
    }
  }
  return values;
}

function parseFlagValue(flag: Flag, value: string | boolean, problems: string[]): FlagValue | undefined {
  const { name, type, choices, commaSeparated } = flag;
  const parts = commaSeparated === true ? String(value).split(",") : [String(value)];
  const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part));
  if (wrong !== undefined) {
    problems.push(formatInvalidChoice(flag, wrong));
    return undefined;
  }
  if (type !== "integer") return value;
  if (/^\d{1,15}$/.test(String(value))) return Number(value);
  problems.push(`--${name} takes a whole number, not ${JSON.stringify(value)}`);
  return undefined;
}

function formatInvalidChoice({ name, choices = [], synonyms, unsupported, escapeHatch }: Flag, value: string): string {
  if (unsupported?.words.includes(value.toLowerCase()) === true)
    return `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}: ${unsupported.instead}`;
  const guess = formatSuggestion(value, choices, { synonyms, prefix: `--${name} ` });
  const other = escapeHatch === undefined || value === "" ? "" : `; as it is: ${escapeHatch}${shellQuote(value)}`;
  return `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}${guess}${other}`;
}
