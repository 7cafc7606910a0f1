// The server profile `generic`: the five verbs as the interface documents have them, over any resource.
import type { Field, FieldFormat, FieldType, ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { findToken, parseBearerHeader } from "./auth/tokens.ts";
import {
  countPublishedEvents,
  createTimeFields,
  createUniqueSlug,
  deletePermanently,
  getBooleanField,
  getCategorySubtreeIds,
  getIdListField,
  getTextField,
  type LinkedResourceName,
  linkFields,
  slugify,
} from "./entry.ts";
import { filterEntries, sortEntries } from "./filters.ts";
import {
  createApiError,
  createMissingParametersError,
  createTypeError,
  jsonResponse,
  type ParameterError,
  type ParameterErrors,
  type Params,
  parseUrl,
  ResponseError,
  type SandboxResponse,
  throwParameterErrors,
  toList,
} from "./http.ts";
import {
  formatEventFields,
  formatGlobalIds,
  formatPostDates,
  getPostPageUrl,
  getTermPageUrl,
  getTermRestUrls,
  taxonomies,
} from "./record-view.ts";
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "./routes.ts";
import { getNamespaceUrl, getUtcNow, type JsonObject, type Site } from "./site.ts";
import type { Entry, FieldValue, StoreReader, User } from "./store.ts";
import { isTimeZone, parseUtcTime, toUtc } from "./time.ts";

type FieldValues = Readonly<Record<string, FieldValue>>;

/** The largest page (section 8: not shown). */
const maxPageSize = 100;

export const genericHandlers: VerbHandlers = { list, get, create, update, delete: remove };

/** The user of the access token; 401 where there is none. */
export function authenticateByToken(data: StoreReader, authorization: string | undefined, now: number): User {
  const text = parseBearerHeader(authorization);
  if (text === undefined) throw createUnauthorizedError("rest_not_logged_in", "A Bearer token is needed in the Authorization header.");
  const token = findToken(data, "access", text, now);
  const user = token === undefined ? undefined : data.find("users", token.user);
  if (user === undefined) throw createUnauthorizedError("rest_token_invalid", "The token is unknown, expired or revoked.");
  return user;
}

function createUnauthorizedError(code: string, message: string): ResponseError {
  const { response } = createApiError(401, code, message);
  return new ResponseError({ ...response, headers: { ...response.headers, "www-authenticate": "Bearer" } });
}

function list(call: RoutedRequest): SandboxResponse {
  const { resource, data, site } = call;
  const hidesEmpty = resource.filters.some(({ name }) => name === "hide_empty");
  const values: FieldValues = { ...(hidesEmpty ? { hide_empty: true } : {}), ...validateQuery(call) };
  const found = filterEntries(resource.name, values, { data, now: getUtcNow(site), includeDescendants: false });
  const entries = sortEntries(resource.name, found, values, data).filter((entry) => canRead(call, entry));
  const size = Number(values["per_page"] ?? 10);
  const start = (Number(values["page"] ?? 1) - 1) * size;
  const pages = Math.ceil(entries.length / size);
  const body = {
    [resource.name]: entries.slice(start, start + size).map((entry) => formatRecord(site, data, resource.name, entry)),
    rest_url: getNamespaceUrl(site, resource.name),
    total: entries.length,
    total_pages: pages,
  };
  return jsonResponse(200, body, { "x-wp-total": String(entries.length), "x-wp-totalpages": String(pages) });
}

/** The filters that were sent. Unknown parameters are ignored, as servers of this kind do. */
function validateQuery({ resource, query }: RoutedRequest): FieldValues {
  const sent = resource.filters.filter(({ name }) => Object.hasOwn(query, name));
  const absent = sent.flatMap(({ requires = [] }) => requires).filter((name) => !Object.hasOwn(query, name));
  if (absent.length > 0) throw createMissingParametersError(absent);
  const { values, errors } = validateParameters(resource.filters, query, false);
  const bounds: Record<string, ParameterError> = {};
  const { page, per_page: size } = values;
  if (page !== undefined && Number(page) < 1) bounds["page"] = { message: "page must be 1 or more." };
  if (size !== undefined && (Number(size) < 1 || Number(size) > maxPageSize))
    bounds["per_page"] = { message: `per_page must be between 1 and ${maxPageSize}.` };
  throwParameterErrors({ ...errors, ...bounds });
  return values;
}

function get(call: RoutedRequest): SandboxResponse {
  const entry = findEntry(call);
  if (!canRead(call, entry)) throw createForbiddenError();
  return jsonResponse(200, formatRecord(call.site, call.data, call.resource.name, entry));
}

function create(call: RoutedWriteRequest): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const { data, resource, site, user } = call;
  const values = validateBody(call);
  const id = data.nextId(resource.isTerm ? "terms" : "posts");
  const now = getUtcNow(site);
  const blank: Entry = { id, slug: "", status: "publish", author: user?.id ?? 1, date_utc: now, modified_utc: now, fields: {} };
  const entry = mergeEntry(call, blank, { ...values, slug: values["slug"] ?? values[resource.titleField] ?? "" });
  data.put(resource.name, entry);
  return jsonResponse(201, formatRecord(site, data, resource.name, entry));
}

