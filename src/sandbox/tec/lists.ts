// Lists as they were recorded: hidden events, the date range, limited pages, totals, and addresses that lose filters.
import type { ResourceName } from "../../model/resource.ts";
import { getBooleanField, getTextField } from "../entry.ts";
import { filterEntries, sortEntries } from "../filters.ts";
import { createApiError, jsonResponse, type Params, type SandboxResponse, throwParameterErrors, toList } from "../http.ts";
import type { RoutedRequest } from "../routes.ts";
import { getNamespaceUrl, getUtcNow, type Site } from "../site.ts";
import type { Entry, FieldValue } from "../store.ts";
import { formatUtcTime, parseUtcTime, toWallTime } from "../time.ts";
import { findListErrors, findTermIds, hasRole } from "./rules.ts";
import { parseDate } from "./values.ts";
import { formatListedRecord } from "./view.ts";

type FilterValues = Readonly<Record<string, FieldValue>>;

const maxPageSize = 50;

export function list(call: RoutedRequest): SandboxResponse {
  const { resource, data, site } = call;
  const { name, singular, isTerm } = resource;
  const query: Params = { ...call.query, ...call.payload.params };
  throwParameterErrors(findListErrors(call, query));
  const values = parseFilterValues(call, query);
  const page = Number(query["page"] ?? 1);
  const sorted = sortEntries(name, selectEntries(call, query, values), values, data);
  const entries = name === "venues" || name === "organizers" ? sortPlaces(sorted, String(values["status"]), page) : sorted;
  const total = entries.length === 0 ? countWithoutSearch(call, query, values) : entries.length;
  const size = Math.min(Number(query["per_page"] ?? 10), maxPageSize);
  if (page > 1 && (page - 1) * size >= entries.length && !isTerm)
    throw createApiError(404, `${singular}-archive-page-not-found`, `The requested ${singular} archive page does not exist`);
  const pages = Math.ceil(total / size);
  const shown = entries.slice((page - 1) * size, page * size).map((entry) => formatListedRecord(site, data, name, entry));
  const { rest_url, ...others } = createPageUrls(call, query, { page, size, pages });
  const totals = { total, total_pages: pages };
  const body = isTerm ? { rest_url, ...totals, [name]: shown, ...others } : { [name]: shown, rest_url, ...others, ...totals };
  return jsonResponse(200, body, { "x-tec-total": String(total), "x-tec-totalpages": String(pages) });
}

const supportedFilters: Readonly<Record<ResourceName, readonly string[]>> = {
  events: ["search", "categories", "tags", "venue", "organizer", "featured", "include"],
  venues: ["search", "event", "has_events", "only_with_upcoming"],
  organizers: ["search", "event", "has_events", "only_with_upcoming"],
  categories: ["search", "exclude", "include", "order", "orderby", "hide_empty", "parent", "post", "event", "slug"],
  tags: ["search", "exclude", "include", "order", "orderby", "hide_empty", "post", "event", "slug"],
};

/** The filters with the values that filters.ts takes. */
function parseFilterValues({ resource, data, user }: RoutedRequest, query: Params): FilterValues {
  const defaultStatus = hasRole(user, "contributor") ? "publish,future,draft,pending,private" : "publish";
  const status = Object.hasOwn(query, "status") ? toList(query["status"]).join(",") : defaultStatus;
  const sent = supportedFilters[resource.name].flatMap((name): [string, FieldValue][] => {
    if (!Object.hasOwn(query, name)) return [];
    const type = resource.filters.find((filter) => filter.name === name)?.type;
    const raw = query[name];
    if (name === "categories" || name === "tags") return [[name, findTermIds(data, name, raw).filter((id) => id !== undefined)]];
    if (type === "integers") return [[name, toList(raw).map(Number).filter(Number.isInteger)]];
    if (type === "integer") return [[name, Number(raw)]];
    if (type === "boolean") return [[name, /^(true|1)$/i.test(String(raw))]];
    return [[name, String(raw)]];
  });
  const hidesEmpty = resource.filters.some(({ name }) => name === "hide_empty");
  return { ...(hidesEmpty ? { hide_empty: true } : { status }), ...Object.fromEntries(sent) };
}

function selectEntries({ resource, data, site }: RoutedRequest, query: Params, values: FilterValues): readonly Entry[] {
  const isPlace = resource.name === "venues" || resource.name === "organizers";
  const { search, ...others } = values;
  const context = { data, now: getUtcNow(site), includeDescendants: true };
  const entries = filterEntries(resource.name, isPlace ? others : values, context);
  if (isPlace) return search === undefined ? entries : entries.filter(createWordFilter(String(search)));
  if (resource.name !== "events") return entries;
  // The event's own wall clock counts, whatever its time zone is.
  const range = Object.entries(resolveDateRange(site, query));
  return entries.filter(
    (event) =>
      !getBooleanField(event, "hide_from_listings") &&
      !getBooleanField(event, "unlisted") &&
      range.every(([name, moment]) => dateComparisons[name]?.(event, moment) ?? true),
  );
}

/** Recorded: only ASCII letters and digits make words, and all of them must be somewhere in the record. Without a word nothing is found. */
function createWordFilter(search: string): (entry: Entry) => boolean {
  const words = search.toLowerCase().split(/[^a-z0-9]+/);
  const known = words.filter((word) => word !== "");
  return ({ fields }) => {
    const text = Object.values(fields).join("\n").toLowerCase();
    return known.length > 0 && known.every((word) => text.includes(word));
  };
}

