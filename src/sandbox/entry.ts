// The fields of a record, the links between records, and slugs.
import type { ResourceName } from "../model/resource.ts";
import type { Entry, FieldValue, StoreReader, StoreWriter } from "./store.ts";
import { toUtc } from "./time.ts";

/** "" where the field is not set. */
export function getTextField(entry: Entry, name: string): string {
  return String(entry.fields[name] ?? "");
}

/** The interface types some booleans as strings. */
export function getBooleanField(entry: Entry, name: string): boolean {
  const value = entry.fields[name];
  return value === true || value === "true" || value === "1";
}

export function getIdListField(entry: Entry, name: string): readonly number[] {
  return toIds(entry.fields[name]);
}

/** One number is a list of one. */
export function toIds(value: FieldValue | undefined): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" ? value : [];
}

/** The time fields of an event. An all-day event fills its days. */
export function createTimeFields(times: {
  readonly start_date: string;
  readonly end_date: string;
  readonly timezone: string;
  readonly all_day: boolean;
}): Readonly<Record<string, FieldValue>> {
  const { timezone, all_day } = times;
  const start_date = all_day ? `${times.start_date.slice(0, 10)} 00:00:00` : times.start_date;
  const end_date = all_day ? `${times.end_date.slice(0, 10)} 23:59:59` : times.end_date;
  const utc = { utc_start_date: toUtc(start_date, timezone), utc_end_date: toUtc(end_date, timezone) };
  return { start_date, end_date, timezone, all_day, ...utc };
}

/** The field of an event that holds the ids of each other resource. */
export const linkFields = { venues: "venue", organizers: "organizer", categories: "categories", tags: "tags" } as const;

/** A resource whose records events are linked to. */
export type LinkedResourceName = keyof typeof linkFields;

export function findLinkedEvents(data: StoreReader, resource: LinkedResourceName, id: number): readonly Entry[] {
  return data.all("events").filter((event) => getIdListField(event, linkFields[resource]).includes(id));
}

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

/** Removes a record, its links from events, and a category from above its children, which move up. */
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

/**
 * Letters and their accents apart. Runs of accents are cut at 30, as in the stream-safe text of Unicode, because the time to sort a run grows
 * with the square of its length.
 */
export function decompose(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, "$1").normalize("NFD");
}

const transliterations: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l", đ: "d", þ: "th", ð: "d", ı: "i" };

/** The slug of a title, or of a slug that was sent, as WordPress makes it: no accents, other scripts percent-encoded in lower case. */
export function slugify(text: string): string {
  const bare = text
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:[a-z]+|#\d+);/gi, "")
    .replace(/\p{Surrogate}/gu, "")
    .toLowerCase();
  const plain = decompose(bare)
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßæøœłđþðı]/g, (letter) => transliterations[letter] ?? letter)
    .replace(/[\s./\u00a0\u2013\u2014]+/g, "-")
    .replace(/[\u2018\u2019\u201c\u201d\u00a1\u00bf]/g, "")
    .replace(/[\0-\x7f]/g, (character) => (/[a-z0-9_-]/.test(character) ? character : ""));
  let slug = "";
  for (const character of plain) {
    const encoded = character > "\x7f" ? encodeURIComponent(character).toLowerCase() : character;
    // Half a percent-encoded character would be no slug.
    if (slug.length + encoded.length > 200) break;
    slug += encoded;
  }
  return slug.replace(/-+/g, "-").replace(/^-|-$/g, "");
}

/** The slug, or the first of `-2`, `-3`... that no other record of the resource has. */
export function createUniqueSlug(data: StoreReader, resource: ResourceName, slug: string, ownId?: number): string {
  const taken = new Set(data.all(resource).flatMap((other) => (other.id === ownId ? [] : [other.slug])));
  let unique = slug;
  for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
  return unique;
}
