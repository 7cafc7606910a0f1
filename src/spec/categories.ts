// Event categories: sections 2 and 4.5 of the interface.
import type { Resource } from "./resource.ts";
import { termFields, termFilters, termReturned } from "./term.ts";

/** Event categories, as the interface has them. */
export const categories: Resource = {
  name: "categories",
  singular: "category",
  title: "name",
  bySlug: false,
  slugInBody: false,
  isDated: false,
  isTerm: true,
  fields: [...termFields, { name: "parent", type: "integer", refersTo: "categories", meaning: "Parent category" }],
  filters: termFilters("categories", [{ name: "parent", type: "integer", refersTo: "categories", meaning: "Terms with this parent" }]),
  returned: termReturned,
  columns: [
    { header: "ID", path: "id", kind: "id", priority: 1 },
    { header: "NAME", path: "name", kind: "name", priority: 1 },
    { header: "SLUG", path: "slug", kind: "text", priority: 2 },
    { header: "PARENT", path: "parent", kind: "id", priority: 3 },
    { header: "COUNT", path: "count", kind: "count", priority: 4 },
    { header: "DESCRIPTION", path: "description", kind: "text", priority: 5 },
  ],
};
