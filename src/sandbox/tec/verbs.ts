// The five verbs with the recorded habits of WordPress with The Events Calendar, over any resource.
import type { ResourceName } from "../../model/resource.ts";
import { deletePermanently } from "../entry.ts";
import {
  createApiError,
  createInvalidParametersError,
  createMissingParametersError,
  jsonResponse,
  type ParameterError,
  type SandboxResponse,
} from "../http.ts";
import type { Params } from "../parameters.ts";
import { taxonomies } from "../record-view.ts";
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "../routes.ts";
import { getRestUrl, getUtcNow } from "../site.ts";
import type { Entry, Role, User } from "../store.ts";
import { createEvent, updateEvent } from "./events.ts";
import { list } from "./lists.ts";
import { createPlace, createTerm, updatePlace, updateTerm } from "./places-and-terms.ts";
import {
  bodyRules,
  createMissingEventError,
  createUnknownRecordErrors,
  findEntry,
  findParameterErrors,
  hasRole,
  mergeParams,
  requireWriteAccess,
} from "./rules.ts";
import { formatRecord } from "./view.ts";

/** A real server's verbs. */
export const tecHandlers: VerbHandlers = { list, get, create, update, delete: remove };

/** How the records of a resource are written. Events, places and terms are three things in WordPress. */
interface RecordWriter {
  readonly create: (call: RoutedWriteRequest, user: User, params: Params) => Entry;
  readonly update: (call: RoutedWriteRequest, user: User, entry: Entry, params: Params) => Entry;
}

const eventWriter: RecordWriter = { create: createEvent, update: updateEvent };
const placeWriter: RecordWriter = { create: createPlace, update: updatePlace };
const termWriter: RecordWriter = { create: createTerm, update: updateTerm };
const writers: Readonly<Record<ResourceName, RecordWriter>> = {
  events: eventWriter,
  venues: placeWriter,
  organizers: placeWriter,
  categories: termWriter,
  tags: termWriter,
};

function isTermResource(name: ResourceName): name is "categories" | "tags" {
  return name === "categories" || name === "tags";
}

/** The lowest role that may write; only the newer version keeps contributors from terms and from other people's records. */
function getRequiredRole({ site, resource }: RoutedWriteRequest): Role {
  return isTermResource(resource.name) && site.version === "6.17.2" ? "editor" : "contributor";
}

function create(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user } = call;
  const params = mergeParams(call);
  const absent = resource.fields.filter(({ name, required }) => required && !Object.hasOwn(params, name)).map(({ name }) => name);
  if (absent.length > 0) throw createMissingParametersError(absent);
  throwIfInvalid(findParameterErrors(bodyRules[resource.name], params, { data, site, user }));
  const entry = writers[resource.name].create(call, requireWriteAccess(user, getRequiredRole(call)), params);
  data.put(resource.name, entry);
  const core = isTermResource(resource.name) ? `/wp/v2/${resource.name === "tags" ? "tags" : taxonomies.categories}/${entry.id}` : "";
  return jsonResponse(
    201,
    formatRecord(site, data, resource.name, entry, isTermResource(resource.name)),
    core === "" ? {} : { location: getRestUrl(site, core) },
  );
}

/** Recorded: what is wrong with the body is told before whether the caller may write at all. */
function throwIfInvalid(faults: Readonly<Record<string, ParameterError>>): void {
  if (Object.keys(faults).length > 0) throw createInvalidParametersError(faults);
}

function update(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user, target, payload } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params);
  const faults = findParameterErrors(bodyRules[resource.name], payload.params, { data, site, user });
  const isEvent = resource.name === "events";
  // A slug in the body of a place is refused on its by-slug route; an event's is taken for another event's name.
  const slugged = !isEvent && target?.by === "slug" && "slug" in payload.params ? createUnknownRecordErrors(call) : {};
  const newer = entry === undefined ? createMissingEventError(call, params, true) : undefined;
  const lost = entry === undefined && newer === undefined && !(isEvent && target?.by === "slug") ? createUnknownRecordErrors(call) : {};
  throwIfInvalid({ ...lost, ...slugged, ...faults });
  const writer = requireWriteAccess(user, getRequiredRole(call), site.version === "6.17.2" ? entry : undefined);
  if (newer !== undefined) throw newer;
  // Recorded on the older version: an error with the status of a success.
  if (entry === undefined)
    return jsonResponse(200, {
      errors: { "event-not-found": ["The requested post ID does not exist or is not an event"] },
      error_data: [],
    });
  const changed = writers[resource.name].update(call, writer, entry, params);
  data.put(resource.name, changed);
  return jsonResponse(200, formatRecord(site, data, resource.name, changed, isTermResource(resource.name)));
}

/** Posts go to the trash, terms for good. */
function remove(call: RoutedWriteRequest): SandboxResponse {
  const { resource, data, site, user } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params);
  if (entry === undefined)
    throw createMissingEventError(call, params, false) ?? createInvalidParametersError(createUnknownRecordErrors(call));
  requireWriteAccess(user, getRequiredRole(call), site.version === "6.17.2" ? entry : undefined);
  if (isTermResource(resource.name)) {
    const view = formatRecord(site, data, resource.name, entry);
    deletePermanently(data, resource.name, entry);
    return jsonResponse(200, view);
  }
  const { singular } = resource;
  if (entry.status === "trash") throw createApiError(410, `${singular}-is-in-trash`, `The ${singular} is already trashed`);
  const trashed: Entry = { ...entry, status: "trash", slug: `${entry.slug}__trashed`, modified_utc: getUtcNow(site) };
  data.put(resource.name, trashed);
  return jsonResponse(200, formatRecord(site, data, resource.name, trashed));
}

// Reading one record, with what a real server keeps from whom.

/** One record. */
function get(call: RoutedRequest): SandboxResponse {
  const { resource, site, data, user } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params);
  if (entry === undefined)
    throw createMissingEventError(call, params, false) ?? createInvalidParametersError(createUnknownRecordErrors(call));
  if (entry.status === "trash" && resource.name === "events" && site.version === "6.17.2") {
    throw createApiError(403, "event-no-longer-available", "This event is no longer available");
  }
  const mayRead =
    entry.status === "publish" ||
    hasRole(user, "editor") ||
    (user !== undefined && entry.author === user.id && hasRole(user, "contributor"));
  if (!mayRead) throw createApiError(403, `${resource.singular}-not-accessible`, `The requested ${resource.singular} is not accessible`);
  return jsonResponse(200, formatRecord(site, data, resource.name, entry, true));
}
