// The order of the lists (not shown in the interface, but `order` and `orderby` of terms): as real servers have it.
import type { ResourceName } from "../spec/field.ts";
import { countOf, type Linked, text } from "./entry.ts";
import type { Data } from "./store/memory.ts";
import type { Entry, Value } from "./store/tables.ts";

type Key = string | number;

/** Events by their start, venues and organizers newest first, terms by `orderby`. Records that compare alike are in the order of their ids. */
export function sorted(
  resource: ResourceName,
  entries: readonly Entry[],
  values: Readonly<Record<string, Value>>,
  data: Data,
): readonly Entry[] {
  if (resource === "events") return by(entries, (entry) => text(entry, "start_date"));
  if (resource === "venues" || resource === "organizers") return by(entries, (entry) => -entry.id);
  const ascending = by(entries, termKey(resource, String(values["orderby"] ?? "name"), data));
  // Recorded: everything but "asc" means "desc".
  return String(values["order"] ?? "asc").toLowerCase() === "asc" ? ascending : ascending.toReversed();
}

function termKey(resource: Linked, orderby: string, data: Data): (entry: Entry) => Key {
  if (orderby === "id") return ({ id }) => id;
  if (orderby === "slug") return ({ slug }) => slug;
  if (orderby === "count") return ({ id }) => countOf(data, resource, id);
  return (entry) => text(entry, "name").normalize("NFD").toLowerCase();
}

function by(entries: readonly Entry[], key: (entry: Entry) => Key): readonly Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  const compare = (a: Key, b: Key): number => (a < b ? -1 : a > b ? 1 : 0);
  return keyed.sort((a, b) => compare(a.key, b.key) || a.entry.id - b.entry.id).map(({ entry }) => entry);
}
