// The two kinds of server as data: those that follow the interface to the letter, and sites that run The Events Calendar.
import type { ResourceName } from "./resource.ts";

/** The values of the setting `server`. */
export type ServerProfileName = "generic" | "the-events-calendar";

export interface ServerProfile {
  readonly name: ServerProfileName;
  /** Fields of `integers` that take one bare value instead of an array, by resource. */
  readonly scalarFields: Partial<Record<ResourceName, readonly string[]>>;
  /** Fields that an update loses unless the request repeats them, by resource. Absent: updates are partial. */
  readonly lostOnUpdate: Partial<Record<ResourceName, readonly string[]>>;
  /** Which events the list's `start_date` and `end_date` select: those that start between them, or those wholly inside. */
  readonly window: "starts" | "inside";
  /** Whether returned texts are rendered: entities in names, HTML in descriptions, formatted prices. */
  readonly rendersText: boolean;
  /** Resources of which a create under an existing name changes the existing record instead. */
  readonly upsertsByName: readonly ResourceName[];
  /** Resources whose search finds words of ASCII letters and digits only. */
  readonly searchesAsciiOnly: readonly ResourceName[];
  /** Resources of which a write loses one level of backslashes in each of its texts, so that they are sent doubled. */
  readonly stripsBackslashes: readonly ResourceName[];
  /** Whether a by-slug update may carry a `slug`: it renames, or it is required (section 4.3). */
  readonly slugInBody: boolean;
  /** Fields that can't be emptied, with the reason, by resource. */
  readonly cannotClear: Partial<Record<ResourceName, Readonly<Record<string, string>>>>;
  /** Fields that an update empties when it leaves them out, or sets them to the record's own id. */
  readonly clearMethods: Partial<Record<ResourceName, Readonly<Record<string, "omit" | "own-id">>>>;
  /** Filters that make a list hide nothing: terms without events, events of any date. */
  readonly unfilteredParameters: Partial<Record<ResourceName, Readonly<Record<string, string | boolean>>>>;
  /**
   * Statuses of lists that have no fixed order where they hold more than one of them: their pages repeat records and leave out others. The
   * most frequent one is first.
   */
  readonly unorderedStatuses: Partial<Record<ResourceName, readonly string[]>>;
  /** What a delete does to events, venues and organizers. Categories and tags are always destroyed. */
  readonly deleteMode: "destroys" | "trashes";
  /** Paths below {base_url} of WordPress's own interface, which shows records as they are stored to users who may edit them. */
  readonly rawPaths: Partial<Record<ResourceName, string>>;
  /** The path below {base_url} where pictures are uploaded; absent where the server takes none. */
  readonly mediaPath?: string;
}

/** The statuses of records that a list without a status holds for users who are logged in. */
const listedStatuses = ["publish", "draft", "pending", "private", "future"];

const textUnchangedReason = "the server keeps the old text";
const requiredFieldReasons = {
  status: "a record always has one",
  author: "a record always has one",
  date: "a record always has one",
  date_utc: "a record always has one",
};

/** `generic` is the default; the namespace `tribe/events/v1` implies the other. */
export const serverProfiles: Readonly<Record<ServerProfileName, ServerProfile>> = {
  generic: {
    name: "generic",
    scalarFields: {},
    lostOnUpdate: {},
    window: "starts",
    rendersText: false,
    upsertsByName: [],
    searchesAsciiOnly: [],
    stripsBackslashes: [],
    slugInBody: true,
    cannotClear: {},
    clearMethods: {},
    // The interface gives both dates defaults (section 4.2). The last day of the last year could be in the year after it in another zone.
    unfilteredParameters: {
      events: { start_date: "1900-01-01 00:00:00", end_date: "9999-12-30 23:59:59" },
      categories: { hide_empty: false },
      tags: { hide_empty: false },
    },
    unorderedStatuses: {},
    deleteMode: "destroys",
    rawPaths: {},
  },
  "the-events-calendar": {
    name: "the-events-calendar",
    scalarFields: { events: ["venue"] },
    lostOnUpdate: {
      events: [
        "status",
        "date",
        "date_utc",
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
    upsertsByName: ["venues", "organizers"],
    searchesAsciiOnly: ["venues", "organizers"],
    stripsBackslashes: ["events", "venues", "organizers"],
    slugInBody: false,
    cannotClear: {
      events: {
        title: "an event needs one",
        start_date: "an event needs one",
        end_date: "an event needs one",
        description: textUnchangedReason,
        excerpt: textUnchangedReason,
        slug: "the server keeps the old slug",
        venue: "the server keeps the venue; it can only be replaced",
        ...requiredFieldReasons,
      },
      venues: { venue: "a venue needs a name", description: textUnchangedReason, ...requiredFieldReasons },
      organizers: { organizer: "an organizer needs a name", description: textUnchangedReason, ...requiredFieldReasons },
      categories: { name: "a category needs one", description: textUnchangedReason, slug: "the server keeps the old slug" },
      tags: { name: "a tag needs one", description: textUnchangedReason, slug: "the server keeps the old slug" },
    },
    clearMethods: { events: { image: "omit" }, venues: { image: "omit" }, organizers: { image: "omit" }, categories: { parent: "own-id" } },
    // An early day that such a site accepts; it refuses 1970-01-01.
    unfilteredParameters: { events: { starts_after: "1900-01-01" }, categories: { hide_empty: false }, tags: { hide_empty: false } },
    unorderedStatuses: { venues: listedStatuses, organizers: listedStatuses },
    deleteMode: "trashes",
    rawPaths: { events: "/wp/v2/tribe_events", venues: "/wp/v2/tribe_venue", organizers: "/wp/v2/tribe_organizer" },
    mediaPath: "/wp/v2/media",
  },
};
