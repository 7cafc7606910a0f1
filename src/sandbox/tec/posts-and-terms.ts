// Writing venues, organizers, categories and tags on a WordPress site, and what events have in common with them.
import type { ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { createUniqueSlug, getCategorySubtreeIds, getTextField, slugify } from "../entry.ts";
import { createApiError, type Params, ResponseError } from "../http.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow } from "../site.ts";
import type { Entry, FieldValue, StoreReader, User } from "../store.ts";
import { toUtc } from "../time.ts";
import { hasRole } from "./rules.ts";
import { foldText, parseDate, removeBackslashes, sanitizeTextField, stripTags, stripUnsafeTags } from "./values.ts";

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
  const base = typeof slug === "string" ? slugify(slug) : entry.slug.replace(trashSuffix, "");
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

const trashSuffix = /__trashed$/;

/** A post that leaves the trash gets its old slug again. */
export function restoreSlug(data: StoreReader, resource: ResourceName, { id, slug, fields }: Entry): string {
  const base = slug.replace(trashSuffix, "") || slugify(String(fields[resources[resource].titleField])) || String(id);
  return createUniqueSlug(data, resource, base, id);
}

/** The texts as a save leaves them: authors and contributors lose some tags, whoever wrote them. */
export function filterHtml(user: User | undefined, fields: FieldValues): FieldValues {
  if (hasRole(user, "editor")) return fields;
  const clean = (name: string): FieldValues => (typeof fields[name] === "string" ? { [name]: stripUnsafeTags(fields[name]) } : {});
  return { ...fields, ...clean("description"), ...clean("excerpt") };
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

/** The texts of a post as they are stored. */
export function getUnslashedTextParams(params: Params, names: readonly string[]): FieldValues {
  const texts = Object.entries(getTextParams(params, names));
  return Object.fromEntries(texts.map(([name, text]) => [name, removeBackslashes(String(text))]));
}

/**
 * A new venue or organizer. Recorded: where there is one with this name already, in any case and with any accents, the new fields are added to
 * that one, which keeps its name.
 */
export function createPlace(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const { titleField, name: resource } = call.resource;
  const name = foldText(String(getUnslashedTextParams(params, [titleField])[titleField]));
  const same = call.data.all(resource).find((entry) => entry.status !== "trash" && foldText(getTextField(entry, titleField)) === name);
  // A slug is ignored here.
  const { slug: _, ...others } = params;
  if (same !== undefined) {
    const { [titleField]: __, ...additions } = others;
    return { ...writePlace(call, same, additions, same.status), modified_utc: same.modified_utc };
  }
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
  const { description = "", ...texts } = filterHtml(call.user, getUnslashedTextParams(params, names));
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
