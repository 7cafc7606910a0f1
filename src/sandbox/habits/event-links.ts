// The venue, the organizers, the categories and the tags that an event is written with, in all the forms a real server takes.
import type { RoutedWriteRequest } from "../call.ts";
import { toList } from "../parameters.ts";
import { createApiError } from "../problems.ts";
import { getUtcNow } from "../site/site.ts";
import { createUniqueSlug, slugify } from "../slug.ts";
import type { User } from "../store/tables.ts";
import { jsonResponse, ResponseError } from "../wire.ts";
import { findOrCreatePlace } from "./places.ts";
import { findTermIds, isRecordId } from "./rule.ts";
import { stripTags } from "./text.ts";

/** The venue: its id in a list; undefined where nothing was said or nothing usable, so that an event never loses its venue. */
export function resolveVenue(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] | undefined {
  if (value === undefined || value === null || ["", "0", 0, false].some((none) => none === value)) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  const id = resolvePlace(call, user, "venues", "venue", value);
  if (id === undefined) throw createApiError(400, "could-not-create-venue", "The venue could not be created from the provided data");
  return [id];
}

/** The organizers; none where nothing was said. */
export function resolveOrganizers(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] {
  if (value === undefined || value === null || value === "") return [];
  const isBare = typeof value === "object" && !Array.isArray(value) && "organizer" in value;
  const found = isBare
    ? [undefined]
    : (Array.isArray(value) ? value : [value]).map((one) => resolvePlace(call, user, "organizers", "organizer", one));
  return found.map((id) => {
    if (id === undefined)
      throw createApiError(400, "could-not-create-organizer", "The organizer could not be created from the provided data");
    return id;
  });
}

function resolvePlace(
  call: RoutedWriteRequest,
  user: User,
  resource: "venues" | "organizers",
  title: string,
  value: unknown,
): number | undefined {
  if (typeof value === "string" || typeof value === "number") return isRecordId(call.data, resource, value) ? Number(value) : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const params: Readonly<Record<string, unknown>> = { ...value };
  if (isRecordId(call.data, resource, params["id"])) return Number(params["id"]);
  return typeof params[title] === "string" && params[title] !== "" ? findOrCreatePlace(call, user, resource, params) : undefined;
}

/** The terms; undefined where nothing was said. Unknown names are made, unknown ids passed over. */
export function resolveTerms(call: RoutedWriteRequest, resource: "categories" | "tags", value: unknown): readonly number[] | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return [];
  return toList(value).flatMap((item) => {
    // Recorded: a list in a list is a fatal error there, told in HTML.
    if (typeof item === "object") throw createFatalError();
    return resolveTerm(call, resource, String(item));
  });
}

function createFatalError(): ResponseError {
  const help = "https://wordpress.org/documentation/article/faq-troubleshooting/";
  const message = `<p>There has been a critical error on this website.</p><p><a href="${help}">Learn more about troubleshooting WordPress.</a></p>`;
  return new ResponseError(jsonResponse(500, { code: "internal_server_error", message, data: { status: 500 }, additional_errors: [] }));
}

function resolveTerm(call: RoutedWriteRequest, resource: "categories" | "tags", wanted: string): readonly number[] {
  if (/^\d+$/.test(wanted)) return isRecordId(call.data, resource, wanted) ? [Number(wanted)] : [];
  const [known] = findTermIds(call.data, resource, wanted);
  if (known === undefined) return [insertTerm(call, resource, wanted)];
  if (resource === "categories") return [known];
  // Recorded: a tag that exists is looked up by name, and its id is then taken for the name of a new one.
  const [junk] = call.data.all("tags").filter(({ fields }) => fields["name"] === String(known));
  return [junk?.id ?? insertTerm(call, "tags", String(known))];
}

function insertTerm({ data, site }: RoutedWriteRequest, resource: "categories" | "tags", name: string): number {
  const id = data.nextId("terms");
  const now = getUtcNow(site);
  const slug = createUniqueSlug(slugify(name) || String(id), new Set(data.all(resource).map((term) => term.slug)));
  const fields = { name: stripTags(name), description: "", ...(resource === "categories" ? { parent: 0 } : {}) };
  data.put(resource, { id, slug, status: "publish", author: 1, date_utc: now, modified_utc: now, fields });
  return id;
}
