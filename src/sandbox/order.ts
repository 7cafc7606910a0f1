// The order of the lists (not shown in the interface, but `order` and `orderby` of terms): as real servers have it.
import type { ResourceName } from "../spec/field.ts";
import { countPublishedEvents, getTextField, type LinkedResourceName } from "./entry.ts";
import type { StoreReader } from "./store/memory.ts";
import type { Entry, FieldValue } from "./store/tables.ts";

type SortKey = string | number;

/** Events by their start, venues and organizers newest first, terms by `orderby`. Records that compare alike are in the order of their ids. */
export function sortEntries(
  resource: ResourceName,
  entries: readonly Entry[],
  values: Readonly<Record<string, FieldValue>>,
  data: StoreReader,
): readonly Entry[] {
  if (resource === "events") return sortBy(entries, (entry) => getTextField(entry, "start_date"));
  if (resource === "venues" || resource === "organizers") return sortBy(entries, (entry) => -entry.id);
  const ascending = sortBy(entries, getTermSortKey(resource, String(values["orderby"] ?? "name"), data));
  // Recorded: everything but "asc" means "desc".
  return String(values["order"] ?? "asc").toLowerCase() === "asc" ? ascending : ascending.toReversed();
}

function getTermSortKey(resource: LinkedResourceName, orderby: string, data: StoreReader): (entry: Entry) => SortKey {
  if (orderby === "id") return ({ id }) => id;
  if (orderby === "slug") return ({ slug }) => slug;
  if (orderby === "count") return ({ id }) => countPublishedEvents(data, resource, id);
  return (entry) => getTextField(entry, "name").normalize("NFD").toLowerCase();
}

function sortBy(entries: readonly Entry[], key: (entry: Entry) => SortKey): readonly Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  const compare = (a: SortKey, b: SortKey): number => (a < b ? -1 : a > b ? 1 : 0);
  return keyed.sort((a, b) => compare(a.key, b.key) || a.entry.id - b.entry.id).map(({ entry }) => entry);
}
