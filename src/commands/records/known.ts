// The field names that `--fields` may ask for although no record on hand carries them.
import type { Resource } from "../../spec/resource.ts";

/** Every field of a resource that is known to be written or returned. */
export function knownNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.returned])];
}
