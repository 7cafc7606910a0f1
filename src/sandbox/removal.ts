// What happens around a record that goes for good: events lose it, its children move up.
import type { ResourceName } from "../spec/field.ts";
import { eventsOf, ids, links } from "./entry.ts";
import type { Draft } from "./store/memory.ts";
import type { Entry } from "./store/tables.ts";

/** Removes a record for good. */
export function destroy(draft: Draft, resource: ResourceName, entry: Entry): void {
  if (resource !== "events") {
    const field = links[resource];
    for (const event of eventsOf(draft, resource, entry.id)) {
      draft.put("events", { ...event, fields: { ...event.fields, [field]: ids(event, field).filter((id) => id !== entry.id) } });
    }
  }
  if (resource === "categories") {
    for (const child of draft.all("categories").filter(({ fields }) => fields["parent"] === entry.id)) {
      draft.put("categories", { ...child, fields: { ...child.fields, parent: entry.fields["parent"] ?? 0 } });
    }
  }
  draft.remove(resource, entry.id);
}
