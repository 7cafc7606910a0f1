// Lists with a real server's habits: hidden events, the window, clamped pages, totals, and addresses that lose filters.
import type { ResourceName } from "../../spec/field.ts";
import type { Call } from "../call.ts";
import { flag } from "../entry.ts";
import { filtered } from "../filters.ts";
import { sorted } from "../order.ts";
import { items, type Params } from "../parameters.ts";
import { invalid, problem } from "../problems.ts";
import { utcNow } from "../site/site.ts";
import type { Entry, Value } from "../store/tables.ts";
import { type Answer, json } from "../wire.ts";
import { atLeast } from "./access.ts";
import { pageUrls } from "./page-urls.ts";
import { termIds } from "./rule.ts";
import { faultsOf, listRules } from "./rules.ts";
import { viewOf } from "./view.ts";
import { isWithin, windowOf } from "./window.ts";

/** More records than this are on no page. */
const pageLimit = 50;

/** A list. */
export function list(call: Call): Answer {
  const { resource, data, site, user } = call;
  const query: Params = { ...call.query, ...call.payload.params };
  const faults = faultsOf(listRules[resource.name], query, { data, site, user });
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const values = valuesOf(call, query);
  const entries = sorted(resource.name, selected(call, query, values), values, data);
  const counted = entries.length === 0 ? countedInstead(call, query, values) : entries.length;
  const size = Math.min(Number(query["per_page"] ?? 10), pageLimit);
  const page = Number(query["page"] ?? 1);
  const { isTerm } = resource;
  if (page > 1 && (page - 1) * size >= entries.length && !isTerm) {
    const what = `${resource.singular}-archive-page-not-found`;
    throw problem(404, what, `The requested ${resource.singular} archive page does not exist`);
  }
  const pages = Math.ceil(counted / size);
  const shown = entries.slice((page - 1) * size, page * size).map((entry) => viewOf(site, data, resource.name, entry));
  const { rest_url, ...others } = pageUrls(call, query, { page, size, pages });
  const summary = { total: counted, total_pages: pages };
  const body = isTerm
    ? { rest_url, ...summary, [resource.name]: shown, ...others }
    : { [resource.name]: shown, rest_url, ...others, ...summary };
  return json(200, body, { "x-tec-total": String(counted), "x-tec-totalpages": String(pages) });
}

/** The statuses that are listed where none is asked for. */
function statusOf({ user }: Call, query: Params): string {
  if (Object.hasOwn(query, "status")) return items(query["status"]).join(",");
  return atLeast(user, "contributor") ? "publish,future,draft,pending,private" : "publish";
}

const taken: Readonly<Record<ResourceName, readonly string[]>> = {
  events: ["search", "categories", "tags", "venue", "organizer", "featured", "include"],
  venues: ["search", "event", "has_events", "only_with_upcoming"],
  organizers: ["search", "event", "has_events", "only_with_upcoming"],
  categories: ["search", "exclude", "include", "order", "orderby", "hide_empty", "parent", "post", "event", "slug"],
  tags: ["search", "exclude", "include", "order", "orderby", "hide_empty", "post", "event", "slug"],
};

/** The filters as filters.ts takes them. */
function valuesOf(call: Call, query: Params): Readonly<Record<string, Value>> {
  const { resource, data } = call;
  const sent = taken[resource.name].flatMap((name): [string, Value][] => {
    if (!Object.hasOwn(query, name)) return [];
    const field = resource.filters.find((filter) => filter.name === name);
    const raw = query[name];
    if (name === "categories" || name === "tags") return [[name, termIds(data, name, raw).filter((id) => id !== undefined)]];
    if (field?.type === "integers") return [[name, items(raw).map(Number).filter(Number.isInteger)]];
    if (field?.type === "integer") return [[name, Number(raw)]];
    if (field?.type === "boolean") return [[name, /^(true|1)$/i.test(String(raw))]];
    return [[name, String(raw)]];
  });
  const hides = resource.filters.some(({ name }) => name === "hide_empty");
  return { ...(hides ? { hide_empty: true } : { status: statusOf(call, query) }), ...Object.fromEntries(sent) };
}

function selected(call: Call, query: Params, values: Readonly<Record<string, Value>>): readonly Entry[] {
  const { resource, data, site } = call;
  const entries = filtered(resource.name, values, { data, now: utcNow(site), family: true });
  if (resource.name !== "events") return entries;
  const window = windowOf(site, query);
  return entries.filter((event) => !flag(event, "hide_from_listings") && !flag(event, "unlisted") && isWithin(event, window));
}

/** Recorded: a search of venues or organizers that finds nothing tells the totals of the list without it. */
function countedInstead(call: Call, query: Params, values: Readonly<Record<string, Value>>): number {
  if (!("search" in values) || (call.resource.name !== "venues" && call.resource.name !== "organizers")) return 0;
  const { search: _, ...others } = values;
  return selected(call, query, others).length;
}
