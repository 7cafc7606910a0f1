// What writing an event, a venue and an organizer have in common on a WordPress site.
import { createUniqueSlug, slugify, toUtc } from "../entry.ts";
import type { Params } from "../parameters.ts";
import type { JsonObject } from "../record-view.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow, type Site } from "../site.ts";
import type { Entry, FieldValue, StoreReader, User } from "../store.ts";
import { hasRole } from "./rules.ts";
import { parseDate } from "./value-rules.ts";

/** Fields by name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** A blank post of a user. */
export function createBlankPost(call: RoutedWriteRequest, user: User): Entry {
  const now = getUtcNow(call.site);
  return { id: call.data.nextId("posts"), slug: "", status: "draft", author: user.id, date_utc: now, modified_utc: now, fields: {} };
}

/** Recorded: a contributor's post is `pending` where it should be published, and a draft where nothing was said; others publish. */
export function resolveStatus(user: User, params: Params): string {
  const { status } = params;
  if (typeof status === "string" && status !== "publish") return status;
  if (hasRole(user, "author")) return "publish";
  return status === "publish" ? "pending" : "draft";
}

/** The slug after a write: drafts that have none get none, what is published gets one of its title, and a post out of the trash its old one. */
export function resolveSlug({ data, resource }: RoutedWriteRequest, entry: Entry, wanted: unknown, title: string, status: string): string {
  const held = entry.slug.replace(/__trashed$/, "");
  const base = typeof wanted === "string" ? slugify(wanted) : held;
  if (base === "" && (status === "draft" || status === "pending")) return "";
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  return createUniqueSlug(base || slugify(title) || String(entry.id), taken);
}

/** The moment of publication that was sent, as a UTC text; undefined where none was. */
export function parsePublicationDate({ site }: RoutedWriteRequest, params: Params): string | undefined {
  const read = (name: string): string | undefined =>
    typeof params[name] === "string" ? parseDate(params[name], getUtcNow(site))?.wall : undefined;
  const date = read("date");
  return read("date_utc") ?? (date === undefined ? undefined : toUtc(date, site.zone));
}

/** The texts among some parameters. */
export function getTextParams(params: Params, names: readonly string[]): FieldValues {
  return Object.fromEntries(names.flatMap((name) => (typeof params[name] === "string" ? [[name, params[name]]] : [])));
}

/** The texts of a post as they are stored: WordPress takes one backslash of each off, which nobody has put on. */
export function getUnslashedTextParams(params: Params, names: readonly string[]): FieldValues {
  return Object.fromEntries(
    Object.entries(getTextParams(params, names)).map(([name, text]) => [name, String(text).replace(/\\(.?)/gs, "$1")]),
  );
}

/** A boolean as PHP reads it. */
export function isPhpTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|1)$/i.test(value));
}

// A picture of the media library, as records carry it.

/** The picture that is named by its id or its address, or undefined. */
export function formatImage(site: Site, data: StoreReader, named: string): JsonObject | undefined {
  const folder = `${site.origin}/wp-content/uploads/`;
  const picture = data.all("pictures").find(({ id, name }) => String(id) === named || folder + name === named);
  if (picture === undefined) return undefined;
  const { id, name, width, height } = picture;
  const [, stem = name, extension = ""] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const size = (factor: number): JsonObject => {
    const [wide, high] = [Math.round(width / factor), Math.round(height / factor)];
    return {
      width: wide,
      height: high,
      "mime-type": "image/jpeg",
      filesize: wide * high,
      url: `${folder}${stem}-${wide}x${high}.${extension}`,
    };
  };
  return { url: folder + name, id, extension, width, height, filesize: width * height, sizes: { medium: size(4), thumbnail: size(8) } };
}
