// Parses flags with commander. The value parsers collect problems instead of throwing, so that all of them are reported at once.
import { formatSuggestion } from "../closest.ts";
import { type Flag, getFlagNames, getTexts } from "../commands/command.ts";
import type { Flags, FlagValue } from "../context.ts";
import type { Problem } from "../errors.ts";
import { shellQuote } from "../text.ts";

/** The words of a command line as commander divides them. */
export interface ParsedWords {
  /** The values by the names of the flags, without those that are invalid. The last value wins, except for flags of several values. */
  readonly values: Flags;
  /** What is wrong with values, in the order of the words. */
  readonly problems: readonly (string | Problem)[];
  /** The words before the first unknown flag that are no flags or values, and all words after `--`. */
  readonly operands: readonly string[];
  /** The first unknown flag, and the words after it that are no known flags or values. */
  readonly unknown: readonly string[];
  /** The flag that is the last word and needs a value, with the name that was used. */
  readonly incomplete?: { readonly flag: Flag; readonly name: string };
}

/** Reads known flags wherever they are among the words. */
export async function parseWords(words: readonly string[], flags: readonly Flag[]): Promise<ParsedWords> {
  // commander takes as long to load as a help page takes to print. Where --help is the only flag, all other words are operands.
  const isHelp = (word: string) => (word === "--help" || word === "-h") && flags.some(({ name }) => name === "help");
  if (words.every((word) => !word.startsWith("-") || isHelp(word)))
    return { values: words.some(isHelp) ? { help: true } : {}, problems: [], operands: words.filter((word) => !isHelp(word)), unknown: [] };

  const { Command, CommanderError, Option } = await import("commander");
  const values: Record<string, FlagValue> = {};
  const problems: (string | Problem)[] = [];
  const command = new Command()
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const declared = flags.flatMap((flag) =>
    getFlagNames(flag).map((name) => {
      const short = name === flag.name && flag.short !== undefined ? `-${flag.short}, ` : "";
      const isNegation = flag.negatable === true && name === `no-${flag.name}`;
      const value = flag.type === "boolean" || isNegation ? "" : flag.optionalValue === true ? " [value]" : " <value>";
      const option = new Option(`${short}--${name}${value}`)
        .preset(!isNegation)
        .argParser<void>((text: string | boolean) => addValue(flag, text, values, problems));
      command.addOption(option);
      return { flag, name, option };
    }),
  );
  try {
    return { values, problems, ...command.parseOptions([...words]) };
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== "commander.optionMissingArgument") throw error;
    // Only the last word can lack its value. The error names the option in its text alone.
    const last = words.at(-1) ?? "";
    const incomplete = declared.find(({ option: { long, short } }) =>
      last.startsWith("--") ? long === last : short === `-${last.at(-1)}`,
    );
    if (incomplete === undefined) throw error;
    return { ...(await parseWords(words.slice(0, -1), flags)), incomplete };
  }
}

/** The value parser of every flag; `raw` is a boolean where the flag has no value. */
function addValue(flag: Flag, raw: string | boolean, values: Record<string, FlagValue>, problems: (string | Problem)[]): void {
  const { name, type, choices, choiceAliases = {}, commaSeparated } = flag;
  const text = new Map(Object.entries(choiceAliases)).get(String(raw)) ?? raw;
  const parts = commaSeparated === true ? String(text).split(",") : [String(text)];
  const invalid = choices === undefined ? undefined : parts.find((part) => !choices.includes(part));
  if (invalid !== undefined) problems.push(formatInvalidChoice(flag, invalid));
  else if (type === "texts") values[name] = [...getTexts(values[name]), ...(choices === undefined ? [String(text)] : parts)];
  else if (commaSeparated === true && values[name] !== undefined) values[name] = `${String(values[name])},${String(text)}`;
  else if (type !== "integer") values[name] = text;
  else if (/^\d{1,15}$/.test(String(text))) values[name] = Number(text);
  else problems.push(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
}

function formatInvalidChoice({ name, choices = [], synonyms, unsupported, escapeHatch }: Flag, value: string): string | Problem {
  const problem = `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}`;
  if (unsupported?.words.includes(value.toLowerCase()) === true)
    return { message: `${problem}: ${unsupported.reason}`, hint: unsupported.hint };
  const suggestion = formatSuggestion(value, choices, { synonyms, prefix: `--${name} ` });
  const other = escapeHatch === undefined || value === "" ? "" : `; to send it unchanged: ${escapeHatch}${shellQuote(value)}`;
  return `${problem}${suggestion}${other}`;
}
