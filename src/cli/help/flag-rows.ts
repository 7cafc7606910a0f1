// Flags as rows of the help and the man page.
import type { Argument, Flag } from "../../commands/command.ts";
import type { HelpRow } from "./layout.ts";

/** `-p, --profile <name>` and what it means, with choices, default and environment variable. */
export function formatFlagRow(flag: Flag): HelpRow {
  const { name, short, type, value = name, optionalValue, negatable, meaning, choices, default: usual, env } = flag;
  const taken = type === "boolean" ? "" : optionalValue === true ? `[=${value}]` : ` <${value}>`;
  const notes = [
    choices === undefined ? "" : `(${choices.join(", ")})`,
    usual === undefined ? "" : `(default: ${usual})`,
    env === undefined ? "" : `[${env}]`,
  ].filter((note) => note !== "");
  return {
    term: `${short === undefined ? "" : `-${short}, `}--${negatable === true ? "[no-]" : ""}${name}${taken}`,
    means: [meaning, ...notes].join(" "),
  };
}

/** Flags under their headings, in the order in which these come; those without one stand under "Flags". */
export function groupFlags(flags: readonly Flag[]): ReadonlyMap<string, readonly Flag[]> {
  const headings = new Map<string, Flag[]>();
  for (const flag of flags) {
    const heading = flag.group ?? "Flags";
    headings.set(heading, [...(headings.get(heading) ?? []), flag]);
  }
  return headings;
}

/** `<ref>`, `[ref]`, `[ref...]`. */
export function formatArgument({ name, required, many }: Argument): string {
  const word = `${name}${many === true ? "..." : ""}`;
  return required === true ? `<${word}>` : `[${word}]`;
}
