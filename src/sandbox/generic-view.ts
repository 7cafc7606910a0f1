// Records as the contract's server sends them: every field of the tables as it was written, with the shapes of real servers around them.
import type { ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { countPublishedEvents, getBooleanField, getIdListField, getTextField, linkFields } from "./entry.ts";
import {
  formatBooleanFields,
  formatCostDetails,
  formatEventTimes,
  formatGlobalIds,
  formatPostDates,
  formatTimeZone,
  getPostPageUrl,
  getTermPageUrl,
  getTermRestUrls,
  type JsonObject,
  taxonomies,
} from "./record-view.ts";
import { getNamespaceUrl, type Site } from "./site.ts";
import type { Entry, StoreReader } from "./store.ts";

/** A record of any resource, whole. */
export function formatRecord(site: Site, data: StoreReader, resource: ResourceName, entry: Entry): JsonObject {
  if (resource === "events") return formatEvent(site, data, entry);
  if (resource === "categories" || resource === "tags") return formatTerm(site, data, resource, entry);
  return formatPlace(site, resource, entry);
}

function formatEvent(site: Site, data: StoreReader, entry: Entry): JsonObject {
  const linked = (resource: keyof typeof linkFields): readonly JsonObject[] =>
    getIdListField(entry, linkFields[resource]).flatMap((id) => {
      const found = data.find(resource, id);
      return found === undefined ? [] : [formatRecord(site, data, resource, found)];
    });
  const venues = linked("venues");
  return {
    id: entry.id,
    ...formatGlobalIds(site, entry.id),
    author: entry.author,
    status: entry.status,
    ...formatPostDates(site, entry),
    url: getPostPageUrl(site, "events", entry),
    rest_url: getNamespaceUrl(site, `events/${entry.id}`),
    title: getTextField(entry, "title"),
    description: getTextField(entry, "description"),
    excerpt: getTextField(entry, "excerpt"),
    slug: entry.slug,
    image: getTextField(entry, "image"),
    all_day: getBooleanField(entry, "all_day"),
    ...formatEventTimes(entry),
    ...formatTimeZone(entry),
    cost: entry.fields["cost"] ?? "",
    cost_details: formatCostDetails(getTextField(entry, "cost")),
    website: getTextField(entry, "website"),
    ...formatBooleanFields(entry),
    categories: linked("categories"),
    tags: linked("tags"),
    // Real servers: nothing is [], one is an object, several are an array.
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: linked("organizers"),
  };
}

/** Venues and organizers: the writable fields in the order of the interface's tables. */
function formatPlace(site: Site, resource: "venues" | "organizers", entry: Entry): JsonObject {
  const known = new Set(["author", "date", "date_utc", "status"]);
  const written = resources[resource].fields.filter(({ name }) => !known.has(name)).map(({ name }) => [name, getTextField(entry, name)]);
  const geo = ["geo_lat", "geo_lng"].flatMap((name) => (entry.fields[name] === undefined ? [] : [[name, entry.fields[name]]]));
  return {
    id: entry.id,
    author: entry.author,
    status: entry.status,
    ...formatPostDates(site, entry),
    url: getPostPageUrl(site, resource, entry),
    rest_url: getNamespaceUrl(site, `${resource}/${entry.id}`),
    slug: entry.slug,
    ...Object.fromEntries([...written, ...geo]),
    ...formatGlobalIds(site, entry.id),
  };
}

function formatTerm(site: Site, data: StoreReader, resource: "categories" | "tags", entry: Entry): JsonObject {
  return {
    id: entry.id,
    count: countPublishedEvents(data, resource, entry.id),
    description: getTextField(entry, "description"),
    name: getTextField(entry, "name"),
    slug: entry.slug,
    taxonomy: taxonomies[resource],
    ...(resource === "categories" ? { parent: entry.fields["parent"] ?? 0 } : {}),
    url: getTermPageUrl(site, resource, [entry.slug]),
    urls: getTermRestUrls(site, resource, entry),
  };
}
