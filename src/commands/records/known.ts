// The field names that `--fields` may ask for although no record on hand carries them.
import { nearest } from "../../closest.ts";
import type { Context } from "../../context.ts";
import type { Resource } from "../../spec/resource.ts";
import { texts } from "../command.ts";

/** Every field of a resource that is known to be written or returned. */
export function knownNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.returned])];
}

/** The columns of what became of several refs. */
const outcomeLabels = ["ref", "ok", "id", "name", "error"];

/** What is wrong with the fields and columns that a write is to print: told before it is sent, for after it a script would repeat the write. */
export function unknownFields(resource: Resource, { globals }: Pick<Context, "globals">): readonly string[] {
  const known = knownNames(resource);
  const columns = resource.columns.flatMap(({ header, path }) => [path, header.toLowerCase()]);
  const title = resource.columns.find(({ kind }) => kind === "name")?.path;
  const asked = names(globals["fields"]);
  return [
    ...["fields", "field"].flatMap((flag) =>
      names(globals[flag])
        .map((path) => path.split(".", 1)[0] ?? "")
        .filter((name) => !known.includes(name))
        .map((name) => `--${flag}: ${name} is no known field of ${resource.name}${meant(name, known, title)}`),
    ),
    ...names(globals["columns"])
      .filter((name) => ![...columns, ...asked, ...outcomeLabels].includes(name.toLowerCase()))
      .map((name) => `--columns: ${name} is no column of ${resource.name}${meant(name, columns)}`),
  ];
}

function names(value: Context["globals"][string] | undefined): readonly string[] {
  return texts(value)
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function meant(word: string, words: readonly string[], title?: string): string {
  const near = word === "name" && title !== undefined ? title : nearest(word, words);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}
