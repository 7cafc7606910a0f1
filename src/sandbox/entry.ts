// Reading the fields of a record, and what links records to each other.
import type { StoreReader } from "./store/memory.ts";
import type { Entry, FieldValue } from "./store/tables.ts";

/** A field as text; "" where it is not set. */
export function getTextField(entry: Entry, name: string): string {
  const value = entry.fields[name];
  return value === undefined ? "" : String(value);
}

/** A field as a truth; the interface types some of them as strings. */
export function getBooleanField(entry: Entry, name: string): boolean {
  const value = entry.fields[name];
  return value === true || value === "true" || value === "1";
}

/** The ids in a field; empty where it is not set. */
export function getIdListField(entry: Entry, name: string): readonly number[] {
  return toIds(entry.fields[name]);
}

/** The ids in a value; one number is a list of one. */
export function toIds(value: FieldValue | undefined): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" ? value : [];
}

/** The field of an event that holds the ids of each other resource. */
export const linkFields = { venues: "venue", organizers: "organizer", categories: "categories", tags: "tags" } as const;

/** A resource whose records events are linked to. */
export type LinkedResourceName = keyof typeof linkFields;

/** Events that name a record. */
export function findLinkedEvents(data: StoreReader, resource: LinkedResourceName, id: number): readonly Entry[] {
  return data.all("events").filter((event) => getIdListField(event, linkFields[resource]).includes(id));
}

/** How many published events have a term. */
export function countPublishedEvents(data: StoreReader, resource: LinkedResourceName, id: number): number {
  return findLinkedEvents(data, resource, id).filter(({ status }) => status === "publish").length;
}

/** A category and everything below it. */
export function getCategorySubtreeIds(data: StoreReader, id: number, seen: ReadonlySet<number> = new Set()): readonly number[] {
  if (seen.has(id)) return [];
  const known = new Set([...seen, id]);
  const children = data.all("categories").filter((category) => category.fields["parent"] === id);
  return [id, ...children.flatMap((child) => getCategorySubtreeIds(data, child.id, known))];
}
