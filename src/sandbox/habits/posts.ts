// What writing an event, a venue and an organizer have in common on a WordPress site.
import type { WriteCall } from "../call.ts";
import type { Params } from "../parameters.ts";
import { utcNow } from "../site/site.ts";
import { freeSlug, slugify } from "../slug.ts";
import type { Entry, User, Value } from "../store/tables.ts";
import { toUtc } from "../zone.ts";
import { atLeast } from "./access.ts";
import { readDate } from "./dates.ts";

/** Fields by name. */
export type Values = Readonly<Record<string, Value>>;

/** A blank post of a user. */
export function blankPost(call: WriteCall, user: User): Entry {
  const now = utcNow(call.site);
  return { id: call.data.next("posts"), slug: "", status: "draft", author: user.id, date_utc: now, modified_utc: now, fields: {} };
}

/** Recorded: a contributor's post is `pending` where it should be published, and a draft where nothing was said; others publish. */
export function statusFor(user: User, params: Params): string {
  const { status } = params;
  if (typeof status === "string" && status !== "publish") return status;
  if (atLeast(user, "author")) return "publish";
  return status === "publish" ? "pending" : "draft";
}

/** The slug after a write: drafts that have none get none, what is published gets one of its title, and a post out of the trash its old one. */
export function slugFor({ data, resource }: WriteCall, entry: Entry, wanted: unknown, title: string, status: string): string {
  const held = entry.slug.replace(/__trashed$/, "");
  const base = typeof wanted === "string" ? slugify(wanted) : held;
  if (base === "" && (status === "draft" || status === "pending")) return "";
  const taken = new Set(data.all(resource.name).flatMap((other) => (other.id === entry.id ? [] : [other.slug])));
  return freeSlug(base || slugify(title) || String(entry.id), taken);
}

/** The moment of publication that was sent, as a UTC text; undefined where none was. */
export function publication({ site }: WriteCall, params: Params): string | undefined {
  const read = (name: string): string | undefined =>
    typeof params[name] === "string" ? readDate(params[name], utcNow(site))?.wall : undefined;
  const date = read("date");
  return read("date_utc") ?? (date === undefined ? undefined : toUtc(date, site.zone));
}

/** The texts among some parameters. */
export function texts(params: Params, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (typeof params[name] === "string" ? [[name, params[name]]] : [])));
}

/** The texts of a post as they are stored: WordPress takes one backslash of each off, which nobody has put on. */
export function storedTexts(params: Params, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(texts(params, names)).map(([name, text]) => [name, String(text).replace(/\\(.?)/gs, "$1")]));
}

/** A boolean as PHP reads it. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|1)$/i.test(value));
}