/**
 * By the date of publication, newest first. Recorded: among equal dates the order is that of the ids, newest first, where one status is asked
 * for; with several it differs from page to page, so that some records are on two pages and some on none. Here it is reversed on even pages.
 */
function sortPlaces(entries: readonly Entry[], status: string, page: number): readonly Entry[] {
  const direction = status.includes(",") && page % 2 === 0 ? -1 : 1;
  return [...entries].sort((a, b) => (a.date_utc === b.date_utc ? direction * (b.id - a.id) : a.date_utc < b.date_utc ? 1 : -1));
}

/** Recorded: for a search of venues or organizers that finds nothing, the totals are those of the list without it. */
function countWithoutSearch(call: RoutedRequest, query: Params, values: FilterValues): number {
  if (!("search" in values) || (call.resource.name !== "venues" && call.resource.name !== "organizers")) return 0;
  const { search: _, ...others } = values;
  return selectEntries(call, query, others).length;
}

/** All include the moment itself, except `*_after`. */
const dateComparisons: Readonly<Record<string, (event: Entry, moment: string) => boolean>> = {
  start_date: (event, moment) => getTextField(event, "start_date") >= moment,
  end_date: (event, moment) => getTextField(event, "end_date") <= moment,
  starts_after: (event, moment) => getTextField(event, "start_date") > moment,
  starts_before: (event, moment) => getTextField(event, "start_date") <= moment,
  ends_after: (event, moment) => getTextField(event, "end_date") > moment,
  ends_before: (event, moment) => getTextField(event, "end_date") <= moment,
};

/** The date filters of an events list, with whole days and defaults. The dates are checked before. */
function resolveDateRange(site: Site, query: Params): Readonly<Record<string, string>> {
  const now = getUtcNow(site);
  const isStrict = /^(true|1)$/i.test(String(query["strict_dates"] ?? ""));
  const sent = Object.keys(dateComparisons).flatMap((name): [string, string][] => {
    const date = typeof query[name] === "string" ? parseDate(query[name], now) : undefined;
    if (date === undefined) return [];
    // Recorded: a date with an offset means its UTC day, and with `strict_dates` a time without an offset is read as UTC.
    const utc = date.utc ?? date.wall;
    return [[name, isStrict ? toWallTime(utc, site.zone) : `${utc.slice(0, 10)} ${name === "start_date" ? "00:00:00" : "23:59:59"}`]];
  });
  if (sent.some(([name]) => name !== "start_date" && name !== "end_date")) return Object.fromEntries(sent);
  // Recorded, odd as it is: from the day on the site's clock at the minute before UTC's midnight, for 24 months.
  const start = formatUtcTime(parseUtcTime(`${now.slice(0, 10)} 00:00:00`) - 60_000);
  const end = new Date(parseUtcTime(now));
  end.setUTCMonth(end.getUTCMonth() + 24);
  return {
    start_date: `${toWallTime(start, site.zone).slice(0, 10)} 00:00:00`,
    end_date: `${formatUtcTime(end.getTime()).slice(0, 10)} 23:59:59`,
    // Recorded: with `include` the dates that were sent are ignored.
    ...("include" in query ? {} : Object.fromEntries(sent)),
  };
}

/** Filters of events that the next page's address has; venues and organizers have none there, terms not even the page size. */
const preservedFilters = ["search", "venue", "organizer", "featured", "include", "geoloc", "geoloc_lat", "geoloc_lng"];

/** `rest_url`, and `next_rest_url` and `previous_rest_url` where there are such pages. */
function createPageUrls(
  call: RoutedRequest,
  query: Params,
  { page, size, pages }: { readonly page: number; readonly size: number; readonly pages: number },
): Readonly<Record<string, string>> {
  const { name, isTerm } = call.resource;
  const base = `${getNamespaceUrl(call.site, name)}/`;
  const filters = isTerm ? [] : [["per_page", String(size)] as const, ...getUrlFilters(call, query)];
  const createUrl = (parts: readonly (readonly [string, string])[], encode = encodeUrlValue): string => {
    const text = parts.map(([key, value]) => `${key}=${encode(value)}`).join("&");
    return text === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${text}`;
  };
  const pageBefore = page > 2 ? [["page", String(page - 1)] as const] : [];
  return {
    // Recorded: this one is not encoded at all.
    rest_url: isTerm ? base : createUrl([["page", String(page)], ...filters], (text) => text),
    ...(page < pages ? { next_rest_url: createUrl([...filters, ["page", String(page + 1)]]) } : {}),
    ...(page > 1 ? { previous_rest_url: createUrl([...filters, ...pageBefore]) } : {}),
  };
}

function encodeUrlValue(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

function getUrlFilters({ resource, site, user }: RoutedRequest, query: Params): readonly (readonly [string, string])[] {
  const status = Object.hasOwn(query, "status") ? String(query["status"]) : hasRole(user, "contributor") ? "any" : "publish";
  if (resource.name !== "events") return [["status", status]];
  const sent = preservedFilters.flatMap((name): [string, string][] =>
    Object.hasOwn(query, name) && query[name] !== "false" && query[name] !== "0" ? [[name, String(query[name])]] : [],
  );
  return [...Object.entries(resolveDateRange(site, query)), ...sent, ["status", status]];
}
