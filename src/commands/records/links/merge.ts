// A create under a name that exists would change the existing record on some servers: looked for before anything is sent.
import { findByName, formatMatches } from "../../../api/lookup.ts";
import { idOf, isRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { CalError } from "../../../errors.ts";
import { resources } from "../../../spec/index.ts";
import type { Resource } from "../../../spec/resource.ts";
import type { RecordSite } from "../site.ts";

/** Rejects (exit 6) where the record, or inline data of a linked one, has a name that this kind of server would merge into; not for `besides` among the data. */
export async function assertNoMerge(site: RecordSite, resource: Resource, values: Input, besides: readonly unknown[] = []): Promise<void> {
  await assertNameAvailable(site, resource, values);
  for (const field of resource.fields) {
    if (field.refersTo === undefined) continue;
    const value = values[field.name];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    // Inline data with an id names its record; only data without one can meet a name by accident.
    for (const item of items)
      if (isRecord(item) && item["id"] === undefined && !besides.includes(item))
        await assertNameAvailable(site, resources[field.refersTo], item);
  }
}

async function assertNameAvailable(site: RecordSite, resource: Resource, values: Input): Promise<void> {
  const name = values[resource.titleField];
  if (!site.serverProfile.upsertsByName.includes(resource.name) || typeof name !== "string" || name === "") return;
  const found = await findByName(site, resource, name);
  const [first] = found;
  if (first === undefined) return;
  throw new CalError(
    "rejected",
    `there is already a ${resource.singular} of this name, and this server would change it instead of creating one: ${formatMatches(resource, found)}`,
    {
      code: "name-exists",
      hint: `change it: cal ${resource.name} edit ${idOf(first) ?? ""}; use it as it is: --${resource.singular} ${idOf(first) ?? ""}; merge all the same: --merge`,
    },
  );
}
