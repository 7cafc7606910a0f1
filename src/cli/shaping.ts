// Flags that the format has no use for: refused before anything is sent, for what was typed is never silently without effect.
import type { FlagValue } from "../commands/command.ts";
import { type CalError, usage } from "../errors.ts";
import type { Format } from "../output/view.ts";

/** Flags that shape the data, and the formats in which they mean something. What --wide and --no-header ask for holds in the other formats anyway. */
const shaping: Readonly<Record<string, { readonly formats: readonly Format[]; readonly hint: string }>> = {
  columns: { formats: ["table", "tsv", "csv"], hint: "--fields chooses in every format" },
  excel: { formats: ["csv"], hint: "for a spreadsheet: --format csv --excel" },
  envelope: { formats: ["json", "yaml"], hint: "to see what is known of the list: --json --envelope" },
};

/** Whether a flag is one of them. */
export function shapesData(name: string): boolean {
  return Object.hasOwn(shaping, name);
}

/** The usage error for those that were typed in vain; undefined where there is none. */
export function idleFlags(flags: Readonly<Record<string, FlagValue>>, format: Format): CalError | undefined {
  const idle = Object.entries(shaping).flatMap(([name, { formats, hint }]) => {
    if (flags[name] === undefined) return [];
    if (flags["field"] !== undefined) return [{ problem: `--${name} and --field exclude each other`, hint: "--field prints bare values" }];
    if (formats.includes(format)) return [];
    return [{ problem: `--${name} is for ${listed(formats)}, not for ${format}`, hint }];
  });
  if (idle.length === 0) return undefined;
  return usage(
    idle.map(({ problem }) => problem),
    [...new Set(idle.map(({ hint }) => hint))].join("\n"),
  );
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
