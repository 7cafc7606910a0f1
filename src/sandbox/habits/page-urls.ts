// The addresses that a list tells of itself and its neighbours, with the filters that a real server forgets in them.
import type { RoutedRequest } from "../call.ts";
import type { Params } from "../parameters.ts";
import { getNamespaceUrl } from "../site/site.ts";
import { hasRole } from "./access.ts";
import { resolveDateRange } from "./window.ts";

/** Where in the list an answer is. */
export interface PagePosition {
  readonly page: number;
  readonly size: number;
  readonly pages: number;
}

/** Filters of events that the next page's address keeps; venues and organizers keep none, terms not even the page size. */
const preservedFilters = ["search", "venue", "organizer", "featured", "include", "geoloc", "geoloc_lat", "geoloc_lng"];

/** `rest_url`, and `next_rest_url` and `previous_rest_url` where there are such pages. */
export function createPageUrls(call: RoutedRequest, query: Params, { page, size, pages }: PagePosition): Readonly<Record<string, string>> {
  const { resource, site } = call;
  const base = `${getNamespaceUrl(site, resource.name)}/`;
  const { isTerm } = resource;
  const filters = isTerm ? [] : [["per_page", String(size)] as const, ...getUrlFilters(call, query)];
  const url = (parts: readonly (readonly [string, string])[], encode: (text: string) => string): string => {
    const text = parts.map(([name, value]) => `${name}=${encode(value)}`).join("&");
    return text === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${text}`;
  };
  const plus = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");
  const next = page < pages ? { next_rest_url: url([...filters, ["page", String(page + 1)]], plus) } : {};
  const before = page > 2 ? [["page", String(page - 1)] as const] : [];
  const previous = page > 1 ? { previous_rest_url: url([...filters, ...before], plus) } : {};
  // Recorded: this one is not encoded at all.
  const self = isTerm ? base : url([["page", String(page)], ...filters], (text) => text);
  return { rest_url: self, ...next, ...previous };
}

function getUrlFilters({ resource, site, user }: RoutedRequest, query: Params): readonly (readonly [string, string])[] {
  const status = Object.hasOwn(query, "status") ? String(query["status"]) : hasRole(user, "contributor") ? "any" : "publish";
  if (resource.name !== "events") return [["status", status]];
  const sent = preservedFilters.flatMap((name) =>
    Object.hasOwn(query, name) && query[name] !== "false" && query[name] !== "0" ? [[name, String(query[name])] as const] : [],
  );
  return [...Object.entries(resolveDateRange(site, query)), ...sent, ["status", status]];
}
