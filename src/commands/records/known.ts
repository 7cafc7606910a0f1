// The field names that `--fields` may ask for although no record on hand carries them.
import { meant } from "../../closest.ts";
import type { Resource } from "../../spec/resource.ts";
import { namesIn } from "../command.ts";
import type { Call } from "./call.ts";
import { pointsAtMany } from "./refs.ts";

/** Every field of a resource that is known to be written or returned. */
export function knownNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.returned])];
}

/** What is wrong with the fields and columns that a write is to print: told before it is sent, for after it a script would repeat the write. */
export function unknownFields({ resource, invocation, context: { globals } }: Call): readonly string[] {
  const known = knownNames(resource);
  const title = resource.columns.find(({ kind }) => kind === "name")?.path;
  const usual = title === undefined ? {} : { name: title };
  const columns = columnNames(resource, namesIn(globals["fields"]), pointsAtMany(invocation) || invocation.flags["times"] !== undefined);
  return [
    ...["fields", "field"].flatMap((flag) =>
      namesIn(globals[flag])
        .map((path) => path.split(".", 1)[0] ?? "")
        .filter((name) => !known.includes(name))
        .map((name) => `--${flag}: ${name} is no known field of ${resource.name}${meant(name, known, { usual })}`),
    ),
    ...namesIn(globals["columns"])
      .filter((name) => !columns.includes(name.toLowerCase()))
      .map((name) => `--columns: ${name} is no column here${meant(name, columns) || `; there are ${columns.join(", ")}`}`),
  ];
}

/** The columns of a record, or of what became of many, where these fields are asked for. */
function columnNames({ columns }: Resource, fields: readonly string[], many: boolean): readonly string[] {
  const own = columns.filter(({ path }) => fields.includes(path) || (fields.length === 0 && !many));
  const asked = many && fields.length === 0 ? ["id", "name"] : fields;
  const all = [...own.flatMap(({ header, path }) => [path, header]), ...asked].map((name) => name.toLowerCase());
  return [...new Set(many ? ["ref", "ok", ...all, "error"] : all)];
}
