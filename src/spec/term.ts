// What categories and tags have in common: both are terms (sections 2, 4.5 and 4.6).
import type { Field, ResourceName } from "./field.ts";

/** The fields that both tables begin with, in the interface's order. */
export const termFields: readonly Field[] = [
  { name: "name", type: "string", required: true, meaning: "Name" },
  { name: "description", type: "string", format: "html", meaning: "Description" },
  { name: "slug", type: "string", meaning: "Slug" },
];

/** Fields of a returned term that nobody writes ("not shown" in the interface). */
export const termReadOnlyFields: readonly string[] = ["id", "count", "taxonomy", "meta", "url", "urls", "_links"];

/** What WordPress sorts terms by; a word that it does not know it takes for the name. */
const termOrderByValues: readonly string[] = ["name", "slug", "id", "count", "include", "description", "parent", "term_group", "none"];

/** The list parameters of a term resource, in the interface's order; `above` is how those with parents are found. */
export function getTermFilters(name: ResourceName, above: readonly Field[] = []): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", meaning: "Match a string" },
    { name: "exclude", type: "integers", refersTo: name, meaning: "IDs to exclude" },
    { name: "include", type: "integers", refersTo: name, meaning: "Only these IDs" },
    { name: "order", type: "string", values: ["asc", "desc"], meaning: "Sort ascending or descending" },
    { name: "orderby", type: "string", values: termOrderByValues, meaning: "Term attribute to sort by" },
    { name: "hide_empty", type: "boolean", default: "1", meaning: "Hide terms not assigned to any posts" },
    ...above,
    { name: "post", type: "integer", refersTo: "events", meaning: "Terms assigned to this post" },
    { name: "event", type: "integer", refersTo: "events", meaning: "Alias of `post`" },
    { name: "slug", type: "string", meaning: "Terms with this slug" },
  ];
}
