// Lists with a real server's habits: hidden events, the window, clamped pages, totals, and addresses that lose filters.
import type { ResourceName } from "../../model/resource.ts";
import { formatUtcTime, getBooleanField, getTextField, parseUtcTime, toWallTime } from "../entry.ts";
import { filterEntries, sortEntries } from "../filters.ts";
import { createApiError, createInvalidParametersError, jsonResponse, type SandboxResponse } from "../http.ts";
import { type Params, toList } from "../parameters.ts";
import type { RoutedRequest } from "../routes.ts";
import { getNamespaceUrl, getUtcNow, type Site } from "../site.ts";
import type { Entry, FieldValue } from "../store.ts";
import { findParameterErrors, hasRole, listRules } from "./rules.ts";
import { findTermIds, getFilterDay, parseDate, toStrictWallTime } from "./value-rules.ts";
import { formatRecord } from "./view.ts";

/** More records than this are on no page. */
const maxPageSize = 50;

/** A list. */
export function list(call: RoutedRequest): SandboxResponse {
  const { resource, data, site, user } = call;
  const query: Params = { ...call.query, ...call.payload.params };
  const faults = findParameterErrors(listRules[resource.name], query, { data, site, user });
  if (Object.keys(faults).length > 0) throw createInvalidParametersError(faults);
  const values = parseFilterValues(call, query);
  const entries = sortEntries(resource.name, selectEntries(call, query, values), values, data);
  const counted = entries.length === 0 ? countWithoutSearch(call, query, values) : entries.length;
  const size = Math.min(Number(query["per_page"] ?? 10), maxPageSize);
  const page = Number(query["page"] ?? 1);
  const { isTerm } = resource;
  if (page > 1 && (page - 1) * size >= entries.length && !isTerm) {
    const what = `${resource.singular}-archive-page-not-found`;
    throw createApiError(404, what, `The requested ${resource.singular} archive page does not exist`);
  }
  const pages = Math.ceil(counted / size);
  const shown = entries.slice((page - 1) * size, page * size).map((entry) => formatRecord(site, data, resource.name, entry));
  const { rest_url, ...others } = createPageUrls(call, query, { page, size, pages });
  const summary = { total: counted, total_pages: pages };
  const body = isTerm
    ? { rest_url, ...summary, [resource.name]: shown, ...others }
    : { [resource.name]: shown, rest_url, ...others, ...summary };
  return jsonResponse(200, body, { "x-tec-total": String(counted), "x-tec-totalpages": String(pages) });
}

/** The statuses that are listed where none is asked for. */
function resolveListStatus({ user }: RoutedRequest, query: Params): string {
  if (Object.hasOwn(query, "status")) return toList(query["status"]).join(",");
  return hasRole(user, "contributor") ? "publish,future,draft,pending,private" : "publish";
}

const supportedFilters: Readonly<Record<ResourceName, readonly string[]>> = {
  events: ["search", "categories", "tags", "venue", "organizer", "featured", "include"],
  venues: ["search", "event", "has_events", "only_with_upcoming"],
  organizers: ["search", "event", "has_events", "only_with_upcoming"],
  categories: ["search", "exclude", "include", "order", "orderby", "hide_empty", "parent", "post", "event", "slug"],
  tags: ["search", "exclude", "include", "order", "orderby", "hide_empty", "post", "event", "slug"],
};

/** The filters as filters.ts takes them. */
function parseFilterValues(call: RoutedRequest, query: Params): Readonly<Record<string, FieldValue>> {
  const { resource, data } = call;
  const sent = supportedFilters[resource.name].flatMap((name): [string, FieldValue][] => {
    if (!Object.hasOwn(query, name)) return [];
    const field = resource.filters.find((filter) => filter.name === name);
    const raw = query[name];
    if (name === "categories" || name === "tags") return [[name, findTermIds(data, name, raw).filter((id) => id !== undefined)]];
    if (field?.type === "integers") return [[name, toList(raw).map(Number).filter(Number.isInteger)]];
    if (field?.type === "integer") return [[name, Number(raw)]];
    if (field?.type === "boolean") return [[name, /^(true|1)$/i.test(String(raw))]];
    return [[name, String(raw)]];
  });
  const hides = resource.filters.some(({ name }) => name === "hide_empty");
  return { ...(hides ? { hide_empty: true } : { status: resolveListStatus(call, query) }), ...Object.fromEntries(sent) };
}

