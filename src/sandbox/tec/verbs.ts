// The server profile `the-events-calendar`: the five verbs as they were recorded from WordPress with The Events Calendar.
import type { ResourceName } from "../../model/resource.ts";
import { deletePermanently, slugify } from "../entry.ts";
import {
  createApiError,
  createInvalidParametersError,
  createMissingParametersError,
  jsonResponse,
  type ParameterErrors,
  type Params,
  type ResponseError,
  type SandboxResponse,
  throwParameterErrors,
} from "../http.ts";
import { taxonomies } from "../record-view.ts";
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "../routes.ts";
import { getRestUrl, getUtcNow } from "../site.ts";
import type { Entry, Role, User } from "../store.ts";
import { createEvent, updateEvent } from "./events.ts";
import { list } from "./lists.ts";
import { createPlace, createTerm, updatePlace, updateTerm } from "./posts-and-terms.ts";
import { canEdit, findBodyErrors, hasRole, invalidParameter, requireWriteAccess } from "./rules.ts";
import { formatRecord } from "./view.ts";

export const tecHandlers: VerbHandlers = { list, get, create, update, delete: remove };

interface RecordWriter {
  readonly create: (call: RoutedWriteRequest, user: User, params: Params) => Entry;
  readonly update: (call: RoutedWriteRequest, user: User, entry: Entry, params: Params) => Entry;
}

const placeWriter: RecordWriter = { create: createPlace, update: updatePlace };
const termWriter: RecordWriter = { create: createTerm, update: updateTerm };
const writers: Readonly<Record<ResourceName, RecordWriter>> = {
  events: { create: createEvent, update: updateEvent },
  venues: placeWriter,
  organizers: placeWriter,
  categories: termWriter,
  tags: termWriter,
};

function get(call: RoutedRequest): SandboxResponse {
  const { resource, site, data, user } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params) ?? throwUnknownRecord(call, params);
  if (entry.status === "trash" && resource.name === "events" && site.version === "6.17.2")
    throw createApiError(403, "event-no-longer-available", "This event is no longer available");
  const isOwn = user !== undefined && entry.author === user.id && hasRole(user, "contributor");
  if (entry.status !== "publish" && !isOwn && !hasRole(user, "editor"))
    throw createApiError(403, `${resource.singular}-not-accessible`, `The requested ${resource.singular} is not accessible`);
  requirePassword(call, entry, params);
  return jsonResponse(200, formatRecord(site, data, resource.name, entry, true));
}

/** Recorded: a password is asked even of administrators, unless they ask for what they may edit. */
function requirePassword({ user }: RoutedRequest, entry: Entry, { password, context }: Params): void {
  const needed = entry.fields["password"];
  if (needed === undefined || needed === "" || needed === password || (context === "edit" && canEdit(user, entry))) return;
  throw createApiError(403, "event-password-protected", "The requested event is not accessible without a password");
}

/** Recorded: errors of the body come before the question whether the caller may write at all. */
function create(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user } = call;
  const params = mergeParams(call);
  const absent = resource.fields.filter(({ name, required }) => required && !Object.hasOwn(params, name)).map(({ name }) => name);
  if (absent.length > 0) throw createMissingParametersError(absent);
  throwParameterErrors(findBodyErrors(call, params));
  const entry = writers[resource.name].create(call, requireWriteAccess(user, getRequiredRole(call)), params);
  data.put(resource.name, entry);
  const location = getRestUrl(site, `/wp/v2/${resource.name === "tags" ? "tags" : taxonomies.categories}/${entry.id}`);
  const view = formatRecord(site, data, resource.name, entry, resource.isTerm);
  return jsonResponse(201, view, resource.isTerm ? { location } : {});
}