function update(call: RoutedWriteRequest): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const { data, resource, site } = call;
  const before = findEntry(call);
  const entry = mergeEntry(call, before, validateBody(call, before));
  data.put(resource.name, entry);
  return jsonResponse(200, formatRecord(site, data, resource.name, entry));
}

/** Deleting destroys: the interface has no trash. The answer is the record as it was. */
function remove(call: RoutedWriteRequest): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const { data, resource, site } = call;
  const entry = findEntry(call);
  const view = formatRecord(site, data, resource.name, entry);
  deletePermanently(data, resource.name, entry);
  return jsonResponse(200, view);
}

function findEntry({ data, resource, target }: RoutedRequest): Entry {
  const slug = target?.by === "slug" ? slugify(target.slug) : undefined;
  const entry = target?.by === "id" ? data.find(resource.name, target.id) : data.all(resource.name).find((one) => one.slug === slug);
  if (entry !== undefined) return entry;
  const which = target?.by === "id" ? `id ${target.id}` : `slug ${slug}`;
  throw createApiError(404, "rest_not_found", `There is no ${resource.singular} with the ${which}.`);
}

/** Permissions are not shown in the interface: a subscriber reads what is published, everybody else reads and writes everything. */
function canRead(call: RoutedRequest, { status }: Entry): boolean {
  return status === "publish" || canWrite(call);
}

function canWrite({ user }: RoutedRequest): boolean {
  return user !== undefined && user.role !== "subscriber";
}

function createForbiddenError(): ResponseError {
  return createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
}

/** A by-slug update of a venue must have it beside the fields (section 4.3). */
const slugField: Field = { name: "slug", type: "string", required: true, meaning: "Slug" };

/** The values of a body. Throws an error for all missing parameters, or for all unknown and wrong ones. */
function validateBody({ resource, payload, target, data }: RoutedWriteRequest, current?: Entry): FieldValues {
  const withSlug = resource.slugInBody && target?.by === "slug";
  const fields = withSlug ? [...resource.fields, slugField] : resource.fields;
  const needed = fields.filter((field) => field.required && (current === undefined || field === slugField));
  const absent = needed.filter(({ name }) => !Object.hasOwn(payload.params, name)).map(({ name }) => name);
  if (absent.length > 0) throw createMissingParametersError(absent);
  const unknown = Object.keys(payload.params).filter((name) => !fields.some((field) => field.name === name));
  const { values, errors } = validateParameters(fields, payload.params, payload.hasJsonTypes, data);
  throwParameterErrors({
    ...Object.fromEntries(unknown.map((name) => [name, { message: `${name} is not a field of this resource.` }])),
    ...errors,
    ...findConsistencyErrors(data, values, current),
  });
  return values;
}

