// What the records of both server profiles have in common: shapes of The Events Calendar, which the interface documents leave "not shown".
import type { ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { getBooleanField, getTextField } from "./entry.ts";
import { getNamespaceUrl, type JsonObject, type Site } from "./site.ts";
import type { Entry } from "./store.ts";
import { getTimeZoneAbbreviation, toWallTime } from "./time.ts";

export const taxonomies = { categories: "tribe_events_cat", tags: "post_tag" } as const;

/** The times of a post, on the site's wall clock and in UTC. */
export function formatPostDates(site: Site, { date_utc, modified_utc }: Entry): JsonObject {
  return { date: toWallTime(date_utc, site.zone), date_utc, modified: toWallTime(modified_utc, site.zone), modified_utc };
}

/** The times of an event, each with its details. */
export function formatEventTimes(entry: Entry): JsonObject {
  const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
  const times = names.flatMap((name) => {
    const time = getTextField(entry, name);
    const [year = "", month = "", day = "", hour = "", minutes = "", seconds = ""] = time.split(/[- :]/);
    return [
      [name, time],
      [`${name}_details`, { year, month, day, hour, minutes, seconds }],
    ];
  });
  return Object.fromEntries(times);
}

export function formatTimeZone(entry: Entry): JsonObject {
  const timezone = getTextField(entry, "timezone");
  return { timezone, timezone_abbr: getTimeZoneAbbreviation(getTextField(entry, "utc_start_date"), timezone) };
}

/** The booleans of an event, without `all_day`. */
export function formatBooleanFields(entry: Entry): JsonObject {
  const names = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  return Object.fromEntries(names.map((name) => [name, getBooleanField(entry, name)]));
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

/** A price as The Events Calendar shows it: "10" is "$10", "0" is "Free". */
export function formatCost(cost: string): string {
  const shown = parsePrices(cost).map(({ value, symbol, position }) => {
    if (Number(value) === 0) return "Free";
    return position === "suffix" ? `${value}${symbol}` : `${symbol || "$"}${value}`;
  });
  return shown.length === 0 ? cost : shown.join(" – ");
}

export function formatCostDetails(cost: string): JsonObject {
  const prices = parsePrices(cost);
  const values = prices.length === 0 && cost !== "" ? [cost.toLowerCase()] : prices.map(({ value }) => value);
  return { currency_symbol: prices[0]?.symbol ?? "", currency_code: "", currency_position: prices[0]?.position ?? "", values };
}

function parsePrices(cost: string): readonly { readonly value: string; readonly symbol: string; readonly position: string }[] {
  return [...cost.matchAll(/([^\d\s.,–-]*)\s?(\d+(?:[.,]\d+)?)\s?([€£¥₹$]?)/gu)].map(([, before = "", value = "", after = ""]) => ({
    value: value.replace(",", "."),
    symbol: before || after,
    position: before !== "" ? "prefix" : after !== "" ? "suffix" : "",
  }));
}
