// What the records of both kinds of server have in common: shapes of The Events Calendar, which the interface leaves "not shown".
import type { ResourceName } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import { flag, text } from "../entry.ts";
import { recordUrl, type Site } from "../site/site.ts";
import type { Entry } from "../store/tables.ts";
import { abbreviation, toWall } from "../zone.ts";

/** A JSON object to be sent. */
export type View = Readonly<Record<string, unknown>>;

/** The four times of a post: on the site's wall clock and in UTC. */
export function stamps(site: Site, { date_utc, modified_utc }: Entry): View {
  return { date: toWall(date_utc, site.zone), date_utc, modified: toWall(modified_utc, site.zone), modified_utc };
}

/** A time, taken apart. */
function details(time: string): View {
  const [year = "", month = "", day = "", hour = "", minutes = "", seconds = ""] = time.split(/[- :]/);
  return { year, month, day, hour, minutes, seconds };
}

/** The times of an event, each with its details. */
export function times(entry: Entry): View {
  const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, text(entry, name)],
      [`${name}_details`, details(text(entry, name))],
    ]),
  );
}

/** The zone of an event, and its letters on that day. */
export function zoneParts(entry: Entry): View {
  const timezone = text(entry, "timezone");
  return { timezone, timezone_abbr: abbreviation(text(entry, "utc_start_date"), timezone) };
}

/** The booleans of an event, but `all_day`. */
export function switches(entry: Entry): View {
  const names = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  return Object.fromEntries(names.map((name) => [name, flag(entry, name)]));
}

/** The name of a record across sites. */
export function globalIds(site: Site, id: number): View {
  const globalId = `${new URL(site.origin).hostname}?id=${id}`;
  return { global_id: globalId, global_id_lineage: [globalId] };
}

/** The address of a post's web page; only published ones have a pretty one. */
export function postUrl(site: Site, resource: ResourceName, { id, slug, status }: Entry): string {
  const { singular } = resources[resource];
  const pretty = site.permalinks === "pretty" && (status === "publish" || status === "private");
  return pretty
    ? `${site.origin}/${singular}/${slug}/`
    : `${site.origin}/?post_type=tribe_${resource === "events" ? "events" : singular}&p=${id}`;
}

/** The taxonomies that hold the two kinds of terms. */
export const taxonomies = { categories: "tribe_events_cat", tags: "post_tag" } as const;

/** Addresses of a term in this interface. */
export function termUrls(site: Site, resource: "categories" | "tags", { id, fields }: Entry): View {
  const parent = Number(fields["parent"] ?? 0);
  const up = parent === 0 ? {} : { up: recordUrl(site, `${resource}/${parent}`) };
  return { self: recordUrl(site, `${resource}/${id}`), collection: recordUrl(site, resource), ...up };
}

/** The address of a term's web page. */
export function termUrl(site: Site, resource: "categories" | "tags", slugs: readonly string[]): string {
  return `${site.origin}/${resource === "tags" ? "tag" : "events/category"}/${slugs.join("/")}/`;
}