/** What the tables can't say: who is an author, which end comes first, and that no category is above itself. */
function findConsistencyErrors(data: StoreReader, values: FieldValues, current: Entry | undefined): ParameterErrors {
  const errors: Record<string, ParameterError> = {};
  const { author, parent } = values;
  if (author !== undefined && data.find("users", Number(author)) === undefined)
    errors["author"] = { message: `author ${author} does not exist.` };
  if (typeof parent === "number" && current !== undefined && getCategorySubtreeIds(data, current.id).includes(parent))
    errors["parent"] = { message: "parent is the category itself or one below it." };
  const start = values["start_date"] ?? current?.fields["start_date"];
  const end = values["end_date"] ?? current?.fields["end_date"];
  if (start !== undefined && end !== undefined && end < start) errors["end_date"] = { message: "end_date is before start_date." };
  return errors;
}

/** Fields that an entry has beside `fields`. */
const entryPropertyNames: ReadonlySet<string> = new Set(["slug", "status", "author", "date", "date_utc"]);

function mergeEntry({ data, resource, site }: RoutedWriteRequest, entry: Entry, values: FieldValues): Entry {
  const others = Object.entries(values).filter(([name]) => !entryPropertyNames.has(name));
  const merged: Entry = { ...entry, fields: { ...entry.fields, ...Object.fromEntries(others) } };
  const times = {
    start_date: getTextField(merged, "start_date"),
    end_date: getTextField(merged, "end_date"),
    timezone: getTextField(merged, "timezone") || site.zone,
    all_day: getBooleanField(merged, "all_day"),
  };
  const slug = slugify(String(values["slug"])) || `${resource.singular}-${entry.id}`;
  return {
    id: entry.id,
    slug: values["slug"] === undefined ? entry.slug : createUniqueSlug(data, resource.name, slug, entry.id),
    status: String(values["status"] ?? entry.status),
    author: Number(values["author"] ?? entry.author),
    date_utc: String(values["date_utc"] ?? (values["date"] === undefined ? entry.date_utc : toUtc(String(values["date"]), site.zone))),
    modified_utc: getUtcNow(site),
    fields: resource.name === "events" ? { ...merged.fields, ...createTimeFields(times) } : merged.fields,
  };
}

// Parameters are checked against the tables of the interface: types, formats and links.

/** Not shown in the interface. */
const postStatuses: readonly string[] = ["publish", "draft", "pending", "private", "future"];

const integerPattern = /^-?\d{1,15}$/;

/** JSON keeps its types; in a query or a form everything is text. */
const valueParsers: Readonly<Record<FieldType, (raw: unknown, typed: boolean) => FieldValue | undefined>> = {
  string: (raw) => (typeof raw === "string" ? raw : undefined),
  integer: parseInteger,
  boolean: (raw, typed) => {
    if (typed) return typeof raw === "boolean" ? raw : undefined;
    return raw === "true" || raw === "1" ? true : raw === "false" || raw === "0" ? false : undefined;
  },
  integers: (raw, typed) => {
    if (typed && !Array.isArray(raw)) return undefined;
    const numbers = raw === "" ? [] : toList(raw).map((item) => parseInteger(item, typed));
    return numbers.every((number) => number !== undefined) ? numbers : undefined;
  },
  any: (raw) => (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean" ? raw : undefined),
};

function parseInteger(raw: unknown, typed: boolean): number | undefined {
  if (typed) return typeof raw === "number" && Number.isSafeInteger(raw) ? raw : undefined;
  return typeof raw === "string" && integerPattern.test(raw) ? Number(raw) : undefined;
}

const anyFormat = { test: () => true, expected: "text" };

const formatRules: Readonly<Record<FieldFormat, { readonly test: (value: string) => boolean; readonly expected: string }>> = {
  "date-time": { test: (value) => !Number.isNaN(parseUtcTime(value)), expected: "a date-time in the form YYYY-MM-DD HH:MM:SS" },
  "time-zone": { test: isTimeZone, expected: "a time zone" },
  "flag-string": { test: (value) => ["true", "false", "1", "0", ""].includes(value), expected: '"true" or "false"' },
  html: anyFormat,
  url: { test: (value) => value === "" || /^https?:$/.test(parseUrl(value)?.protocol ?? ""), expected: "a URL" },
  email: anyFormat,
  image: anyFormat,
  number: anyFormat,
  search: anyFormat,
  status: {
    test: (value) => value.split(",").every((one) => postStatuses.includes(one)),
    expected: `one of ${postStatuses.join(", ")}`,
  },
};

const typeNames: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "integer",
  boolean: "boolean",
  integers: "array of integer",
  any: "string, number or boolean",
};

