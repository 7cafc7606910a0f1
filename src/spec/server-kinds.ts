// Two kinds of server behind one interface, as data: the contract to the letter, and what sites that run The Events Calendar need sent.
import type { ResourceName } from "./field.ts";

/** The kinds by the name that a profile's `server` setting has. */
export type ServerName = "generic" | "the-events-calendar";

/** What a kind of server needs that the other does not. */
export interface ServerKind {
  readonly name: ServerName;
  /** Fields of `integers` that take one bare value instead of an array, by resource. */
  readonly scalars: Partial<Record<ResourceName, readonly string[]>>;
  /** Fields that an update loses unless they are sent along, by resource. Absent: updates are partial. */
  readonly lostOnUpdate: Partial<Record<ResourceName, readonly string[]>>;
  /** What the list's `start_date` and `end_date` mean: events that start there, or that lie wholly inside. */
  readonly window: "starts" | "inside";
  /** Whether returned texts are rendered: entities in names, HTML in descriptions, formatted prices. */
  readonly rendersText: boolean;
  /** Resources of which a create under an existing name changes the existing record instead. */
  readonly mergesByName: readonly ResourceName[];
  /** Whether a by-slug update may carry a `slug`: it renames, or it is required (section 4.3). */
  readonly slugInBody: boolean;
  /** Fields that can't be emptied, with what happens instead, by resource. */
  readonly cannotClear: Partial<Record<ResourceName, Readonly<Record<string, string>>>>;
  /** Fields that are emptied in a way of their own: left out of the update, or set to the record's own id. */
  readonly clears: Partial<Record<ResourceName, Readonly<Record<string, "omit" | "own-id">>>>;
  /** Filters that make a list hide nothing: terms without events, events of any date. */
  readonly unhide: Partial<Record<ResourceName, Readonly<Record<string, string | boolean>>>>;
  /** What a delete does to events, venues and organizers. Categories and tags are always destroyed. */
  readonly deletes: "destroys" | "trashes";
}

const keeps = "the server keeps the old text";
const always = {
  status: "a record always has one",
  author: "a record always has one",
  date: "a record always has one",
  date_utc: "a record always has one",
};

/** Both kinds. `generic` is the default; the namespace `tribe/events/v1` implies the other. */
export const serverKinds: Readonly<Record<ServerName, ServerKind>> = {
  generic: {
    name: "generic",
    scalars: {},
    lostOnUpdate: {},
    window: "starts",
    rendersText: false,
    mergesByName: [],
    slugInBody: true,
    cannotClear: {},
    clears: {},
    unhide: { categories: { hide_empty: false }, tags: { hide_empty: false } },
    deletes: "destroys",
  },
  "the-events-calendar": {
    name: "the-events-calendar",
    scalars: { events: ["venue"] },
    lostOnUpdate: {
      events: [
        "status",
        "date",
        "timezone",
        "all_day",
        "start_date",
        "end_date",
        "cost",
        "show_map",
        "show_map_link",
        "hide_from_listings",
        "sticky",
        "featured",
        "organizer",
        "website",
        "image",
      ],
      venues: ["status", "show_map", "show_map_link", "stateprovince", "image"],
      organizers: ["status", "image"],
    },
    window: "inside",
    rendersText: true,
    mergesByName: ["venues", "organizers"],
    slugInBody: false,
    cannotClear: {
      events: {
        title: "an event needs one",
        start_date: "an event needs one",
        end_date: "an event needs one",
        description: keeps,
        excerpt: keeps,
        slug: "the server keeps the old slug",
        venue: "the server keeps the venue; it can only be replaced",
        ...always,
      },
      venues: { venue: "a venue needs a name", description: keeps, ...always },
      organizers: { organizer: "an organizer needs a name", description: keeps, ...always },
      categories: { name: "a category needs one", description: keeps, slug: "the server keeps the old slug" },
      tags: { name: "a tag needs one", description: keeps, slug: "the server keeps the old slug" },
    },
    clears: { events: { image: "omit" }, venues: { image: "omit" }, organizers: { image: "omit" }, categories: { parent: "own-id" } },
    // The earliest day that such a site is known to take; 1970-01-01 it refuses.
    unhide: { events: { starts_after: "1900-01-01" }, categories: { hide_empty: false }, tags: { hide_empty: false } },
    deletes: "trashes",
  },
};
