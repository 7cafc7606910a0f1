// Writing categories and tags on a WordPress site: names are unique, and updates keep what was not sent.
import type { RoutedWriteRequest } from "../call.ts";
import { getCategorySubtreeIds, getTextField } from "../entry.ts";
import type { Params } from "../parameters.ts";
import { createApiError } from "../problems.ts";
import { getUtcNow } from "../site/site.ts";
import { createUniqueSlug, slugify } from "../slug.ts";
import type { Entry, User } from "../store/tables.ts";
import { ResponseError } from "../wire.ts";
import { getTextParams } from "./posts.ts";
import { stripTags } from "./text.ts";

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