/** Reads the parameters that the fields name. With `links`, ids of records that don't exist are errors. */
function validateParameters(
  fields: readonly Field[],
  params: Params,
  typed: boolean,
  links?: StoreReader,
): { readonly values: FieldValues; readonly errors: ParameterErrors } {
  const values: Record<string, FieldValue> = {};
  const errors: Record<string, ParameterError> = {};
  for (const field of fields) {
    if (!Object.hasOwn(params, field.name)) continue;
    const value = valueParsers[field.type](params[field.name], typed);
    const error = value === undefined ? createTypeError(field.name, typeNames[field.type]) : findValueError(field, value, links);
    if (error !== undefined) errors[field.name] = error;
    else if (value !== undefined) values[field.name] = value;
  }
  return { values, errors };
}

function findValueError(field: Field, value: FieldValue, links: StoreReader | undefined): ParameterError | undefined {
  const { name, format, required, refersTo } = field;
  if (required && value === "") return { message: `${name} must not be empty.` };
  if (format !== undefined && !formatRules[format].test(String(value)))
    return { message: `${name} is not ${formatRules[format].expected}.` };
  if (links === undefined || refersTo === undefined) return undefined;
  const ids = typeof value === "object" ? value : [Number(value)];
  const unknown = ids.filter((id) => links.find(refersTo, id) === undefined);
  // No parent is 0.
  if (unknown.length === 0 || (field.type === "integer" && value === 0)) return undefined;
  return { message: `${name} names ${refersTo} that do not exist: ${unknown.join(", ")}.` };
}

// Records as they are sent: every field of the tables, in the shapes of real servers.

function formatRecord(site: Site, data: StoreReader, resource: ResourceName, entry: Entry): JsonObject {
  if (resource === "events") return formatEvent(site, data, entry);
  if (resource === "categories" || resource === "tags") return formatTerm(site, data, resource, entry);
  return formatPlace(site, resource, entry);
}

function formatEvent(site: Site, data: StoreReader, entry: Entry): JsonObject {
  const linked = (resource: LinkedResourceName): readonly JsonObject[] =>
    getIdListField(entry, linkFields[resource])
      .flatMap((id) => data.find(resource, id) ?? [])
      .map((record) => formatRecord(site, data, resource, record));
  const venues = linked("venues");
  return {
    ...formatEventFields(site, entry),
    categories: linked("categories"),
    tags: linked("tags"),
    // Real servers: nothing is [], one is an object, several are an array.
    venue: venues.length === 1 ? venues[0] : venues,
    organizer: linked("organizers"),
  };
}

/** Venues and organizers: the writable fields in the order of the interface's tables. */
function formatPlace(site: Site, resource: "venues" | "organizers", entry: Entry): JsonObject {
  const known = new Set(["author", "date", "date_utc", "status"]);
  const written = resources[resource].fields.filter(({ name }) => !known.has(name)).map(({ name }) => [name, getTextField(entry, name)]);
  const geo = ["geo_lat", "geo_lng"].flatMap((name) => (entry.fields[name] === undefined ? [] : [[name, entry.fields[name]]]));
  return {
    id: entry.id,
    author: entry.author,
    status: entry.status,
    ...formatPostDates(site, entry),
    url: getPostPageUrl(site, resource, entry),
    rest_url: getNamespaceUrl(site, `${resource}/${entry.id}`),
    slug: entry.slug,
    ...Object.fromEntries([...written, ...geo]),
    ...formatGlobalIds(site, entry.id),
  };
}

function formatTerm(site: Site, data: StoreReader, resource: "categories" | "tags", entry: Entry): JsonObject {
  return {
    id: entry.id,
    count: countPublishedEvents(data, resource, entry.id),
    description: getTextField(entry, "description"),
    name: getTextField(entry, "name"),
    slug: entry.slug,
    taxonomy: taxonomies[resource],
    ...(resource === "categories" ? { parent: entry.fields["parent"] ?? 0 } : {}),
    url: getTermPageUrl(site, resource, [entry.slug]),
    urls: getTermRestUrls(site, resource, entry),
  };
}
