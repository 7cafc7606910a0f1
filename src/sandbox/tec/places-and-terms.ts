// Writing venues and organizers on a WordPress site, also those that come inside an event.
import type { ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { createUniqueSlug, getCategorySubtreeIds, getTextField, slugify } from "../entry.ts";
import { createApiError, ResponseError } from "../http.ts";
import type { Params } from "../parameters.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow } from "../site.ts";
import type { Entry, User } from "../store.ts";
import {
  createBlankPost,
  type FieldValues,
  getTextParams,
  getUnslashedTextParams,
  parsePublicationDate,
  resolveSlug,
  resolveStatus,
} from "./posts.ts";
import { sanitizeTextField, stripTags } from "./value-rules.ts";

type PlaceResourceName = "venues" | "organizers";

/** A new place. Recorded: where one of this name exists, it is that one, with the new fields added. */
export function createPlace(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const { titleField, name: resource } = call.resource;
  const name = getUnslashedTextParams(params, [titleField])[titleField];
  const same = call.data.all(resource).find((entry) => entry.status !== "trash" && getTextField(entry, titleField) === name);
  // A slug is passed over here.
  const { slug: _, ...others } = params;
  if (same !== undefined) return applyPlaceFields(call, resetFields(resource, same), others, same.status);
  const blank = resetFields(resource, createBlankPost(call, user));
  const region = params["stateprovince"] ?? params["state"] ?? params["province"];
  return applyPlaceFields(
    call,
    blank,
    { ...others, ...(resource === "venues" && typeof region === "string" ? { stateprovince: region } : {}) },
    resolveStatus(user, params),
  );
}

/** A place with some fields changed. Recorded: most of what was not sent is kept, but a draft is published. */
export function updatePlace(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  const { slug, ...others } = params;
  const named = call.target?.by === "slug" ? others : { ...others, ...(slug === undefined ? {} : { slug }) };
  return applyPlaceFields(call, resetFields(call.resource.name, entry), named, resolveStatus(user, params));
}

/** What every write of a place sets back unless it is sent: `stateprovince` as recorded; the picture and the maps as its source says. */
function resetFields(resource: ResourceName, entry: Entry): Entry {
  const { stateprovince: _, image: __, ...fields } = entry.fields;
  return { ...entry, fields: { ...fields, ...(resource === "venues" ? { show_map: "true", show_map_link: "true" } : {}) } };
}

function applyPlaceFields(call: RoutedWriteRequest, entry: Entry, params: Params, status: string): Entry {
  const { fields: known, titleField } = call.resource;
  const sent: FieldValues = getUnslashedTextParams(
    params,
    known.map(({ name }) => name).filter((name) => !["date", "date_utc", "status", "author"].includes(name)),
  );
  // An empty description is taken, and changes nothing.
  const { description, ...others } = sent;
  const lines = Object.entries(others).map(
    ([name, value]) => [name, name === titleField ? value : sanitizeTextField(String(value))] as const,
  );
  const fields = {
    ...entry.fields,
    ...Object.fromEntries(lines),
    ...(description === undefined || description === "" ? {} : { description }),
  };
  const draft = { ...entry, fields };
  return {
    ...draft,
    status,
    slug: resolveSlug(call, draft, params["slug"], getTextField(draft, titleField), status),
    author: params["author"] === undefined ? entry.author : Number(params["author"]),
    date_utc: parsePublicationDate(call, params) ?? entry.date_utc,
    modified_utc: getUtcNow(call.site),
  };
}

/** The place that an event names by itself: found by its name, else made. */
export function findOrCreatePlace(call: RoutedWriteRequest, user: User, resource: PlaceResourceName, params: Params): number {
  const inner: RoutedWriteRequest = { ...call, resource: resources[resource] };
  const place = createPlace(inner, user, params);
  call.data.put(resource, place);
  return place.id;
}

// Writing categories and tags on a WordPress site: names are unique, and updates keep what was not sent.

/** A new term; 400 where one of its name exists, with the id of that one. */
export function createTerm(call: RoutedWriteRequest, _user: User, params: Params): Entry {
  rejectTagParent(call, params);
  const { data, resource, site } = call;
  const name = stripTags(String(params["name"]));
  const same = data
    .all(resource.name)
    .find(
      (term) =>
        getTextField(term, "name").toLowerCase() === name.toLowerCase() &&
        Number(term.fields["parent"] ?? 0) === Number(params["parent"] ?? 0),
    );
  if (same !== undefined) throw createTermExistsError(same.id);
  const now = getUtcNow(site);
  const start = { name: "", description: "", ...(resource.name === "categories" ? { parent: 0 } : {}) };
  const blank: Entry = {
    id: data.nextId("terms"),
    slug: "",
    status: "publish",
    author: 1,
    date_utc: now,
    modified_utc: now,
    fields: start,
  };
  return applyTermFields(call, blank, params);
}

/** A term with some fields changed. */
export function updateTerm(call: RoutedWriteRequest, _user: User, entry: Entry, params: Params): Entry {
  rejectTagParent(call, params);
  return applyTermFields(call, entry, params);
}

function applyTermFields({ data, resource, site }: RoutedWriteRequest, entry: Entry, params: Params): Entry {
  const sent = getTextParams(params, ["name", "description"]);
  const name = sent["name"] === undefined ? getTextField(entry, "name") : stripTags(String(sent["name"]));
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  const wanted = typeof params["slug"] === "string" ? slugify(params["slug"]) : entry.slug;
  const parent = Number(params["parent"] ?? entry.fields["parent"] ?? 0);
  // A parent that is the category itself, or below it, means none.
  const above = resource.name === "categories" ? { parent: getCategorySubtreeIds(data, entry.id).includes(parent) ? 0 : parent } : {};
  return {
    ...entry,
    slug: createUniqueSlug(wanted || slugify(name) || String(entry.id), taken),
    modified_utc: getUtcNow(site),
    fields: { ...entry.fields, ...sent, name, ...above },
  };
}

function rejectTagParent({ resource }: RoutedWriteRequest, params: Params): void {
  if (resource.name === "tags" && "parent" in params)
    throw createApiError(400, "rest_taxonomy_not_hierarchical", "Cannot set parent term, taxonomy is not hierarchical.");
}

function createTermExistsError(id: number): ResponseError {
  const { response } = createApiError(400, "term_exists", "A term with the name provided already exists in this taxonomy.", {
    term_id: id,
  });
  const body: unknown = JSON.parse(response.body);
  return new ResponseError({ ...response, body: JSON.stringify({ ...Object(body), additional_data: [id, id] }) });
}
