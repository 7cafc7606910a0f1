// What happens around a record that goes for good: events lose it, its children move up.
import type { ResourceName } from "../spec/field.ts";
import { findLinkedEvents, getIdListField, linkFields } from "./entry.ts";
import type { StoreWriter } from "./store/memory.ts";
import type { Entry } from "./store/tables.ts";

/** Removes a record for good. */
export function deletePermanently(draft: StoreWriter, resource: ResourceName, entry: Entry): void {
  if (resource !== "events") {
    const field = linkFields[resource];
    for (const event of findLinkedEvents(draft, resource, entry.id)) {
      draft.put("events", { ...event, fields: { ...event.fields, [field]: getIdListField(event, field).filter((id) => id !== entry.id) } });
    }
  }
  if (resource === "categories") {
    for (const child of draft.all("categories").filter(({ fields }) => fields["parent"] === entry.id)) {
      draft.put("categories", { ...child, fields: { ...child.fields, parent: entry.fields["parent"] ?? 0 } });
    }
  }
  draft.remove(resource, entry.id);
}
