// Lists with a real server's habits: hidden events, the window, clamped pages, totals, and addresses that lose filters.
import type { ResourceName } from "../../spec/field.ts";
import type { RoutedRequest } from "../call.ts";
import { getBooleanField } from "../entry.ts";
import { filterEntries } from "../filters.ts";
import { sortEntries } from "../order.ts";
import { type Params, toList } from "../parameters.ts";
import { createApiError, createInvalidParametersError } from "../problems.ts";
import { getUtcNow } from "../site/site.ts";
import type { Entry, FieldValue } from "../store/tables.ts";
import { jsonResponse, type SandboxResponse } from "../wire.ts";
import { hasRole } from "./access.ts";
import { createPageUrls } from "./page-urls.ts";
import { findTermIds } from "./rule.ts";
import { findParameterErrors, listRules } from "./rules.ts";
import { formatRecord } from "./view.ts";
import { isInDateRange, resolveDateRange } from "./window.ts";

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
