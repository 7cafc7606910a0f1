// The five verbs as the contract has them, over any resource.
import type { Field, FieldFormat, FieldType } from "../model/resource.ts";
import { findToken, parseBearerHeader } from "./auth/tokens.ts";
import {
  createTimeFields,
  createUniqueSlug,
  deletePermanently,
  getBooleanField,
  getCategorySubtreeIds,
  getTextField,
  isTimeZone,
  parseUtcTime,
  slugify,
  toUtc,
} from "./entry.ts";
import { filterEntries, sortEntries } from "./filters.ts";
import { formatRecord } from "./generic-view.ts";
import {
  createApiError,
  createInvalidParametersError,
  createMissingParametersError,
  jsonResponse,
  type ParameterError,
  parseUrl,
  ResponseError,
  type SandboxResponse,
} from "./http.ts";
import { type Params, toList } from "./parameters.ts";
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "./routes.ts";
import { getNamespaceUrl, getUtcNow } from "./site.ts";
import type { Entry, FieldValue, StoreReader, User } from "./store.ts";

/** The largest page (section 8: not shown). */
const maxPageSize = 100;

/** The contract's server. */
export const genericHandlers: VerbHandlers = { list, get, create, update, delete: remove };

function list(call: RoutedRequest): SandboxResponse {
  const { resource, data, site } = call;
  const values: Readonly<Record<string, FieldValue>> = {
    ...(hasHideEmptyFilter(call) ? { hide_empty: true } : {}),
    ...validateQuery(call),
  };
  const scene = { data, now: getUtcNow(site), includeDescendants: false };
  const entries = sortEntries(resource.name, filterEntries(resource.name, values, scene), values, data).filter((entry) =>
    canRead(call, entry),
  );
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

function hasHideEmptyFilter({ resource }: RoutedRequest): boolean {
  return resource.filters.some(({ name }) => name === "hide_empty");
}

/** The filters that were sent. Unknown parameters are left alone, as servers of this kind do. */
function validateQuery({ resource, query }: RoutedRequest): Readonly<Record<string, FieldValue>> {
  const partners = resource.filters.flatMap(({ name, requires }) =>
    requires !== undefined && Object.hasOwn(query, name) ? [requires] : [],
  );
  const absent = partners.filter((name) => !Object.hasOwn(query, name));
  if (absent.length > 0) throw createMissingParametersError(absent);
  const { values, errors } = validateParameters(resource.filters, query, false);
  const bounds: Record<string, ParameterError> = {};
  const { page, per_page: size } = values;
  if (page !== undefined && Number(page) < 1) bounds["page"] = { message: "page must be 1 or more." };
  if (size !== undefined && (Number(size) < 1 || Number(size) > maxPageSize))
    bounds["per_page"] = { message: `per_page must be between 1 and ${maxPageSize}.` };
  const all = { ...errors, ...bounds };
  if (Object.keys(all).length > 0) throw createInvalidParametersError(all);
  return values;
}

function get(call: RoutedRequest): SandboxResponse {
  const entry = findEntry(call);
  if (!canRead(call, entry)) throw createForbiddenError();
  return jsonResponse(200, formatRecord(call.site, call.data, call.resource.name, entry));
}

function create(call: RoutedWriteRequest): SandboxResponse {
  return saveEntry(201, call, () => createEntry(call, validateBody(call)));
}

function update(call: RoutedWriteRequest): SandboxResponse {
  return saveEntry(200, call, () => {
    const entry = findEntry(call);
    return mergeEntry(call, entry, validateBody(call, entry));
  });
}

function saveEntry(status: number, call: RoutedWriteRequest, make: () => Entry): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const entry = make();
  call.data.put(call.resource.name, entry);
  return jsonResponse(status, formatRecord(call.site, call.data, call.resource.name, entry));
}

/** Deleting destroys: the contract knows no trash. The answer is the record as it was. */
function remove(call: RoutedWriteRequest): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const entry = findEntry(call);
  const view = formatRecord(call.site, call.data, call.resource.name, entry);
  deletePermanently(call.data, call.resource.name, entry);
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
function canRead({ user }: RoutedRequest, { status }: Entry): boolean {
  return status === "publish" || (user !== undefined && user.role !== "subscriber");
}

function canWrite({ user }: RoutedRequest): boolean {
  return user !== undefined && user.role !== "subscriber";
}

function createForbiddenError(): Error {
  return createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
}

// Who calls the contract's server: the bearer of a token of the authentication interface. Without one nothing is answered.

/** The user of the token; 401 where there is none. */
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

// The body of a create or an update, checked against the resource's fields.

/** What a by-slug update of a venue must carry beside the fields (section 4.3). */
const slugField: Field = { name: "slug", type: "string", required: true, meaning: "Slug" };

/** The values of a body. Throws the refusal for missing, unknown and wrong ones: all of a kind at once. */
function validateBody(call: RoutedWriteRequest, current?: Entry): Readonly<Record<string, FieldValue>> {
  const { resource, payload, target, data } = call;
  const withSlug = resource.slugInBody && target?.by === "slug";
  const fields = withSlug ? [...resource.fields, slugField] : resource.fields;
  const needed = fields.filter((field) => field.required && (current === undefined || field === slugField));
  const absent = needed.filter(({ name }) => !Object.hasOwn(payload.params, name)).map(({ name }) => name);
  if (absent.length > 0) throw createMissingParametersError(absent);
  const { values, errors } = validateParameters(fields, payload.params, payload.hasJsonTypes, data);
  const all = { ...findUnknownFields(fields, payload.params), ...errors, ...findConsistencyErrors(call, values, current) };
  if (Object.keys(all).length > 0) throw createInvalidParametersError(all);
  return values;
}