function update(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user, target, payload } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params);
  const isEvent = resource.name === "events";
  const bySlug = target?.by === "slug";
  const newer = entry === undefined ? createMissingEventError(call, params, true) : undefined;
  const isUnknown = entry === undefined && newer === undefined && !(isEvent && bySlug);
  // A slug in the body of a place is refused on its by-slug route; an event's is taken for another event's name.
  const hasWrongSlug = !isEvent && bySlug && "slug" in payload.params;
  throwParameterErrors({ ...(isUnknown || hasWrongSlug ? createUnknownRecordErrors(call) : {}), ...findBodyErrors(call, payload.params) });
  const writer = requireWriteAccess(user, getRequiredRole(call), site.version === "6.17.2" ? entry : undefined);
  if (newer !== undefined) throw newer;
  // Recorded on the older version: an error with the status of a success.
  if (entry === undefined) {
    const errors = { "event-not-found": ["The requested post ID does not exist or is not an event"] };
    return jsonResponse(200, { errors, error_data: [] });
  }
  const changed = writers[resource.name].update(call, writer, entry, params);
  data.put(resource.name, changed);
  return jsonResponse(200, formatRecord(site, data, resource.name, changed, resource.isTerm));
}

/** Posts go to the trash; terms are destroyed. */
function remove(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user } = call;
  const { name, singular } = resource;
  const params = mergeParams(call);
  const entry = findEntry(call, params) ?? throwUnknownRecord(call, params);
  requireWriteAccess(user, getRequiredRole(call), site.version === "6.17.2" ? entry : undefined);
  if (resource.isTerm) {
    const view = formatRecord(site, data, name, entry);
    deletePermanently(data, name, entry);
    return jsonResponse(200, view);
  }
  if (entry.status === "trash") throw createApiError(410, `${singular}-is-in-trash`, `The ${singular} is already trashed`);
  const trashed: Entry = { ...entry, status: "trash", slug: `${entry.slug}__trashed`, modified_utc: getUtcNow(site) };
  data.put(name, trashed);
  return jsonResponse(200, formatRecord(site, data, name, trashed));
}

/** The lowest role that may write; only the newer version refuses terms, and other users' records, to contributors. */
function getRequiredRole({ site, resource }: RoutedWriteRequest): Role {
  return resource.isTerm && site.version === "6.17.2" ? "editor" : "contributor";
}

/** Recorded: the query overrides the path, and the body overrides both. */
function mergeParams({ target, query, payload }: RoutedRequest): Params {
  const path = target === undefined ? {} : target.by === "id" ? { id: target.id } : { slug: target.slug };
  return { ...path, ...query, ...payload.params };
}

/** A slug counts in any spelling. */
function findEntry({ data, resource, target }: RoutedRequest, params: Params): Entry | undefined {
  if (target?.by === "id") return /^\d+$/.test(String(params["id"])) ? data.find(resource.name, Number(params["id"])) : undefined;
  const slug = slugify(String(params["slug"]));
  return data.all(resource.name).find((entry) => entry.slug !== "" && entry.slug === slug);
}

function throwUnknownRecord(call: RoutedRequest, params: Params): never {
  const newer = createMissingEventError(call, params, false);
  if (newer !== undefined) throw newer;
  throw createInvalidParametersError(createUnknownRecordErrors(call));
}

function createUnknownRecordErrors({ target }: RoutedRequest): ParameterErrors {
  return { [target?.by === "slug" ? "slug" : "id"]: invalidParameter };
}

/** The newer version has errors of its own for events that are not there; undefined where it answers as the older one. */
function createMissingEventError(
  { data, resource, site, target }: RoutedRequest,
  params: Params,
  isUpdate: boolean,
): ResponseError | undefined {
  if (resource.name !== "events" || site.version !== "6.17.2") return undefined;
  const bySlug = target?.by === "slug";
  if (bySlug && !isUpdate) return undefined;
  const id = bySlug ? 0 : Number(params["id"]);
  if (data.find("venues", id) !== undefined || data.find("organizers", id) !== undefined)
    return createApiError(400, "rest-invalid-event-id", "The ID is not an event's.");
  return createApiError(404, "rest-event-not-found", `Event with ID ${id} does not exist.`);
}
