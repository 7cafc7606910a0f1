// Flags that shape the data, and the formats that have a use for them: what was typed is never silently without effect.
import type { Flags } from "../context.ts";
import type { Format } from "../output/view.ts";

/** What --wide and --no-header ask for holds in all formats: those in which they change nothing cut nothing and have no header. */
const formatSpecificFlags: Readonly<Record<string, { readonly formats: readonly Format[]; readonly instead: string }>> = {
  columns: { formats: ["table", "tsv", "csv"], instead: "--fields chooses in every format" },
  excel: { formats: ["csv"], instead: "for a spreadsheet: --format csv --excel" },
  envelope: { formats: ["json", "yaml"], instead: "what is known of a list: --json --envelope" },
};

/** Whether a flag is one of them. */
export function isFormatSpecific(name: string): boolean {
  return Object.hasOwn(formatSpecificFlags, name);
}

/** What is wrong with those that were typed. */
export function validateFormatFlags(flags: Flags, format: Format): readonly string[] {
  return Object.entries(formatSpecificFlags).flatMap(([name, { formats, instead }]) => {
    if (flags[name] === undefined) return [];
    if (flags["field"] !== undefined) return [`--${name} and --field exclude each other`];
    return formats.includes(format) ? [] : [`--${name} is for ${formatWordList(formats)}, not for ${format}; ${instead}`];
  });
}

function formatWordList(words: readonly string[]): string {
  return words.length === 1 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
