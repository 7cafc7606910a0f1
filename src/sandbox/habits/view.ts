// Records as WordPress with The Events Calendar sends them: rendered, encoded, and without the keys of empty fields.
import type { ResourceName } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import { countOf, flag, ids, text } from "../entry.ts";
import { recordUrl, restUrl, type Site } from "../site/site.ts";
import type { Data } from "../store/memory.ts";
import type { Entry } from "../store/tables.ts";
import { costDetails, formatCost } from "../view/cost.ts";
import { globalIds, postUrl, stamps, switches, taxonomies, termUrl, termUrls, times, type View, zoneParts } from "../view/parts.ts";
import { pictureView } from "./picture.ts";
import { rendered, termed, titled } from "./text.ts";

/** A record of any resource; reading a single one adds to it. */
export function viewOf(site: Site, data: Data, resource: ResourceName, entry: Entry, single = false): View {
  if (resource === "events") return eventView(site, data, entry, single);
  if (resource === "categories" || resource === "tags") return termView(site, data, resource, entry, single);
  return placeView(site, data, resource, entry, single);
}

const noTime = "0000-00-00 00:00:00";

/** Drafts that were never published have no date in UTC, and none of a change before the first one. */
function postStamps(site: Site, entry: Entry): View {
  const written = stamps(site, entry);
  if (entry.status !== "draft" && entry.status !== "pending") return written;
  return {
    ...written,
    date_utc: noTime,
    modified_utc: entry.modified_utc === entry.date_utc && entry.slug === "" ? noTime : entry.modified_utc,
  };
}

function eventView(site: Site, data: Data, entry: Entry, single: boolean): View {
  const url = postUrl(site, "events", entry);
  const venues = ids(entry, "venue")
    .flatMap((id) => data.find("venues", id) ?? [])
    .map((venue) => placeView(site, data, "venues", venue, single));
  const organizers = ids(entry, "organizer").flatMap((id) => data.find("organizers", id) ?? []);
  const nested = (resource: "categories" | "tags"): readonly View[] =>
    ids(entry, resource)
      .flatMap((id) => data.find(resource, id) ?? [])
      .map((term) => nestedTerm(site, data, resource, term));
  const website = entry.fields["website"];
  return {
    id: entry.id,
    ...globalIds(site, entry.id),
    author: String(entry.author),
    status: entry.status,
    ...postStamps(site, entry),
    url,
    rest_url: recordUrl(site, `events/${entry.id}`),
    title: titled(text(entry, "title")),
    description: rendered(text(entry, "description")),
    excerpt: rendered(text(entry, "excerpt")),
    slug: entry.slug,
    image: pictureView(site, data, text(entry, "image")) ?? false,
    all_day: flag(entry, "all_day"),
    ...times(entry),
    ...zoneParts(entry),
    cost: formatCost(text(entry, "cost")),
    cost_details: costDetails(text(entry, "cost")),
    // Never set is the event's own address; after an update without it, nothing.
    website: website === undefined ? url : String(website).replace(/&(?!#?\w+;)/g, "&amp;"),
    ...switches(entry),
    categories: nested("categories"),
    tags: nested("tags"),
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: organizers.map((organizer) => placeView(site, data, "organizers", organizer, single)),
    ...(site.version === "6.17.2" ? { custom_fields: [] } : {}),
    ...(single ? { json_ld: { "@context": "http://schema.org", "@type": "Event", name: titled(text(entry, "title")), url } } : {}),
  };
}

/** Fields of places that are not told as they are kept. */
const told: ReadonlySet<string> = new Set(["venue", "organizer", "description", "image", "show_map", "show_map_link"]);

function placeView(site: Site, data: Data, resource: "venues" | "organizers", entry: Entry, single: boolean): View {
  const { title, singular } = resources[resource];
  const description = rendered(text(entry, "description"));
  const picture = pictureView(site, data, text(entry, "image"));
  const name = titled(text(entry, title));
  return {
    id: entry.id,
    author: String(entry.author),
    status: entry.status,
    ...postStamps(site, entry),
    url: postUrl(site, resource, entry),
    [title]: name,
    ...(description === "" ? {} : { description }),
    slug: entry.slug,
    ...(picture === undefined ? {} : { image: picture }),
    ...Object.fromEntries(Object.entries(entry.fields).filter(([key, value]) => !told.has(key) && value !== "")),
    ...(single
      ? { json_ld: { "@type": singular === "venue" ? "Place" : "Person", name, description: "", url: text(entry, "website") } }
      : {}),
    ...(singular === "venue" ? { show_map: flag(entry, "show_map"), show_map_link: flag(entry, "show_map_link") } : {}),
    ...globalIds(site, entry.id),
  };
}

function termView(site: Site, data: Data, resource: "categories" | "tags", entry: Entry, single: boolean): View {
  const taxonomy = taxonomies[resource];
  const core = `/wp/v2/${resource === "tags" ? "tags" : taxonomy}`;
  const links = {
    self: [{ href: restUrl(site, `${core}/${entry.id}`) }],
    collection: [{ href: restUrl(site, core) }],
    about: [{ href: restUrl(site, `/wp/v2/taxonomies/${taxonomy}`) }],
  };
  return {
    id: entry.id,
    count: countOf(data, resource, entry.id),
    description: text(entry, "description"),
    name: termed(text(entry, "name")),
    slug: entry.slug,
    taxonomy,
    ...(resource === "categories" ? { parent: entry.fields["parent"] ?? 0 } : {}),
    meta: [],
    url: termUrl(site, resource, lineage(data, resource, entry)),
    urls: termUrls(site, resource, entry),
    ...(single ? { _links: links } : {}),
  };
}

function nestedTerm(site: Site, data: Data, resource: "categories" | "tags", entry: Entry): View {
  return {
    name: termed(text(entry, "name")),
    slug: entry.slug,
    term_group: 0,
    term_taxonomy_id: entry.id,
    taxonomy: taxonomies[resource],
    description: text(entry, "description"),
    parent: entry.fields["parent"] ?? 0,
    count: countOf(data, resource, entry.id),
    filter: "raw",
    id: entry.id,
    urls: termUrls(site, resource, entry),
  };
}

/** The slugs from the topmost category down. */
function lineage(data: Data, resource: "categories" | "tags", entry: Entry): readonly string[] {
  const above = data.find(resource, Number(entry.fields["parent"] ?? 0));
  return above === undefined || above.id === entry.id ? [entry.slug] : [...lineage(data, resource, above), entry.slug];
}