function findUnknownFields(fields: readonly Field[], params: Readonly<Record<string, unknown>>): Readonly<Record<string, ParameterError>> {
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.keys(params).filter((name) => !names.has(name));
  return Object.fromEntries(others.map((name) => [name, { message: `${name} is not a field of this resource.` }]));
}

/** What the tables can't say: who is an author, which end comes first, and that no category is above itself. */
function findConsistencyErrors(
  { data }: RoutedWriteRequest,
  values: Readonly<Record<string, FieldValue>>,
  current: Entry | undefined,
): Readonly<Record<string, ParameterError>> {
  const faults: Record<string, ParameterError> = {};
  const { author, parent } = values;
  if (author !== undefined && data.find("users", Number(author)) === undefined)
    faults["author"] = { message: `author ${author} does not exist.` };
  if (typeof parent === "number" && current !== undefined && getCategorySubtreeIds(data, current.id).includes(parent)) {
    faults["parent"] = { message: "parent is the category itself or one below it." };
  }
  const start = values["start_date"] ?? current?.fields["start_date"];
  const end = values["end_date"] ?? current?.fields["end_date"];
  if (start !== undefined && end !== undefined && end < start) faults["end_date"] = { message: "end_date is before start_date." };
  return faults;
}

// From checked values to a record as it is kept.

type FieldValues = Readonly<Record<string, FieldValue>>;

/** Fields that are kept beside the others. */
const entryPropertyNames: ReadonlySet<string> = new Set(["slug", "status", "author", "date", "date_utc"]);

/** A new record. */
function createEntry(call: RoutedWriteRequest, values: FieldValues): Entry {
  const { data, resource, site, user } = call;
  const id = data.nextId(resource.isTerm ? "terms" : "posts");
  const now = getUtcNow(site);
  const blank: Entry = { id, slug: "", status: "publish", author: user?.id ?? 1, date_utc: now, modified_utc: now, fields: {} };
  return mergeEntry(call, blank, { ...values, slug: values["slug"] ?? values[resource.titleField] ?? "" });
}

/** A record with some values changed; what was not sent is kept. */
function mergeEntry({ data, resource, site }: RoutedWriteRequest, entry: Entry, values: FieldValues): Entry {
  const others = Object.entries(values).filter(([name]) => !entryPropertyNames.has(name));
  const fields: FieldValues = { ...entry.fields, ...Object.fromEntries(others) };
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  const slug =
    values["slug"] === undefined
      ? entry.slug
      : createUniqueSlug(slugify(String(values["slug"])) || `${resource.singular}-${entry.id}`, taken);
  return {
    id: entry.id,
    slug,
    status: String(values["status"] ?? entry.status),
    author: Number(values["author"] ?? entry.author),
    date_utc: String(values["date_utc"] ?? (values["date"] === undefined ? entry.date_utc : toUtc(String(values["date"]), site.zone))),
    modified_utc: getUtcNow(site),
    fields: resource.name === "events" ? addTimeFields(fields, site.zone, entry) : fields,
  };
}

function addTimeFields(fields: FieldValues, siteZone: string, entry: Entry): FieldValues {
  const now: Entry = { ...entry, fields };
  const times = {
    start_date: getTextField(now, "start_date"),
    end_date: getTextField(now, "end_date"),
    timezone: getTextField(now, "timezone") || siteZone,
  };
  return { ...fields, ...createTimeFields({ ...times, all_day: getBooleanField(now, "all_day") }) };
}

// Checking parameters against the tables of the interface: types, formats and links, all faults at once.

/** What was read, and what could not be. */
interface ValidationResult {
  readonly values: Readonly<Record<string, FieldValue>>;
  readonly errors: Readonly<Record<string, ParameterError>>;
}

/** Post statuses that may be written or asked for (not shown in the interface). */
const writableStatuses: readonly string[] = ["publish", "draft", "pending", "private", "future"];

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
  status: {
    test: (value) => value.split(",").every((one) => writableStatuses.includes(one)),
    expected: `one of ${writableStatuses.join(", ")}`,
  },
};

const typeNames: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "integer",
  boolean: "boolean",
  integers: "array of integer",
  any: "string, number or boolean",
};

/** Reads the parameters that the fields name. `links` refuses ids of records that don't exist: for bodies, not for filters. */
function validateParameters(fields: readonly Field[], params: Params, typed: boolean, links?: StoreReader): ValidationResult {
  const values: Record<string, FieldValue> = {};
  const errors: Record<string, ParameterError> = {};
  for (const field of fields) {
    if (!Object.hasOwn(params, field.name)) continue;
    const value = valueParsers[field.type](params[field.name], typed);
    const fault = value === undefined ? createTypeError(field) : findValueError(field, value, links);
    if (fault !== undefined) errors[field.name] = fault;
    else if (value !== undefined) values[field.name] = value;
  }
  return { values, errors };
}

function createTypeError({ name, type }: Field): ParameterError {
  return { message: `${name} is not of type ${typeNames[type]}.`, code: "rest_invalid_type", data: { param: name } };
}

function findValueError(field: Field, value: FieldValue, links: StoreReader | undefined): ParameterError | undefined {
  const { name, format, required, refersTo } = field;
  if (required && value === "") return { message: `${name} must not be empty.` };
  if (format !== undefined && !formatRules[format].test(String(value)))
    return { message: `${name} is not ${formatRules[format].expected}.` };
  if (links === undefined || refersTo === undefined) return undefined;
  const wanted = typeof value === "object" ? value : [Number(value)];
  const unknown = wanted.filter((id) => links.find(refersTo, id) === undefined);
  // No parent is 0.
  if (unknown.length === 0 || (field.type === "integer" && value === 0)) return undefined;
  return { message: `${name} names ${refersTo} that do not exist: ${unknown.join(", ")}.` };
}
