// The field names that `--fields` may ask for although no record on hand carries them.
import { formatSuggestion } from "../../closest.ts";
import type { Resource } from "../../spec/resource.ts";
import { parseNames } from "../command.ts";
import type { Call } from "./call.ts";
import { hasManyRefs } from "./refs.ts";

/** Every field of a resource that is known to be written or returned. */
export function fieldNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.readOnlyFields])];
}

/** What is wrong with the fields and columns that a write is to print: told before it is sent, for after it a script would repeat the write. */
export function validateOutputFields({ resource, invocation, context: { globals } }: Call): readonly string[] {
  const known = fieldNames(resource);
  const title = resource.columns.find(({ kind }) => kind === "name")?.path;
  const synonyms = title === undefined ? {} : { name: title };
  const columns = getColumnNames(
    resource,
    parseNames(globals["fields"]),
    hasManyRefs(invocation) || invocation.flags["times"] !== undefined,
  );
  return [
    ...["fields", "field"].flatMap((flag) =>
      parseNames(globals[flag])
        .map((path) => path.split(".", 1)[0] ?? "")
        .filter((name) => !known.includes(name))
        .map((name) => `--${flag}: ${name} is no known field of ${resource.name}${formatSuggestion(name, known, { synonyms })}`),
    ),
    ...parseNames(globals["columns"])
      .filter((name) => !columns.includes(name.toLowerCase()))
      .map((name) => `--columns: ${name} is no column here${formatSuggestion(name, columns) || `; there are ${columns.join(", ")}`}`),
  ];
}

/** The columns of a record, or of what became of many, where these fields are asked for. */
function getColumnNames({ columns }: Resource, fields: readonly string[], many: boolean): readonly string[] {
  const own = columns.filter(({ path }) => fields.includes(path) || (fields.length === 0 && !many));
  const asked = many && fields.length === 0 ? ["id", "name"] : fields;
  const all = [...own.flatMap(({ header, path }) => [path, header]), ...asked].map((name) => name.toLowerCase());
  return [...new Set(many ? ["ref", "ok", ...all, "error"] : all)];
}
