// WordPress's own interface to the posts of the calendar, `wp/v2`: what is stored, nothing rendered away, and updates that are partial.
import type { ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { getPrice } from "../costs.ts";
import { createUniqueSlug, getBooleanField, getIdListField, getTextField, slugify, toIds } from "../entry.ts";
import {
  createApiError,
  createNoRouteError,
  jsonResponse,
  type Params,
  type SandboxResponse,
  throwParameterErrors,
  toList,
} from "../http.ts";
import { getPostPageUrl } from "../record-view.ts";
import type { CoreRequest, CoreWriteRequest } from "../routes.ts";
import { getUtcNow, type JsonObject, type Site } from "../site.ts";
import type { Entry, FieldValue, StoreReader, User } from "../store.ts";
import { toUtc, toWallTime } from "../time.ts";
import { publishLinkedPlaces } from "./events.ts";
import { isMediaPath, readMedia, writeMedia } from "./media.ts";
import { type FieldValues, filterHtml, restoreSlug } from "./posts-and-terms.ts";
import { canEdit, hasRole } from "./rules.ts";
import { parseDate, removeBackslashes, renderDescription, renderTitle, stripEscapes } from "./values.ts";

type PostResource = "events" | "venues" | "organizers";

const postTypes: Readonly<Record<string, PostResource>> = { tribe_events: "events", tribe_venue: "venues", tribe_organizer: "organizers" };

/** Lists and reads posts and pictures. Other routes of `wp/v2` are not in the sandbox. */
export function readCore(call: CoreRequest): SandboxResponse {
  if (isMediaPath(call.path)) return readMedia(call);
  const { type, resource, id } = parsePath(call.path);
  return id === undefined ? list(call, type, resource) : get(call, type, resource, findPost(call.data, resource, id));
}

/** Updates a post: only what is sent. Uploads and deletes pictures. */
export function updateCore(call: CoreWriteRequest): SandboxResponse {
  if (isMediaPath(call.path)) return writeMedia(call);
  const { type, resource, id } = parsePath(call.path);
  if (id === undefined || !["POST", "PUT", "PATCH"].includes(call.method)) throw createNoRouteError();
  const { data, site, user } = call;
  const entry = findPost(data, resource, id);
  if (!canEdit(user, entry)) throw createRefusal(user, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
  const changed = mergePost(call, resource, entry, { ...call.query, ...call.payload.params });
  data.put(resource, changed);
  if (resource === "events") publishLinkedPlaces(data, changed);
  return jsonResponse(200, selectFields(formatPost(site, data, type, resource, changed, true), call.query["_fields"]));
}

function parsePath(path: string): { readonly type: string; readonly resource: PostResource; readonly id?: number } {
  const [, type = "", id] = /^\/wp\/v2\/(\w+)(?:\/(\d+))?\/?$/.exec(path) ?? [];
  const resource = Object.hasOwn(postTypes, type) ? postTypes[type] : undefined;
  if (resource === undefined) throw createNoRouteError();
  return id === undefined ? { type, resource } : { type, resource, id: Number(id) };
}

function findPost(data: StoreReader, resource: PostResource, id: number): Entry {
  const entry = data.find(resource, id);
  if (entry === undefined) throw createApiError(404, "rest_post_invalid_id", "Invalid post ID.");
  return entry;
}

/** 401 for visitors, 403 for users. */
function createRefusal(user: User | undefined, code: string, message: string): Error {
  return createApiError(user === undefined ? 401 : 403, code, message);
}

function get({ user, site, data, query }: CoreRequest, type: string, resource: PostResource, entry: Entry): SandboxResponse {
  const isEdit = query["context"] === "edit";
  if (isEdit && !canEdit(user, entry)) throw createRefusal(user, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
  if (!canRead(user, entry)) throw createRefusal(user, "rest_forbidden", "Sorry, you are not allowed to do that.");
  const self = { href: `${site.origin}/wp-json/wp/v2/${type}/${entry.id}` };
  // What a user may do is told by the relations of the links.
  const actions = isEdit && hasRole(user, "editor") ? { "wp:action-unfiltered-html": [self] } : {};
  const view = { ...formatPost(site, data, type, resource, entry, isEdit), _links: { self: [self], ...actions } };
  return jsonResponse(200, selectFields(view, query["_fields"]));
}

function canRead(user: User | undefined, entry: Entry): boolean {
  return entry.status === "publish" || canEdit(user, entry);
}

/** A bare array; the totals are headers. */
function list({ user, site, data, query }: CoreRequest, type: string, resource: PostResource): SandboxResponse {
  const isEdit = query["context"] === "edit";
  if (isEdit && !hasRole(user, "contributor"))
    throw createRefusal(user, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.");
  const statuses = toList(query["status"] ?? "publish").map(String);
  const isPublicOnly = statuses.every((status) => status === "publish");
  if (!isPublicOnly && !hasRole(user, "contributor"))
    throwParameterErrors({ status: { message: "Status is forbidden.", code: "rest_forbidden_status", data: { status: 401 } } });
  const ids = query["include"] === undefined ? undefined : toList(query["include"]).map(Number);
  const found = data
    .all(resource)
    .filter((entry) => statuses.includes(entry.status) || (statuses.includes("any") && entry.status !== "trash"))
    .filter((entry) => (isEdit ? canEdit(user, entry) : canRead(user, entry)))
    .filter(({ id }) => ids?.includes(id) ?? true);
  const size = readSize(query, "per_page", 10, 100);
  const page = readSize(query, "page", 1, Number.MAX_SAFE_INTEGER);
  const pages = Math.ceil(found.length / size);
  if (page > 1 && page > pages)
    throw createApiError(400, "rest_post_invalid_page_number", "The page number requested is larger than the number of pages available.");
  const sorted = sortPosts(found, query).slice((page - 1) * size, page * size);
  const view = sorted.map((entry) => selectFields(formatPost(site, data, type, resource, entry, isEdit), query["_fields"]));
  return jsonResponse(200, view, { "x-wp-total": String(found.length), "x-wp-totalpages": String(pages) });
}

function readSize(query: Params, name: string, fallback: number, most: number): number {
  const value = Number(query[name] ?? fallback);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throwParameterErrors({ [name]: { message: `${name} must be between 1 (inclusive) and ${most} (inclusive)` } });
  return fallback;
}

/** By date, newest first, unless `orderby=id` is asked for. */
function sortPosts(entries: readonly Entry[], { orderby, order }: Params): readonly Entry[] {
  const descending = [...entries].sort((a, b) =>
    orderby === "id" || a.date_utc === b.date_utc ? b.id - a.id : a.date_utc < b.date_utc ? 1 : -1,
  );
  return order === "asc" ? descending.reverse() : descending;
}

// Posts as they are sent.

function formatPost(site: Site, data: StoreReader, type: string, resource: PostResource, entry: Entry, isEdit: boolean): JsonObject {
  const text = (name: string): string => getTextField(entry, name);
  const title = text(resources[resource].titleField);
  const isHidden = text("password") !== "" && !isEdit;
  const raw = (value: string): JsonObject => (isEdit ? { raw: value } : {});
  const html = (value: string): string => (isHidden || value === "" ? "" : `${renderDescription(value)}\n`);
  const gmt = (value: string): string => value.replace(" ", "T");
  return {
    id: entry.id,
    date: gmt(toWallTime(entry.date_utc, site.zone)),
    date_gmt: gmt(entry.date_utc),
    guid: { rendered: `${site.origin}/?post_type=${type}&p=${entry.id}` },
    modified: gmt(toWallTime(entry.modified_utc, site.zone)),
    modified_gmt: gmt(entry.modified_utc),
    ...(isEdit ? { password: text("password") } : {}),
    slug: entry.slug,
    status: entry.status,
    type,
    link: getPostPageUrl(site, resource, entry),
    title: { ...raw(title), rendered: renderTitle(title) },
    content: {
      ...raw(text("description")),
      rendered: html(text("description")),
      protected: text("password") !== "",
      ...(isEdit ? { block_version: 0 } : {}),
    },
    excerpt: { ...raw(text("excerpt")), rendered: html(text("excerpt")), protected: text("password") !== "" },
    author: entry.author,
    featured_media: data.all("pictures").find(({ id }) => String(id) === text("image"))?.id ?? 0,
    template: "",
    meta: resource === "events" ? formatMeta(entry) : {},
    ...(resource === "events" ? { tags: getIdListField(entry, "tags"), tribe_events_cat: getIdListField(entry, "categories") } : {}),
  };
}

/** The rows of an event by their names here, and the fields of the calendar interface that they are. */
const metaFields: Readonly<Record<string, { readonly field: string; readonly type: "boolean" | "string" | "ids" }>> = {
  _EventAllDay: { field: "all_day", type: "boolean" },
  _EventTimezone: { field: "timezone", type: "string" },
  _EventStartDate: { field: "start_date", type: "string" },
  _EventEndDate: { field: "end_date", type: "string" },
  _EventStartDateUTC: { field: "utc_start_date", type: "string" },
  _EventEndDateUTC: { field: "utc_end_date", type: "string" },
  _EventShowMap: { field: "show_map", type: "boolean" },
  _EventShowMapLink: { field: "show_map_link", type: "boolean" },
  _EventURL: { field: "website", type: "string" },
  _EventCost: { field: "cost", type: "string" },
  _EventCostDescription: { field: "cost_description", type: "string" },
  _EventCurrencySymbol: { field: "currency_symbol", type: "string" },
  _EventCurrencyCode: { field: "currency_code", type: "string" },
  _EventCurrencyPosition: { field: "currency_position", type: "string" },
  _EventDateTimeSeparator: { field: "date_time_separator", type: "string" },
  _EventTimeRangeSeparator: { field: "time_range_separator", type: "string" },
  _EventOrganizerID: { field: "organizer", type: "ids" },
  _EventVenueID: { field: "venue", type: "ids" },
};

/** Recorded: the rows of other posts are listed too, and empty. */
const emptyMeta: JsonObject = {
  ...Object.fromEntries(["Email", "Phone", "Website"].map((name) => [`_Organizer${name}`, ""])),
  ...Object.fromEntries(
    ["Address", "City", "Country", "Province", "State", "Zip", "Phone", "URL", "StateProvince", "Lat", "Lng"].map((name) => [
      `_Venue${name}`,
      "",
    ]),
  ),
  _VenueShowMap: false,
  _VenueShowMapLink: false,
  _tribe_events_status: "",
  _tribe_events_status_reason: "",
  footnotes: "",
};

function formatMeta(entry: Entry): JsonObject {
  const { rows, symbol, position } = getPrice(entry);
  const price: FieldValues = { cost: rows[0] ?? "", currency_symbol: symbol, currency_position: position };
  const shown = { ...entry, fields: { ...entry.fields, ...price } };
  const meta = Object.entries(metaFields).map(([name, { field, type }]) => {
    if (type === "boolean") return [name, getBooleanField(shown, field)];
    return [name, type === "ids" ? getIdListField(shown, field) : getTextField(shown, field)];
  });
  return { ...Object.fromEntries(meta), ...emptyMeta };
}

/** `_fields=id,meta,title.raw`: only these, in the order of the record. */
function selectFields(view: JsonObject, fields: unknown): JsonObject {
  if (fields === undefined) return view;
  const paths = toList(fields).map((path) => String(path).split("."));
  const selected = Object.entries(view).flatMap(([name, value]) => {
    const own = paths.filter(([first]) => first === name);
    if (own.length === 0) return [];
    const inner = own.flatMap(([, ...rest]) => (rest.length === 0 ? [] : [rest.join(".")]));
    const isWhole = inner.length < own.length || typeof value !== "object" || value === null;
    return [[name, isWhole ? value : selectFields({ ...value }, inner)]];
  });
  return Object.fromEntries(selected);
}

// Updates.

function mergePost(call: CoreWriteRequest, resource: PostResource, entry: Entry, params: Params): Entry {
  const { data, site, user } = call;
  const { titleField } = resources[resource];
  const text = (name: string): string | undefined => {
    const value = params[name];
    const raw = typeof value === "object" && value !== null && "raw" in value ? value.raw : value;
    return typeof raw === "string" ? raw : undefined;
  };
  const sent: Readonly<Record<string, FieldValue | undefined>> = {
    [titleField]: text("title"),
    description: text("content"),
    excerpt: text("excerpt"),
    password: text("password"),
    image: typeof params["featured_media"] === "number" ? String(params["featured_media"] || "") : undefined,
  };
  const fields = Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const meta = resource === "events" ? readMeta(entry, params["meta"]) : {};
  const status = text("status") ?? entry.status;
  const slug = text("slug");
  return {
    ...entry,
    status,
    slug: slug === undefined ? restoredSlug(data, resource, entry, status) : createUniqueSlug(data, resource, slugify(slug), entry.id),
    author: typeof params["author"] === "number" ? params["author"] : entry.author,
    date_utc: readDate(site, params) ?? entry.date_utc,
    modified_utc: getUtcNow(site),
    fields: { ...filterHtml(user, { ...entry.fields, ...fields }), ...meta },
  };
}

function restoredSlug(data: StoreReader, resource: ResourceName, entry: Entry, status: string): string {
  const isNamed = entry.status === status || ["draft", "pending", "trash"].includes(status);
  return isNamed ? entry.slug : restoreSlug(data, resource, entry);
}

function readDate(site: Site, params: Params): string | undefined {
  const [gmt, date] = ["date_gmt", "date"].map((name) =>
    typeof params[name] === "string" ? parseDate(params[name], getUtcNow(site))?.wall : undefined,
  );
  return gmt ?? (date === undefined ? undefined : toUtc(date, site.zone));
}

/** The fields of the rows that were sent; unknown names are ignored. Throws 400 for a value of a wrong type. */
function readMeta(entry: Entry, meta: unknown): FieldValues {
  if (typeof meta !== "object" || meta === null) return {};
  const rows = Object.entries(meta).flatMap(([name, value]): [string, FieldValue][] => {
    const row = Object.hasOwn(metaFields, name) ? metaFields[name] : undefined;
    if (row === undefined) return [];
    const read = readMetaValue(row.type, value);
    if (read === undefined) {
      const message = `meta.${name} is not of type ${row.type === "ids" ? "array" : row.type}.`;
      throwParameterErrors({ meta: { message, code: "rest_invalid_type", data: { param: `meta.${name}` } } });
      return [];
    }
    // Recorded: of these rows only a price loses backslashes.
    const changes: Readonly<Record<string, (text: string) => string>> = { website: stripEscapes, cost: removeBackslashes };
    return [[row.field, changes[row.field]?.(String(read)) ?? read]];
  });
  if (rows.length === 0) return {};
  const { symbol, position } = getPrice(entry);
  return { currency_symbol: symbol, currency_position: position, ...Object.fromEntries(rows) };
}

function readMetaValue(type: "boolean" | "string" | "ids", value: unknown): FieldValue | undefined {
  if (type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (type === "string") return typeof value === "string" ? value : undefined;
  return Array.isArray(value) && value.every(Number.isInteger) ? toIds(value) : undefined;
}
