// Event tags: sections 2 and 4.6 of the interface.
import type { Resource } from "./resource.ts";
import { termFields, termFilters, termReturned } from "./term.ts";

/** Event tags, as the interface has them. */
export const tags: Resource = {
  name: "tags",
  singular: "tag",
  title: "name",
  bySlug: false,
  slugInBody: false,
  isDated: false,
  isTerm: true,
  fields: termFields,
  filters: termFilters("tags"),
  returned: termReturned,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "NAME", path: "name", kind: "name", priority: 1 },
    { header: "SLUG", path: "slug", kind: "text", priority: 2 },
    { header: "COUNT", path: "count", kind: "count", priority: 3 },
    { header: "DESCRIPTION", path: "description", kind: "text", priority: 4 },
  ],
};
