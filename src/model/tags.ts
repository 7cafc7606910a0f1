// Event tags: sections 2 and 4.6 of the interface.
import { getTermFilters, type Resource, termFields, termReadOnlyFields } from "./resource.ts";

/** Event tags, as the interface has them. */
export const tags: Resource = {
  name: "tags",
  singular: "tag",
  titleField: "name",
  bySlug: false,
  slugInBody: false,
  hasDates: false,
  isTerm: true,
  fields: termFields,
  filters: getTermFilters("tags"),
  readOnlyFields: termReadOnlyFields,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "NAME", path: "name", kind: "name", priority: 1 },
    { header: "SLUG", path: "slug", kind: "text", priority: 2 },
    { header: "COUNT", path: "count", kind: "count", priority: 3 },
    { header: "DESCRIPTION", path: "description", kind: "text", priority: 4 },
  ],
};
