// Writing categories and tags on a WordPress site: names are unique, and updates keep what was not sent.
import type { WriteCall } from "../call.ts";
import { text, withChildren } from "../entry.ts";
import type { Params } from "../parameters.ts";
import { problem } from "../problems.ts";
import { utcNow } from "../site/site.ts";
import { freeSlug, slugify } from "../slug.ts";
import type { Entry, User } from "../store/tables.ts";
import { Refusal } from "../wire.ts";
import { texts } from "./posts.ts";
import { untagged } from "./text.ts";

/** A new term; 400 where one of its name exists, with the id of that one. */
export function createTerm(call: WriteCall, _user: User, params: Params): Entry {
  refuseParent(call, params);
  const { data, resource, site } = call;
  const name = untagged(String(params["name"]));
  const same = data
    .all(resource.name)
    .find(
      (term) =>
        text(term, "name").toLowerCase() === name.toLowerCase() && Number(term.fields["parent"] ?? 0) === Number(params["parent"] ?? 0),
    );
  if (same !== undefined) throw exists(same.id);
  const now = utcNow(site);
  const start = { name: "", description: "", ...(resource.name === "categories" ? { parent: 0 } : {}) };
  const blank: Entry = { id: data.next("terms"), slug: "", status: "publish", author: 1, date_utc: now, modified_utc: now, fields: start };
  return written(call, blank, params);
}

/** A term with some fields changed. */
export function updateTerm(call: WriteCall, _user: User, entry: Entry, params: Params): Entry {
  refuseParent(call, params);
  return written(call, entry, params);
}

function written({ data, resource, site }: WriteCall, entry: Entry, params: Params): Entry {
  const sent = texts(params, ["name", "description"]);
  const name = sent["name"] === undefined ? text(entry, "name") : untagged(String(sent["name"]));
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  const wanted = typeof params["slug"] === "string" ? slugify(params["slug"]) : entry.slug;
  const parent = Number(params["parent"] ?? entry.fields["parent"] ?? 0);
  // A parent that is the category itself, or below it, means none.
  const above = resource.name === "categories" ? { parent: withChildren(data, entry.id).includes(parent) ? 0 : parent } : {};
  return {
    ...entry,
    slug: freeSlug(wanted || slugify(name) || String(entry.id), taken),
    modified_utc: utcNow(site),
    fields: { ...entry.fields, ...sent, name, ...above },
  };
}

function refuseParent({ resource }: WriteCall, params: Params): void {
  if (resource.name === "tags" && "parent" in params)
    throw problem(400, "rest_taxonomy_not_hierarchical", "Cannot set parent term, taxonomy is not hierarchical.");
}

function exists(id: number): Refusal {
  const { answer } = problem(400, "term_exists", "A term with the name provided already exists in this taxonomy.", { term_id: id });
  const body: unknown = JSON.parse(answer.body);
  return new Refusal({ ...answer, body: JSON.stringify({ ...Object(body), additional_data: [id, id] }) });
}
