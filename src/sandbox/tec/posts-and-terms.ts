// Writing venues, organizers, categories and tags on a WordPress site, and what events have in common with them.
import { resources } from "../../model/resources.ts";
import { createUniqueSlug, getCategorySubtreeIds, getTextField, slugify } from "../entry.ts";
import { createApiError, type Params, ResponseError } from "../http.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow } from "../site.ts";
import type { Entry, FieldValue, User } from "../store.ts";
import { toUtc } from "../time.ts";
import { hasRole } from "./rules.ts";
import { parseDate, sanitizeTextField, stripTags } from "./values.ts";

export type FieldValues = Readonly<Record<string, FieldValue>>;

export function createBlankPost(call: RoutedWriteRequest, user: User): Entry {
  const now = getUtcNow(call.site);
  return { id: call.data.nextId("posts"), slug: "", status: "draft", author: user.id, date_utc: now, modified_utc: now, fields: {} };
}

/** The properties of a post after a write. A `slug` that is not sent is undefined. */
export function completePost(
  { data, resource, site }: RoutedWriteRequest,
  entry: Entry,
  { author }: Params,
  { status, slug, title, date_utc }: { status: string; slug: unknown; title: string; date_utc: string },
): Entry {
  // A post that leaves the trash gets its old slug again.
  const base = typeof slug === "string" ? slugify(slug) : entry.slug.replace(/__trashed$/, "");
  const isUnnamedDraft = base === "" && (status === "draft" || status === "pending");
  return {
    ...entry,
    status,
    slug: isUnnamedDraft ? "" : createUniqueSlug(data, resource.name, base || slugify(title) || String(entry.id), entry.id),
    author: author === undefined ? entry.author : Number(author),
    date_utc,
    modified_utc: getUtcNow(site),
  };
}

/** Recorded: a contributor's post is `pending` where it should be published, and a draft without a status; others publish. */
export function resolveStatus(user: User, { status }: Params): string {
  if (typeof status === "string" && status !== "publish") return status;
  if (hasRole(user, "author")) return "publish";
  return status === "publish" ? "pending" : "draft";
}

/** The date of publication that was sent, as a UTC text. */
export function parsePublicationDate({ site }: RoutedWriteRequest, params: Params): string | undefined {
  const parse = (name: string): string | undefined =>
    typeof params[name] === "string" ? parseDate(params[name], getUtcNow(site))?.wall : undefined;
  const date = parse("date");
  return parse("date_utc") ?? (date === undefined ? undefined : toUtc(date, site.zone));
}

export function getTextParams(params: Params, names: readonly string[]): FieldValues {
  return Object.fromEntries(names.flatMap((name) => (typeof params[name] === "string" ? [[name, params[name]]] : [])));
}

/** The texts of a post as they are stored: WordPress removes one backslash of each, which nobody has added. */
export function getUnslashedTextParams(params: Params, names: readonly string[]): FieldValues {
  const texts = Object.entries(getTextParams(params, names));
  return Object.fromEntries(texts.map(([name, text]) => [name, String(text).replace(/\\(.?)/gs, "$1")]));
}

/** A new venue or organizer. Recorded: where there is one with this name already, the new fields are added to that one. */
export function createPlace(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const { titleField, name: resource } = call.resource;
  const name = getUnslashedTextParams(params, [titleField])[titleField];
  const same = call.data.all(resource).find((entry) => entry.status !== "trash" && getTextField(entry, titleField) === name);
  // A slug is ignored here.
  const { slug: _, ...others } = params;
  if (same !== undefined) return writePlace(call, same, others, same.status);
  const region = params["stateprovince"] ?? params["state"] ?? params["province"];
  const withRegion = resource === "venues" && typeof region === "string" ? { ...others, stateprovince: region } : others;
  return writePlace(call, createBlankPost(call, user), withRegion, resolveStatus(user, params));
}

/** Recorded: most of what was not sent is unchanged, but a draft is published. */
export function updatePlace(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  const { slug, ...others } = params;
  const isRenamed = slug !== undefined && call.target?.by !== "slug";
  return writePlace(call, entry, isRenamed ? params : others, resolveStatus(user, params));
}

