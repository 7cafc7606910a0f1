// What the records of both server profiles have in common: shapes of The Events Calendar, which the interface documents leave "not shown".
import type { ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { formatCostDetails, getPrice } from "./costs.ts";
import { getBooleanField, getTextField } from "./entry.ts";
import { getNamespaceUrl, type JsonObject, type Site } from "./site.ts";
import type { Entry } from "./store.ts";
import { getTimeZoneAbbreviation, toWallTime } from "./time.ts";

export const taxonomies = { categories: "tribe_events_cat", tags: "post_tag" } as const;

/** The times of a post, on the site's wall clock and in UTC. */
export function formatPostDates(site: Site, { date_utc, modified_utc }: Entry): JsonObject {
  return { date: toWallTime(date_utc, site.zone), date_utc, modified: toWallTime(modified_utc, site.zone), modified_utc };
}

/** The fields of an event as they are stored, without its links. */
export function formatEventFields(site: Site, entry: Entry): JsonObject {
  const { id, author, status, slug, fields } = entry;
  const text = (name: string): string => getTextField(entry, name);
  const booleans = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  const times = ["start_date", "end_date", "utc_start_date", "utc_end_date"].flatMap((name) => {
    const [year = "", month = "", day = "", hour = "", minutes = "", seconds = ""] = text(name).split(/[- :]/);
    return [
      [name, text(name)],
      [`${name}_details`, { year, month, day, hour, minutes, seconds }],
    ];
  });
  return {
    id,
    ...formatGlobalIds(site, id),
    author,
    status,
    ...formatPostDates(site, entry),
    url: getPostPageUrl(site, "events", entry),
    rest_url: getNamespaceUrl(site, `events/${id}`),
    title: text("title"),
    description: text("description"),
    excerpt: text("excerpt"),
    slug,
    image: text("image"),
    all_day: getBooleanField(entry, "all_day"),
    ...Object.fromEntries(times),
    timezone: text("timezone"),
    timezone_abbr: getTimeZoneAbbreviation(text("utc_start_date"), text("timezone")),
    cost: fields["cost"] ?? "",
    cost_details: formatCostDetails(getPrice(entry)),
    website: text("website"),
    ...Object.fromEntries(booleans.map((name) => [name, getBooleanField(entry, name)])),
  };
}

export function formatGlobalIds(site: Site, id: number): JsonObject {
  const globalId = `${new URL(site.origin).hostname}?id=${id}`;
  return { global_id: globalId, global_id_lineage: [globalId] };
}

/** The address of a post's web page; only published ones have a pretty one. */
export function getPostPageUrl(site: Site, resource: ResourceName, { id, slug, status }: Entry): string {
  const { singular } = resources[resource];
  const isPretty = site.permalinks === "pretty" && (status === "publish" || status === "private");
  return isPretty
    ? `${site.origin}/${singular}/${slug}/`
    : `${site.origin}/?post_type=tribe_${resource === "events" ? "events" : singular}&p=${id}`;
}

/** The address of a term's web page. */
export function getTermPageUrl(site: Site, resource: "categories" | "tags", slugs: readonly string[]): string {
  return `${site.origin}/${resource === "tags" ? "tag" : "events/category"}/${slugs.join("/")}/`;
}

/** The addresses of a term in the interface. */
export function getTermRestUrls(site: Site, resource: "categories" | "tags", { id, fields }: Entry): JsonObject {
  const parent = Number(fields["parent"] ?? 0);
  const up = parent === 0 ? {} : { up: getNamespaceUrl(site, `${resource}/${parent}`) };
  return { self: getNamespaceUrl(site, `${resource}/${id}`), collection: getNamespaceUrl(site, resource), ...up };
}
