// Records as WordPress with The Events Calendar sends them: rendered, encoded, and without empty fields.
import type { ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { formatCost, getPrice } from "../costs.ts";
import { countPublishedEvents, getBooleanField, getIdListField, getTextField, type LinkedResourceName, linkFields } from "../entry.ts";
import {
  formatEventFields,
  formatGlobalIds,
  formatPostDates,
  getPostPageUrl,
  getTermPageUrl,
  getTermRestUrls,
  taxonomies,
} from "../record-view.ts";
import { getRestUrl, type JsonObject, type Site } from "../site.ts";
import type { Entry, StoreReader } from "../store.ts";
import { isWithoutUtcDate, renderDescription, renderTermName, renderTitle } from "./values.ts";

/** `single` adds what only the answer to a single record has. */
export function formatRecord(site: Site, data: StoreReader, resource: ResourceName, entry: Entry, single = false): JsonObject {
  if (resource === "events") return formatEvent(site, data, entry, single);
  if (resource === "categories" || resource === "tags") return formatTerm(site, data, resource, entry, single);
  return formatPlace(site, data, resource, entry, single);
}

const zeroDateTime = "0000-00-00 00:00:00";

/** Drafts that were never published have no date in UTC, and no date of modification before they are modified. */
function formatTecPostDates(site: Site, entry: Entry): JsonObject {
  const written = formatPostDates(site, entry);
  if (!isWithoutUtcDate(entry)) return written;
  return {
    ...written,
    date_utc: zeroDateTime,
    modified_utc: entry.modified_utc === entry.date_utc && entry.slug === "" ? zeroDateTime : entry.modified_utc,
  };
}

/** A record in a list. Recorded: of an event with a password there is little to see, whoever asks. */
export function formatListedRecord(site: Site, data: StoreReader, resource: ResourceName, entry: Entry): JsonObject {
  const view = formatRecord(site, data, resource, entry);
  if (resource !== "events" || getTextField(entry, "password") === "") return view;
  const names = ["all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  const unknown = Object.fromEntries(names.map((name) => [name, null]));
  return { ...view, description: "", excerpt: "", cost: "", website: "", ...unknown, categories: [], tags: [], venue: [], organizer: [] };
}

function formatEvent(site: Site, data: StoreReader, entry: Entry, single: boolean): JsonObject {
  const url = getPostPageUrl(site, "events", entry);
  const title = renderTitle(getTextField(entry, "title"));
  const { website } = entry.fields;
  const linked = (resource: LinkedResourceName): readonly JsonObject[] =>
    getIdListField(entry, linkFields[resource])
      .flatMap((id) => data.find(resource, id) ?? [])
      .map((record) =>
        resource === "venues" || resource === "organizers"
          ? formatPlace(site, data, resource, record, single)
          : formatNestedTerm(site, data, resource, record),
      );
  const venues = linked("venues");
  return {
    ...formatEventFields(site, entry),
    author: String(entry.author),
    ...formatTecPostDates(site, entry),
    title,
    description: renderDescription(getTextField(entry, "description")),
    excerpt: renderDescription(getTextField(entry, "excerpt")),
    image: formatImage(site, data, getTextField(entry, "image")) ?? false,
    cost: formatCost(getPrice(entry)),
    // The event's own address where it was never set; "" after an update without it.
    website: website === undefined ? url : String(website).replace(/&(?!#?\w+;)/g, "&amp;"),
    categories: linked("categories"),
    tags: linked("tags"),
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: linked("organizers"),
    ...(site.version === "6.17.2" ? { custom_fields: [] } : {}),
    ...(single ? { json_ld: { "@context": "http://schema.org", "@type": "Event", name: title, url } } : {}),
  };
}

/** Fields that are not sent as they are stored. */
const excludedPlaceFields: ReadonlySet<string> = new Set(["venue", "organizer", "description", "image", "show_map", "show_map_link"]);

function formatPlace(site: Site, data: StoreReader, resource: "venues" | "organizers", entry: Entry, single: boolean): JsonObject {
  const { titleField } = resources[resource];
  const isVenue = resource === "venues";
  const description = renderDescription(getTextField(entry, "description"));
  const picture = formatImage(site, data, getTextField(entry, "image"));
  const name = renderTitle(getTextField(entry, titleField));
  return {
    id: entry.id,
    author: String(entry.author),
    status: entry.status,
    ...formatTecPostDates(site, entry),
    url: getPostPageUrl(site, resource, entry),
    [titleField]: name,
    ...(description === "" ? {} : { description }),
    slug: entry.slug,
    ...(picture === undefined ? {} : { image: picture }),
    ...Object.fromEntries(Object.entries(entry.fields).filter(([key, value]) => !excludedPlaceFields.has(key) && value !== "")),
    ...(single ? { json_ld: { "@type": isVenue ? "Place" : "Person", name, description: "", url: getTextField(entry, "website") } } : {}),
    ...(isVenue ? { show_map: getBooleanField(entry, "show_map"), show_map_link: getBooleanField(entry, "show_map_link") } : {}),
    ...formatGlobalIds(site, entry.id),
  };
}

function formatTerm(site: Site, data: StoreReader, resource: "categories" | "tags", entry: Entry, single: boolean): JsonObject {
  const taxonomy = taxonomies[resource];
  const core = `/wp/v2/${resource === "tags" ? "tags" : taxonomy}`;
  const links = {
    self: [{ href: getRestUrl(site, `${core}/${entry.id}`) }],
    collection: [{ href: getRestUrl(site, core) }],
    about: [{ href: getRestUrl(site, `/wp/v2/taxonomies/${taxonomy}`) }],
  };
  return {
    id: entry.id,
    count: countPublishedEvents(data, resource, entry.id),
    description: getTextField(entry, "description"),
    name: renderTermName(getTextField(entry, "name")),
    slug: entry.slug,
    taxonomy,
    ...(resource === "categories" ? { parent: entry.fields["parent"] ?? 0 } : {}),
    meta: [],
    url: getTermPageUrl(site, resource, getCategoryPath(data, resource, entry)),
    urls: getTermRestUrls(site, resource, entry),
    ...(single ? { _links: links } : {}),
  };
}

function formatNestedTerm(site: Site, data: StoreReader, resource: "categories" | "tags", entry: Entry): JsonObject {
  return {
    name: renderTermName(getTextField(entry, "name")),
    slug: entry.slug,
    term_group: 0,
    term_taxonomy_id: entry.id,
    taxonomy: taxonomies[resource],
    description: getTextField(entry, "description"),
    parent: entry.fields["parent"] ?? 0,
    count: countPublishedEvents(data, resource, entry.id),
    filter: "raw",
    id: entry.id,
    urls: getTermRestUrls(site, resource, entry),
  };
}

/** The slugs from the topmost category down. */
function getCategoryPath(data: StoreReader, resource: "categories" | "tags", entry: Entry): readonly string[] {
  const above = data.find(resource, Number(entry.fields["parent"] ?? 0));
  return above === undefined || above.id === entry.id ? [entry.slug] : [...getCategoryPath(data, resource, above), entry.slug];
}

/** A picture of the media library, by its id or its address. */
function formatImage(site: Site, data: StoreReader, reference: string): JsonObject | undefined {
  const folder = `${site.origin}/wp-content/uploads/`;
  const picture = data.all("pictures").find(({ id, name }) => String(id) === reference || folder + name === reference);
  if (picture === undefined) return undefined;
  const { id, name, width, height, size: bytes = width * height } = picture;
  const [, stem = name, extension = ""] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const size = (factor: number): JsonObject => {
    const [w, h] = [Math.round(width / factor), Math.round(height / factor)];
    return { width: w, height: h, "mime-type": "image/jpeg", filesize: w * h, url: `${folder}${stem}-${w}x${h}.${extension}` };
  };
  return { url: folder + name, id, extension, width, height, filesize: bytes, sizes: { medium: size(4), thumbnail: size(8) } };
}
