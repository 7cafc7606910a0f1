// The five verbs with the recorded habits of WordPress with The Events Calendar, over any resource.
import type { ResourceName } from "../../spec/field.ts";
import type { Verbs, WriteCall } from "../call.ts";
import type { Params } from "../parameters.ts";
import { type Fault, invalid, missing, problem } from "../problems.ts";
import { destroy } from "../removal.ts";
import { restUrl, utcNow } from "../site/site.ts";
import type { Entry, Role, User } from "../store/tables.ts";
import { taxonomies } from "../view/parts.ts";
import { type Answer, json } from "../wire.ts";
import { demandWriter } from "./access.ts";
import { createEvent, updateEvent } from "./events.ts";
import { entryOf, newerRefusal, paramsOf, unknownFault } from "./found.ts";
import { list } from "./listing.ts";
import { createPlace, updatePlace } from "./places.ts";
import { get } from "./reading.ts";
import { bodyRules, faultsOf } from "./rules.ts";
import { createTerm, updateTerm } from "./terms.ts";
import { viewOf } from "./view.ts";

/** A real server's verbs. */
export const habitVerbs: Verbs = { list, get, create, update, delete: remove };

/** How the records of a resource are written. Events, places and terms are three things in WordPress. */
interface Writer {
  readonly create: (call: WriteCall, user: User, params: Params) => Entry;
  readonly update: (call: WriteCall, user: User, entry: Entry, params: Params) => Entry;
}

const events: Writer = { create: createEvent, update: updateEvent };
const places: Writer = { create: createPlace, update: updatePlace };
const terms: Writer = { create: createTerm, update: updateTerm };
const writers: Readonly<Record<ResourceName, Writer>> = { events, venues: places, organizers: places, categories: terms, tags: terms };

function isTerm(name: ResourceName): name is "categories" | "tags" {
  return name === "categories" || name === "tags";
}

/** The lowest role that may write; only the newer version keeps contributors from terms and from other people's records. */
function roleFor({ site, resource }: WriteCall): Role {
  return isTerm(resource.name) && site.version === "6.17.2" ? "editor" : "contributor";
}

function create(call: WriteCall): Answer {
  const { resource, data, site, user } = call;
  const params = paramsOf(call);
  const absent = resource.fields.filter(({ name, required }) => required && !Object.hasOwn(params, name)).map(({ name }) => name);
  if (absent.length > 0) throw missing(absent);
  refuse(faultsOf(bodyRules[resource.name], params, { data, site, user }));
  const entry = writers[resource.name].create(call, demandWriter(user, roleFor(call)), params);
  data.put(resource.name, entry);
  const core = isTerm(resource.name) ? `/wp/v2/${resource.name === "tags" ? "tags" : taxonomies.categories}/${entry.id}` : "";
  return json(201, viewOf(site, data, resource.name, entry, isTerm(resource.name)), core === "" ? {} : { location: restUrl(site, core) });
}

/** Recorded: what is wrong with the body is told before whether the caller may write at all. */
function refuse(faults: Readonly<Record<string, Fault>>): void {
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

function update(call: WriteCall): Answer {
  const { resource, data, site, user, target, payload } = call;
  const params = paramsOf(call);
  const entry = entryOf(call, params);
  const faults = faultsOf(bodyRules[resource.name], payload.params, { data, site, user });
  const isEvent = resource.name === "events";
  // A slug in the body of a place is refused on its by-slug route; an event's is taken for another event's name.
  const slugged = !isEvent && target?.by === "slug" && "slug" in payload.params ? unknownFault(call) : {};
  const newer = entry === undefined ? newerRefusal(call, params, true) : undefined;
  const lost = entry === undefined && newer === undefined && !(isEvent && target?.by === "slug") ? unknownFault(call) : {};
  refuse({ ...lost, ...slugged, ...faults });
  const writer = demandWriter(user, roleFor(call), site.version === "6.17.2" ? entry : undefined);
  if (newer !== undefined) throw newer;
  // Recorded on the older version: an error with the status of a success.
  if (entry === undefined)
    return json(200, { errors: { "event-not-found": ["The requested post ID does not exist or is not an event"] }, error_data: [] });
  const changed = writers[resource.name].update(call, writer, entry, params);
  data.put(resource.name, changed);
  return json(200, viewOf(site, data, resource.name, changed, isTerm(resource.name)));
}

/** Posts go to the trash, terms for good. */
function remove(call: WriteCall): Answer {
  const { resource, data, site, user } = call;
  const params = paramsOf(call);
  const entry = entryOf(call, params);
  if (entry === undefined) throw newerRefusal(call, params, false) ?? invalid(unknownFault(call));
  demandWriter(user, roleFor(call), site.version === "6.17.2" ? entry : undefined);
  if (isTerm(resource.name)) {
    const view = viewOf(site, data, resource.name, entry);
    destroy(data, resource.name, entry);
    return json(200, view);
  }
  const { singular } = resource;
  if (entry.status === "trash") throw problem(410, `${singular}-is-in-trash`, `The ${singular} is already trashed`);
  const trashed: Entry = { ...entry, status: "trash", slug: `${entry.slug}__trashed`, modified_utc: utcNow(site) };
  data.put(resource.name, trashed);
  return json(200, viewOf(site, data, resource.name, trashed));
}
