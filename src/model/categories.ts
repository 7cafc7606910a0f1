// Event categories: sections 2 and 4.5 of the interface.
import { getTermFilters, type Resource, termFields, termReadOnlyFields } from "./resource.ts";

/** Event categories, as the interface has them. */
export const categories: Resource = {
  name: "categories",
  singular: "category",
  titleField: "name",
  bySlug: false,
  slugInBody: false,
  hasDates: false,
  isTerm: true,
  fields: [...termFields, { name: "parent", type: "integer", refersTo: "categories", meaning: "Parent category" }],
  filters: getTermFilters("categories", [{ name: "parent", type: "integer", refersTo: "categories", meaning: "Terms with this parent" }]),
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
