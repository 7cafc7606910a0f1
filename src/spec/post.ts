// What posts have in common: venues and organizers, which events are linked to, and in part events (sections 2, 4.3 and 4.4).
import type { Field, ResourceName } from "./field.ts";

/** What WordPress calls the states of a post; the interface shows none (section 3), and a site can have more. */
export const postStatuses: readonly string[] = ["publish", "draft", "pending", "private", "future", "trash"];

const booleanStrings: readonly string[] = ["true", "false"];

/** The fields between the name and the rest of both tables, in the interface's order. */
export const postFields: readonly Field[] = [
  { name: "author", type: "integer", meaning: "Author ID" },
  { name: "date", type: "string", format: "date-time", meaning: "Publication date" },
  { name: "date_utc", type: "string", format: "date-time", meaning: "Publication date in UTC" },
  { name: "description", type: "string", format: "html", meaning: "Description" },
  { name: "status", type: "string", format: "status", values: postStatuses, meaning: "Post status" },
];

/** Fields of a returned post that nobody writes ("not shown" in the interface). */
export const postReadOnlyFields: readonly string[] = [
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

/** The list parameters of venues; section 4.4 gives organizers the same, with the meanings applied to them. */
export function getLinkedPostFilters(name: ResourceName): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", meaning: "Text in title, description or custom fields" },
    { name: "event", type: "integer", refersTo: "events", meaning: `${plural} related to this event` },
    { name: "has_events", type: "any", values: booleanStrings, closedEnum: true, meaning: `${plural} that have events` },
    {
      name: "only_with_upcoming",
      type: "any",
      values: booleanStrings,
      closedEnum: true,
      default: false,
      meaning: `${plural} that have upcoming events`,
    },
    { name: "status", type: "any", format: "status", values: postStatuses, commaSeparated: true, meaning: "Post status" },
  ];
}
