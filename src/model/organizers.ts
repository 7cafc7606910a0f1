// Organizers: sections 2 and 4.4 of the interface.
import { getLinkedPostFilters, postFields, postReadOnlyFields, type Resource } from "./resource.ts";

/** Organizers, as the interface has them. */
export const organizers: Resource = {
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
    { name: "image", type: "string", format: "image", meaning: "Featured image ID or URL" },
  ],
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
