// The field names that `--fields` may ask for although no record on hand carries them.
import { closest } from "../../closest.ts";
import type { Context } from "../../context.ts";
import type { Resource } from "../../spec/resource.ts";
import { texts } from "../command.ts";

/** Every field of a resource that is known to be written or returned. */
export function knownNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.returned])];
}

/** What is wrong with the fields that a write is to print: told before it is sent, for after it a script would repeat the write. */
export function unknownFields(resource: Resource, { globals }: Pick<Context, "globals">): readonly string[] {
  const known = knownNames(resource);
  return ["fields", "field"].flatMap((flag) =>
    texts(globals[flag])
      .flatMap((text) => text.split(","))
      .map((path) => path.trim().split(".", 1)[0] ?? "")
      .filter((name) => name !== "" && !known.includes(name))
      .map((name) => {
        const near = closest(name, known);
        return `--${flag}: ${name} is no known field of ${resource.name}${near === undefined ? "" : ` (did you mean ${near}?)`}`;
      }),
  );
}
