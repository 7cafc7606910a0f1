// What the records of both kinds of server have in common: shapes of The Events Calendar, which the interface leaves "not shown".
import type { ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { getBooleanField, getTextField, getTimeZoneAbbreviation, toWallTime } from "./entry.ts";
import { getNamespaceUrl, type Site } from "./site.ts";
import type { Entry } from "./store.ts";

/** A JSON object to be sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The four times of a post: on the site's wall clock and in UTC. */
export function formatPostDates(site: Site, { date_utc, modified_utc }: Entry): JsonObject {
  return { date: toWallTime(date_utc, site.zone), date_utc, modified: toWallTime(modified_utc, site.zone), modified_utc };
}

/** A time, taken apart. */
function formatDateDetails(time: string): JsonObject {
  const [year = "", month = "", day = "", hour = "", minutes = "", seconds = ""] = time.split(/[- :]/);
  return { year, month, day, hour, minutes, seconds };
}

/** The times of an event, each with its details. */
export function formatEventTimes(entry: Entry): JsonObject {
  const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, getTextField(entry, name)],
      [`${name}_details`, formatDateDetails(getTextField(entry, name))],
    ]),
  );
}

/** The zone of an event, and its letters on that day. */
export function formatTimeZone(entry: Entry): JsonObject {
  const timezone = getTextField(entry, "timezone");
  return { timezone, timezone_abbr: getTimeZoneAbbreviation(getTextField(entry, "utc_start_date"), timezone) };
}

/** The booleans of an event, but `all_day`. */
export function formatBooleanFields(entry: Entry): JsonObject {
  const names = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  return Object.fromEntries(names.map((name) => [name, getBooleanField(entry, name)]));
}

/** The name of a record across sites. */
export function formatGlobalIds(site: Site, id: number): JsonObject {
  const globalId = `${new URL(site.origin).hostname}?id=${id}`;
  return { global_id: globalId, global_id_lineage: [globalId] };
}

/** The address of a post's web page; only published ones have a pretty one. */
export function getPostPageUrl(site: Site, resource: ResourceName, { id, slug, status }: Entry): string {
  const { singular } = resources[resource];
  const pretty = site.permalinks === "pretty" && (status === "publish" || status === "private");
  return pretty
    ? `${site.origin}/${singular}/${slug}/`
    : `${site.origin}/?post_type=tribe_${resource === "events" ? "events" : singular}&p=${id}`;
}

/** The taxonomies that hold the two kinds of terms. */
export const taxonomies = { categories: "tribe_events_cat", tags: "post_tag" } as const;

/** Addresses of a term in this interface. */
export function getTermRestUrls(site: Site, resource: "categories" | "tags", { id, fields }: Entry): JsonObject {
  const parent = Number(fields["parent"] ?? 0);
  const up = parent === 0 ? {} : { up: getNamespaceUrl(site, `${resource}/${parent}`) };
  return { self: getNamespaceUrl(site, `${resource}/${id}`), collection: getNamespaceUrl(site, resource), ...up };
}

/** The address of a term's web page. */
export function getTermPageUrl(site: Site, resource: "categories" | "tags", slugs: readonly string[]): string {
  return `${site.origin}/${resource === "tags" ? "tag" : "events/category"}/${slugs.join("/")}/`;
}

// Admission prices as The Events Calendar shows them: "10" is "$10", "0" is "Free".

/** The number of a price, and the sign before or after it. */
interface Price {
  readonly value: string;
  readonly symbol: string;
  readonly position: "prefix" | "suffix" | "";
}

function parsePrices(cost: string): readonly Price[] {
  return [...cost.matchAll(/([^\d\s.,–-]*)\s?(\d+(?:[.,]\d+)?)\s?([€£¥₹$]?)/gu)].map(([, before = "", value = "", after = ""]) => ({
    value: value.replace(",", "."),
    symbol: before || after,
    position: before === "" ? (after === "" ? "" : "suffix") : "prefix",
  }));
}

/** A price in the words of a real server. */
export function formatCost(cost: string): string {
  const parts = parsePrices(cost);
  if (parts.length === 0) return cost;
  const shown = parts.map(({ value, symbol, position }) => {
    if (Number(value) === 0) return "Free";
    return position === "suffix" ? `${value}${symbol}` : `${symbol || "$"}${value}`;
  });
  return shown.join(" – ");
}

/** The numbers of a price. */
export function formatCostDetails(cost: string): JsonObject {
  const parts = parsePrices(cost);
  const [first] = parts;
  const values = parts.length === 0 && cost !== "" ? [cost.toLowerCase()] : parts.map(({ value }) => value);
  return { currency_symbol: first?.symbol ?? "", currency_code: "", currency_position: first?.position ?? "", values };
}
