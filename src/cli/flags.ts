// Flags and their names, and how what was typed of them is read.
import { meant } from "../closest.ts";
import type { Flag } from "../commands/command.ts";
import type { Flags, FlagValue } from "../context.ts";
import { shellWord } from "../http/shell-word.ts";

/** A flag as it was typed: its text, true where it stands alone, false where it was negated. */
export interface TypedFlag {
  readonly flag: Flag;
  readonly value: string | boolean;
}

/** What was made of the words: flags in their order, words before the first unknown flag, and what follows from it on. */
export interface Reading {
  readonly typed: readonly TypedFlag[];
  readonly operands: readonly string[];
  readonly unknown: readonly string[];
}

/** All names of a flag without dashes: its own, its other ones, and the negation. */
export function namesOf({ name, aliases = [], negatable }: Flag): readonly string[] {
  return [name, ...aliases, ...(negatable === true ? [`no-${name}`] : [])];
}

/** The values of what was typed, by the flag's name; of a flag that can't be repeated the last one counts. Bad values are told in `problems`. */
export function valuesOf(typed: readonly TypedFlag[], problems: string[]): Flags {
  const values: Record<string, FlagValue> = {};
  for (const { flag, value } of typed) {
    const earlier = values[flag.name];
    if (flag.type === "texts") values[flag.name] = [...(typeof earlier === "object" ? earlier : []), String(value)];
    else {
      const read = readValue(flag, value, problems);
      if (read !== undefined) values[flag.name] = read;
    }
  }
  return values;
}

function readValue(flag: Flag, value: string | boolean, problems: string[]): FlagValue | undefined {
  const { name, type, choices, joined } = flag;
  const parts = joined === true ? String(value).split(",") : [String(value)];
  const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part));
  if (wrong !== undefined) {
    problems.push(noChoice(flag, wrong));
    return undefined;
  }
  if (type !== "integer") return value;
  if (/^\d{1,15}$/.test(String(value))) return Number(value);
  problems.push(`--${name} takes a whole number, not ${JSON.stringify(value)}`);
  return undefined;
}

function noChoice({ name, choices = [], usual, lacks, asItIs }: Flag, value: string): string {
  if (lacks?.words.includes(value.toLowerCase()) === true)
    return `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}: ${lacks.instead}`;
  const guess = meant(value, choices, { usual, before: `--${name} ` });
  const other = asItIs === undefined || value === "" ? "" : `; as it is: ${asItIs}${shellWord(value)}`;
  return `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}${guess}${other}`;
}