function writePlace(call: RoutedWriteRequest, entry: Entry, params: Params, status: string): Entry {
  const { fields: known, titleField, name: resource } = call.resource;
  // Every write resets these unless they are sent: `stateprovince` as recorded; the picture and the maps by the source of the plugin.
  const { stateprovince: _, image: __, ...unchanged } = entry.fields;
  const maps = resource === "venues" ? { show_map: "true", show_map_link: "true" } : {};
  const names = known.map(({ name }) => name).filter((name) => !["date", "date_utc", "status", "author"].includes(name));
  // An empty description is accepted and changes nothing.
  const { description = "", ...texts } = getUnslashedTextParams(params, names);
  const lines = Object.entries(texts).map(([name, text]) => [name, name === titleField ? text : sanitizeTextField(String(text))] as const);
  const fields = { ...unchanged, ...maps, ...Object.fromEntries(lines), ...(description === "" ? {} : { description }) };
  const written = { ...entry, fields };
  return completePost(call, written, params, {
    status,
    slug: params["slug"],
    title: getTextField(written, titleField),
    date_utc: parsePublicationDate(call, params) ?? entry.date_utc,
  });
}

/** The id of the venue or organizer that is written inside an event. */
export function findOrCreatePlace(call: RoutedWriteRequest, user: User, resource: "venues" | "organizers", params: Params): number {
  const place = createPlace({ ...call, resource: resources[resource] }, user, params);
  call.data.put(resource, place);
  return place.id;
}

/** A new category or tag; 400 where there is one with this name, with its id. */
export function createTerm(call: RoutedWriteRequest, _user: User, params: Params): Entry {
  rejectTagParent(call, params);
  const { data, resource } = call;
  const name = stripTags(String(params["name"]));
  const parent = Number(params["parent"] ?? 0);
  const same = data
    .all(resource.name)
    .find((term) => getTextField(term, "name").toLowerCase() === name.toLowerCase() && Number(term.fields["parent"] ?? 0) === parent);
  if (same === undefined) return writeTerm(call, createBlankTerm(call, resource.name === "categories"), params);
  const message = "A term with the name provided already exists in this taxonomy.";
  const { response } = createApiError(400, "term_exists", message, { term_id: same.id });
  const body = { ...Object(JSON.parse(response.body)), additional_data: [same.id, same.id] };
  throw new ResponseError({ ...response, body: JSON.stringify(body) });
}

export function updateTerm(call: RoutedWriteRequest, _user: User, entry: Entry, params: Params): Entry {
  rejectTagParent(call, params);
  return writeTerm(call, entry, params);
}

export function createBlankTerm({ data, site }: RoutedWriteRequest, isCategory: boolean): Entry {
  const now = getUtcNow(site);
  const fields = { name: "", description: "", ...(isCategory ? { parent: 0 } : {}) };
  return { id: data.nextId("terms"), slug: "", status: "publish", author: 1, date_utc: now, modified_utc: now, fields };
}

function writeTerm({ data, resource, site }: RoutedWriteRequest, entry: Entry, params: Params): Entry {
  const sent = getTextParams(params, ["name", "description"]);
  const name = sent["name"] === undefined ? getTextField(entry, "name") : stripTags(String(sent["name"]));
  const slug = typeof params["slug"] === "string" ? slugify(params["slug"]) : entry.slug;
  const parent = Number(params["parent"] ?? entry.fields["parent"] ?? 0);
  // A parent that is the category itself, or below it, means none.
  const above = resource.name === "categories" ? { parent: getCategorySubtreeIds(data, entry.id).includes(parent) ? 0 : parent } : {};
  return {
    ...entry,
    slug: createUniqueSlug(data, resource.name, slug || slugify(name) || String(entry.id), entry.id),
    modified_utc: getUtcNow(site),
    fields: { ...entry.fields, ...sent, name, ...above },
  };
}

function rejectTagParent({ resource }: RoutedWriteRequest, params: Params): void {
  if (resource.name === "tags" && "parent" in params)
    throw createApiError(400, "rest_taxonomy_not_hierarchical", "Cannot set parent term, taxonomy is not hierarchical.");
}
