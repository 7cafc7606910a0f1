// The five resources of the interface as data: sections 2 and 4 of docs/interface/calendar.md. Events have a file of their own.
import { events, imageField, postStatuses } from "./events.ts";
import type { Field, Resource, ResourceName } from "./resource.ts";

/** Fields of a record that are for programs: people read them last. */
export const fieldsReadLast: readonly string[] = [
  ...["date", "date_utc", "modified", "modified_utc", "utc_start_date", "utc_end_date", "timezone_abbr", "taxonomy"],
  ...["slug", "id", "author", "global_id", "global_id_lineage", "rest_url"],
];

/** The fields after the name in the tables of venues and organizers, in the interface's order. */
const postFields: readonly Field[] = [
  { name: "author", type: "integer", meaning: "Author ID" },
  { name: "date", type: "string", format: "date-time", meaning: "Publication date" },
  { name: "date_utc", type: "string", format: "date-time", meaning: "Publication date in UTC" },
  { name: "description", type: "string", format: "html", canBeAbsent: true, meaning: "Description" },
  { name: "status", type: "string", format: "status", values: postStatuses, meaning: "Post status" },
];

/** Fields of a returned post that nobody writes ("not shown" in the interface). */
const postReadOnlyFields: readonly string[] = [
  "id",
  "slug",
  "modified",
  "modified_utc",
  "url",
  "excerpt",
  "global_id",
  "global_id_lineage",
  "json_ld",
];

/** The list parameters of venues (section 4.3). Section 4.4 gives organizers the same. */
function getLinkedPostFilters(name: ResourceName): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const flagString = { type: "any", format: "flag-string" } as const;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", format: "search", meaning: "Text in title, description or custom fields" },
    {
      name: "event",
      type: "integer",
      refersTo: "events",
      meaning: `${plural} related to this event`,
      helpMeaning: `${plural} of an event: id, slug or name`,
    },
    { name: "has_events", ...flagString, meaning: `${plural} that have events` },
    { name: "only_with_upcoming", ...flagString, default: false, meaning: `${plural} that have upcoming events` },
    { name: "status", type: "any", format: "status", values: postStatuses, commaSeparated: true, meaning: "Post status" },
  ];
}

/** Venues: section 4.3. */
const venues: Resource = {
  name: "venues",
  singular: "venue",
  titleField: "venue",
  bySlug: true,
  slugInBody: true,
  hasDates: false,
  isTerm: false,
  fields: [
    { name: "venue", type: "string", required: true, meaning: "Name of the venue" },
    ...postFields,
    { name: "show_map", type: "string", format: "flag-string", meaning: "Whether linked events show a map" },
    { name: "show_map_link", type: "string", format: "flag-string", meaning: "Whether linked events show a map link" },
    { name: "address", type: "string", meaning: "Address" },
    { name: "city", type: "string", meaning: "City" },
    { name: "country", type: "string", meaning: "Country" },
    { name: "province", type: "string", meaning: "State, canton or province" },
    { name: "state", type: "string", meaning: "State, canton or province" },
    { name: "zip", type: "string", meaning: "Postal code" },
    { name: "phone", type: "string", meaning: "Telephone number" },
    { name: "stateprovince", type: "string", meaning: "State and country" },
    { name: "website", type: "string", format: "url", meaning: "URL of the venue's website" },
    imageField,
  ],
  mainFields: ["venue", "address", "city", "zip", "state", "country", "phone", "website", "description", "status", "image"],
  fieldsReadFirst: ["venue", "address", "city", "zip", "state", "country", "phone", "website", "status", "description", "url", "image"],
  filters: getLinkedPostFilters("venues"),
  readOnlyFields: [...postReadOnlyFields, "geo_lat", "geo_lng"],
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "VENUE", path: "venue", kind: "name", priority: 1 },
    { header: "ADDRESS", path: "address", kind: "text", priority: 5 },
    { header: "CITY", path: "city", kind: "text", priority: 2 },
    { header: "COUNTRY", path: "country", kind: "text", priority: 3 },
    { header: "STATUS", path: "status", kind: "status", priority: 4 },
    { header: "SLUG", path: "slug", kind: "text", priority: 6 },
  ],
};

/** Organizers: section 4.4. */
const organizers: Resource = {
  name: "organizers",
  singular: "organizer",
  titleField: "organizer",
  bySlug: true,
  slugInBody: false,
  hasDates: false,
  isTerm: false,
  fields: [
    { name: "organizer", type: "string", required: true, meaning: "Name of the organizer" },
    ...postFields,
    { name: "phone", type: "string", meaning: "Telephone number" },
    { name: "website", type: "string", format: "url", meaning: "Website URL" },
    { name: "email", type: "string", format: "email", meaning: "E-mail address" },
    imageField,
  ],
  mainFields: ["organizer", "email", "phone", "website", "description", "status", "image"],
  fieldsReadFirst: ["organizer", "email", "phone", "website", "status", "description", "url", "image"],
  filters: getLinkedPostFilters("organizers"),
  readOnlyFields: postReadOnlyFields,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "ORGANIZER", path: "organizer", kind: "name", priority: 1 },
    { header: "EMAIL", path: "email", kind: "text", priority: 2 },
    { header: "PHONE", path: "phone", kind: "text", priority: 3 },
    { header: "WEBSITE", path: "website", kind: "text", priority: 5 },
    { header: "STATUS", path: "status", kind: "status", priority: 4 },
    { header: "SLUG", path: "slug", kind: "text", priority: 6 },
  ],
};