function selectEntries(call: RoutedRequest, query: Params, values: Readonly<Record<string, FieldValue>>): readonly Entry[] {
  const { resource, data, site } = call;
  const entries = filterEntries(resource.name, values, { data, now: getUtcNow(site), includeDescendants: true });
  if (resource.name !== "events") return entries;
  const window = resolveDateRange(site, query);
  return entries.filter(
    (event) => !getBooleanField(event, "hide_from_listings") && !getBooleanField(event, "unlisted") && isInDateRange(event, window),
  );
}

/** Recorded: a search of venues or organizers that finds nothing tells the totals of the list without it. */
function countWithoutSearch(call: RoutedRequest, query: Params, values: Readonly<Record<string, FieldValue>>): number {
  if (!("search" in values) || (call.resource.name !== "venues" && call.resource.name !== "organizers")) return 0;
  const { search: _, ...others } = values;
  return selectEntries(call, query, others).length;
}

// The dates of an events list as a real server takes them: whole days, a window where none was asked for, and only events that are wholly inside.

/** The dates that a list was asked with, as the server tells them back. */
type DateRange = Readonly<Record<string, string>>;

/** Each is about one end of an event; all take in the moment itself but `*_after`. */
const dateComparisons: Readonly<Record<string, (event: Entry, moment: string) => boolean>> = {
  start_date: (event, moment) => getTextField(event, "start_date") >= moment,
  end_date: (event, moment) => getTextField(event, "end_date") <= moment,
  starts_after: (event, moment) => getTextField(event, "start_date") > moment,
  starts_before: (event, moment) => getTextField(event, "start_date") <= moment,
  ends_after: (event, moment) => getTextField(event, "end_date") > moment,
  ends_before: (event, moment) => getTextField(event, "end_date") <= moment,
};

const dateParameterNames = Object.keys(dateComparisons);

/** The window of a list. Dates were checked before. */
function resolveDateRange(site: Site, query: Params): DateRange {
  const now = getUtcNow(site);
  const strict = /^(true|1)$/i.test(String(query["strict_dates"] ?? ""));
  const sent = dateParameterNames.flatMap((name) => {
    const date = typeof query[name] === "string" ? parseDate(query[name], now) : undefined;
    if (date === undefined) return [];
    return [
      [
        name,
        strict ? toStrictWallTime(date, site.zone) : `${getFilterDay(date)} ${name === "start_date" ? "00:00:00" : "23:59:59"}`,
      ] as const,
    ];
  });
  const asked = Object.fromEntries(sent);
  if (sent.some(([name]) => name !== "start_date" && name !== "end_date")) return asked;
  // Recorded: with `include` a start that was asked for is put aside.
  return "include" in query ? { ...getDefaultDateRange(site, now) } : { ...getDefaultDateRange(site, now), ...asked };
}

/** From the day on the site's clock of the minute before UTC's midnight, for 24 months: odd, and recorded so. */
function getDefaultDateRange(site: Site, now: string): DateRange {
  const eve = formatUtcTime(parseUtcTime(`${now.slice(0, 10)} 00:00:00`) - 60_000);
  const later = new Date(parseUtcTime(now));
  later.setUTCMonth(later.getUTCMonth() + 24);
  return {
    start_date: `${toWallTime(eve, site.zone).slice(0, 10)} 00:00:00`,
    end_date: `${formatUtcTime(later.getTime()).slice(0, 10)} 23:59:59`,
  };
}

/** Whether an event is in the window. Its own wall clock counts, wherever it is. */
function isInDateRange(event: Entry, window: DateRange): boolean {
  return Object.entries(window).every(([name, moment]) => dateComparisons[name]?.(event, moment) ?? true);
}

// The addresses that a list tells of itself and its neighbours, with the filters that a real server forgets in them.

/** Where in the list an answer is. */
interface PagePosition {
  readonly page: number;
  readonly size: number;
  readonly pages: number;
}

/** Filters of events that the next page's address keeps; venues and organizers keep none, terms not even the page size. */
const preservedFilters = ["search", "venue", "organizer", "featured", "include", "geoloc", "geoloc_lat", "geoloc_lng"];

/** `rest_url`, and `next_rest_url` and `previous_rest_url` where there are such pages. */
function createPageUrls(call: RoutedRequest, query: Params, { page, size, pages }: PagePosition): Readonly<Record<string, string>> {
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
