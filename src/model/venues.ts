// Venues: sections 2 and 4.3 of the interface.
import { getLinkedPostFilters, postFields, postReadOnlyFields, type Resource } from "./resource.ts";

/** Venues, as the interface has them. */
export const venues: Resource = {
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
    { name: "image", type: "string", format: "image", meaning: "Featured image ID or URL" },
  ],
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
