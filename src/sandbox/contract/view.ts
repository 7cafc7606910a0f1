// Records as the contract's server sends them: every field of the tables as it was written, with the shapes of real servers around them.
import type { ResourceName } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import { countOf, flag, ids, links, text } from "../entry.ts";
import { recordUrl, type Site } from "../site/site.ts";
import type { Data } from "../store/memory.ts";
import type { Entry } from "../store/tables.ts";
import { costDetails } from "../view/cost.ts";
import { globalIds, postUrl, stamps, switches, taxonomies, termUrl, termUrls, times, type View, zoneParts } from "../view/parts.ts";

/** A record of any resource, whole. */
export function viewOf(site: Site, data: Data, resource: ResourceName, entry: Entry): View {
  if (resource === "events") return eventView(site, data, entry);
  if (resource === "categories" || resource === "tags") return termView(site, data, resource, entry);
  return placeView(site, resource, entry);
}

function eventView(site: Site, data: Data, entry: Entry): View {
  const linked = (resource: keyof typeof links): readonly View[] =>
    ids(entry, links[resource]).flatMap((id) => {
      const found = data.find(resource, id);
      return found === undefined ? [] : [viewOf(site, data, resource, found)];
    });
  const venues = linked("venues");
  return {
    id: entry.id,
    ...globalIds(site, entry.id),
    author: entry.author,
    status: entry.status,
    ...stamps(site, entry),
    url: postUrl(site, "events", entry),
    rest_url: recordUrl(site, `events/${entry.id}`),
    title: text(entry, "title"),
    description: text(entry, "description"),
    excerpt: text(entry, "excerpt"),
    slug: entry.slug,
    image: text(entry, "image"),
    all_day: flag(entry, "all_day"),
    ...times(entry),
    ...zoneParts(entry),
    cost: entry.fields["cost"] ?? "",
    cost_details: costDetails(text(entry, "cost")),
    website: text(entry, "website"),
    ...switches(entry),
    categories: linked("categories"),
    tags: linked("tags"),
    // Real servers: nothing is [], one is an object, several are an array.
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: linked("organizers"),
  };
}

/** Venues and organizers: the writable fields in the order of the interface's tables. */
function placeView(site: Site, resource: "venues" | "organizers", entry: Entry): View {
  const known = new Set(["author", "date", "date_utc", "status"]);
  const written = resources[resource].fields.filter(({ name }) => !known.has(name)).map(({ name }) => [name, text(entry, name)]);
  const geo = ["geo_lat", "geo_lng"].flatMap((name) => (entry.fields[name] === undefined ? [] : [[name, entry.fields[name]]]));
  return {
    id: entry.id,
    author: entry.author,
    status: entry.status,
    ...stamps(site, entry),
    url: postUrl(site, resource, entry),
    rest_url: recordUrl(site, `${resource}/${entry.id}`),
    slug: entry.slug,
    ...Object.fromEntries([...written, ...geo]),
    ...globalIds(site, entry.id),
  };
}

function termView(site: Site, data: Data, resource: "categories" | "tags", entry: Entry): View {
  return {
    id: entry.id,
    count: countOf(data, resource, entry.id),
    description: text(entry, "description"),
    name: text(entry, "name"),
    slug: entry.slug,
    taxonomy: taxonomies[resource],
    ...(resource === "categories" ? { parent: entry.fields["parent"] ?? 0 } : {}),
    url: termUrl(site, resource, [entry.slug]),
    urls: termUrls(site, resource, entry),
  };
}
