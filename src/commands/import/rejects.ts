// `--rejects`: the rows that failed, in the format of their source, so that they can be corrected and imported.
import { writeFileAtomic } from "../../atomic-file.ts";
import { stringifyExact } from "../../http/json.ts";
import type { Source } from "../../import/source.ts";
import type { ImportRow } from "./rows.ts";

/** Writes the file, also where no row failed: an older one would be taken for the rows of this run. */
export async function writeRejects(
  path: string,
  { format, header = [], delimiter = "," }: Source,
  rows: readonly ImportRow[],
): Promise<void> {
  const sources = rows.map((row) => row.read().source);
  const values = sources.map((source) => source.values);
  writeFileAtomic(path, await formatRows());

  async function formatRows(): Promise<string> {
    if (format === "csv" || format === "tsv") {
      const { stringifyCells } = await import("../../output/delimited.ts");
      const cells = sources.map((source) => source.cells ?? header.map((name) => String(source.values[name] ?? "")));
      return stringifyCells([header, ...cells], delimiter);
    }
    if (format === "yaml") return (await import("../../output/yaml.ts")).stringifyYaml(values);
    if (format === "ndjson") return values.map((value) => `${stringifyExact(value)}\n`).join("");
    return `${stringifyExact(values, 2)}\n`;
  }
}