/** The first fields in the tables of categories and tags, in the interface's order. */
const termFields: readonly Field[] = [
  { name: "name", type: "string", required: true, meaning: "Name" },
  { name: "description", type: "string", format: "html", canBeAbsent: true, meaning: "Description" },
  { name: "slug", type: "string", meaning: "Slug" },
];

/** Fields of a returned term that nobody writes ("not shown" in the interface). */
const termReadOnlyFields: readonly string[] = ["id", "count", "taxonomy", "meta", "url", "urls", "_links"];

/** The sort keys of WordPress. It sorts by name where it does not know the key. */
const termOrderByValues: readonly string[] = ["name", "slug", "id", "count", "include", "description", "parent", "term_group", "none"];

/** The list parameters of a resource of terms, in the interface's order. */
function getTermFilters(name: ResourceName, singular: string, parentFilters: readonly Field[] = []): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", format: "search", meaning: "Match a string" },
    {
      name: "exclude",
      type: "integers",
      refersTo: name,
      meaning: "IDs to exclude",
      helpMeaning: `All but this ${singular}: id, slug or name`,
    },
    {
      name: "include",
      type: "integers",
      refersTo: name,
      meaning: "Only these IDs",
      helpMeaning: `Only this ${singular}: id, slug or name`,
    },
    { name: "order", type: "string", values: ["asc", "desc"], meaning: "Sort ascending or descending" },
    { name: "orderby", type: "string", values: termOrderByValues, meaning: "Term attribute to sort by" },
    { name: "hide_empty", type: "boolean", default: "1", meaning: "Hide terms not assigned to any posts" },
    ...parentFilters,
    {
      name: "post",
      type: "integer",
      refersTo: "events",
      meaning: "Terms assigned to this post",
      helpMeaning: `${plural} of an event: id, slug or name`,
    },
    { name: "event", type: "integer", refersTo: "events", meaning: "Alias of `post`", helpMeaning: "The same as --post" },
    { name: "slug", type: "string", meaning: "Terms with this slug" },
  ];
}

/** Event categories: section 4.5. */
const categories: Resource = {
  name: "categories",
  singular: "category",
  titleField: "name",
  bySlug: false,
  slugInBody: false,
  hasDates: false,
  isTerm: true,
  fields: [
    ...termFields,
    {
      name: "parent",
      type: "integer",
      refersTo: "categories",
      meaning: "Parent category",
      helpMeaning: "Parent category: id, slug or name",
    },
  ],
  mainFields: ["name", "parent", "description", "slug"],
  fieldsReadFirst: ["name", "parent", "description", "count", "url"],
  filters: getTermFilters("categories", "category", [
    {
      name: "parent",
      type: "integer",
      refersTo: "categories",
      meaning: "Terms with this parent",
      helpMeaning: "Categories below a category: id, slug or name",
    },
  ]),
  readOnlyFields: termReadOnlyFields,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "NAME", path: "name", kind: "name", priority: 1 },
    { header: "SLUG", path: "slug", kind: "text", priority: 2 },
    { header: "PARENT", path: "parent", kind: "id", priority: 3 },
    { header: "COUNT", path: "count", kind: "count", priority: 4 },
    { header: "DESCRIPTION", path: "description", kind: "text", priority: 5 },
  ],
};

/** Event tags: section 4.6. */
const tags: Resource = {
  name: "tags",
  singular: "tag",
  titleField: "name",
  bySlug: false,
  slugInBody: false,
  hasDates: false,
  isTerm: true,
  fields: termFields,
  mainFields: ["name", "description", "slug"],
  fieldsReadFirst: ["name", "description", "count", "url"],
  filters: getTermFilters("tags", "tag"),
  readOnlyFields: termReadOnlyFields,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "NAME", path: "name", kind: "name", priority: 1 },
    { header: "SLUG", path: "slug", kind: "text", priority: 2 },
    { header: "COUNT", path: "count", kind: "count", priority: 3 },
    { header: "DESCRIPTION", path: "description", kind: "text", priority: 4 },
  ],
};

/** Every resource by its name, in the interface's order. */
export const resources: Readonly<Record<ResourceName, Resource>> = { events, venues, organizers, categories, tags };

/** The namespace of the interface (section 1) and of sites that run The Events Calendar. */
export const namespaces = { interface: "calendar/events/v1", theEventsCalendar: "tribe/events/v1" } as const;
