// Flags and words that nobody knows: what was meant by each.
import { formatSuggestion } from "../closest.ts";
import type { CommandSpec, Flag } from "../commands/command.ts";
import { getFlagNames } from "./flags.ts";
import { suggestFlag } from "./near-flags.ts";
import type { CommandTree } from "./tree/lookup.ts";

/** Advice for flags that are fields of records, where a list has no filter of that name. */
export function createFilterAdvice({ commands }: CommandTree, { path, flags }: CommandSpec): (name: string) => string | undefined {
  if (path[1] !== "list" || !flags.some(({ name }) => name === "search")) return () => undefined;
  const creates = commands.filter((command) => command.path[1] === "create");
  const fields = new Set(creates.flatMap((command) => command.flags.filter(({ group }) => group === "Fields").flatMap(getFlagNames)));
  return (name) =>
    fields.has(name) ? `; ${path.join(" ")} can't filter by ${name}: --search finds words, or pipe --json to jq` : undefined;
}

/** What is said of flags that a command does not have, in the words as they were typed. */
export function formatUnknownFlags(
  unknown: readonly string[],
  known: readonly Flag[],
  advice: (name: string) => string | undefined = () => undefined,
): string[] {
  const end = unknown.indexOf("--");
  const typed = unknown.slice(0, end === -1 ? unknown.length : end).filter((word) => /^-./.test(word));
  const names = known.flatMap(getFlagNames);
  const formats = known.flatMap(({ name, choices = [] }) => (name === "format" ? choices : []));
  const synonyms = Object.fromEntries(formats.filter((name) => !names.includes(name)).map((name) => [name, `format ${name}`]));
  return typed.map((word) => {
    const [, dashes = "", name = ""] = /^(--?)([^=]*)/.exec(word) ?? [];
    if (dashes === "--" && word.includes("=") && names.includes(name)) return `--${name} takes no value`;
    return `unknown flag ${dashes}${name}${advice(name) ?? suggestFlag(name, names) ?? formatSuggestion(name, names, { synonyms, prefix: "--" })}`;
  });
}

/** Advice for a word that is the value of a range flag. */
export function suggestRangeFlag(word: string, flags: readonly Flag[]): string {
  const [, stretch] = /^(?:this|next|last)-(week|month)$/.exec(word) ?? [];
  const isDay =
    /^(?:today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|\d{4}(?:-\d\d){0,2})$/.test(word);
  const name = stretch ?? (isDay ? "on" : undefined);
  return name === undefined || !flags.some((flag) => flag.name === name) ? "" : `; did you mean --${name} ${word}?`;
}
