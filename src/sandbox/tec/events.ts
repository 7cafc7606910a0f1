// Writing events on a WordPress site. Recorded: every update is destructive; much of what was not sent is reset.
import { createTimeFields, createUniqueSlug, getIdListField, getTextField, slugify, toUtc, toWallTime } from "../entry.ts";
import { createApiError, jsonResponse, ResponseError } from "../http.ts";
import { type Params, toList } from "../parameters.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow } from "../site.ts";
import type { Entry, User } from "../store.ts";
import { findOrCreatePlace } from "./places-and-terms.ts";
import {
  createBlankPost,
  type FieldValues,
  getTextParams,
  getUnslashedTextParams,
  isPhpTrue,
  parsePublicationDate,
  resolveSlug,
  resolveStatus,
} from "./posts.ts";
import { findTermIds, isRecordId, parseDate, stripTags } from "./value-rules.ts";

const booleanFields = ["all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];

/** A new event. */
export function createEvent(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const blank = createBlankPost(call, user);
  const { website, ...event } = applyEventFields(call, user, blank, {
    ...params,
    cost: isEmptyCost(params["cost"]) ? "" : params["cost"],
  }).fields;
  const fields = params["website"] === undefined ? event : { ...event, website: website ?? "" };
  return completeEvent(call, user, { ...blank, fields }, params, parsePublicationDate(call, params) ?? blank.date_utc);
}

/** An event after an update. Title, texts, slug, dates, venue, terms and author are kept; the rest is as if it had been sent empty. */
export function updateEvent(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  const { fields } = applyEventFields(call, user, entry, params);
  return completeEvent(call, user, { ...entry, fields }, params, parsePublicationDate(call, params) ?? getUtcNow(call.site));
}

/** Recorded: a cost of 0 is dropped when an event is created, and is "Free" when it is updated. */
function isEmptyCost(cost: unknown): boolean {
  return cost === 0 || cost === "0" || cost === undefined;
}

function applyEventFields(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  const sent = getUnslashedTextParams(params, ["title", "description", "excerpt", "image"]);
  const kept: FieldValues = {
    title: getTextField(entry, "title"),
    description: getTextField(entry, "description"),
    excerpt: getTextField(entry, "excerpt"),
    ...sent,
  };
  const flags = Object.fromEntries(booleanFields.map((name) => [name, isPhpTrue(params[name])]));
  const fields: FieldValues = {
    ...kept,
    ...flags,
    cost: parseCost(params["cost"]),
    website: getTextParams(params, ["website"])["website"] ?? "",
    venue: resolveVenue(call, user, params["venue"]) ?? getIdListField(entry, "venue"),
    organizer: resolveOrganizers(call, user, params["organizer"]),
    categories: resolveTerms(call, "categories", params["categories"]) ?? getIdListField(entry, "categories"),
    tags: resolveTerms(call, "tags", params["tags"]) ?? getIdListField(entry, "tags"),
    ...resolveEventTimes(call, entry, params),
  };
  return { ...entry, fields };
}

function parseCost(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(" - ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Recorded: one date alone is passed over; a zone alone changes the label and not the moment. */
function resolveEventTimes(call: RoutedWriteRequest, entry: Entry, params: Params): FieldValues {
  const timezone = getTextParams(params, ["timezone"])["timezone"] || call.site.zone;
  const all_day = isPhpTrue(params["all_day"]);
  const [start, end] = ["start_date", "end_date"].map((name) =>
    typeof params[name] === "string" ? parseDate(params[name], toWallTime(getUtcNow(call.site), String(timezone)))?.wall : undefined,
  );
  const isNew = start !== undefined && end !== undefined;
  if (!isNew && !all_day) {
    const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
    return { ...Object.fromEntries(names.map((name) => [name, getTextField(entry, name)])), timezone, all_day };
  }
  // A time that the clock leaves out is the hour after it; an end before the start is the start, and such an event is in no list.
  const real = (wall: string): string => toWallTime(toUtc(wall, String(timezone)), String(timezone));
  const start_date = real(isNew ? start : getTextField(entry, "start_date"));
  const asked = real(isNew ? end : getTextField(entry, "end_date"));
  const times = createTimeFields({ start_date, end_date: asked < start_date ? start_date : asked, timezone: String(timezone), all_day });
  return asked < start_date ? { ...times, unlisted: true } : times;
}

function completeEvent(call: RoutedWriteRequest, user: User, entry: Entry, params: Params, date_utc: string): Entry {
  const status = resolveStatus(user, params);
  const wanted = call.target?.by === "slug" ? undefined : params["slug"];
  return {
    ...entry,
    status,
    slug: resolveSlug(call, entry, wanted, getTextField(entry, "title"), status),
    author: params["author"] === undefined ? entry.author : Number(params["author"]),
    date_utc,
    modified_utc: getUtcNow(call.site),
  };
}

// The venue, the organizers, the categories and the tags that an event is written with, in all the forms a real server takes.

/** The venue: its id in a list; undefined where nothing was said or nothing usable, so that an event never loses its venue. */
function resolveVenue(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] | undefined {
  if (value === undefined || value === null || ["", "0", 0, false].some((none) => none === value)) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  const id = resolvePlace(call, user, "venues", "venue", value);
  if (id === undefined) throw createApiError(400, "could-not-create-venue", "The venue could not be created from the provided data");
  return [id];
}

/** The organizers; none where nothing was said. */
function resolveOrganizers(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] {
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
function resolveTerms(call: RoutedWriteRequest, resource: "categories" | "tags", value: unknown): readonly number[] | undefined {
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
