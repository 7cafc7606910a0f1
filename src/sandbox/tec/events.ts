// Writing events on a WordPress site. Recorded: every update is destructive; much of what was not sent is reset.
import { parseSentCost } from "../costs.ts";
import { createTimeFields, createUniqueSlug, getIdListField, getTextField, linkFields, slugify } from "../entry.ts";
import { createApiError, jsonResponse, type Params, ResponseError, toList } from "../http.ts";
import type { RoutedWriteRequest } from "../routes.ts";
import { getUtcNow } from "../site.ts";
import type { Entry, StoreWriter, User } from "../store.ts";
import { toUtc, toWallTime } from "../time.ts";
import {
  completePost,
  createBlankPost,
  createBlankTerm,
  type FieldValues,
  filterHtml,
  findOrCreatePlace,
  getTextParams,
  getUnslashedTextParams,
  parsePublicationDate,
  resolveStatus,
  restoreSlug,
} from "./posts-and-terms.ts";
import { findTermIds, isRecordId } from "./rules.ts";
import { isPhpTrue, isWithoutUtcDate, parseDate, stripEscapes, stripTags } from "./values.ts";

const booleanFields = ["all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];

export function createEvent(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const blank = createBlankPost(call, user);
  // Recorded: a cost of 0 is dropped when an event is created, and is "Free" when it is updated.
  const cost = params["cost"] === 0 || params["cost"] === "0" ? "" : params["cost"];
  const { website, ...fields } = applyFields(call, user, blank, { ...params, cost });
  const entry = { ...blank, fields: params["website"] === undefined ? fields : { ...fields, website: website ?? "" } };
  return completeEvent(call, user, entry, params, parsePublicationDate(call, params) ?? blank.date_utc);
}

/** Title, texts, slug, dates, venue, terms and author are unchanged; all other fields that were not sent are emptied. */
export function updateEvent(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  // Recorded: a draft without a date in UTC is given the time of its update, even where a `date` is sent.
  const hasNoDate = isWithoutUtcDate(entry) && params["date_utc"] === undefined;
  const date = (hasNoDate ? undefined : parsePublicationDate(call, params)) ?? getUtcNow(call.site);
  return completeEvent(call, user, { ...entry, fields: applyFields(call, user, entry, params) }, params, date);
}

function completeEvent(call: RoutedWriteRequest, user: User, entry: Entry, params: Params, date_utc: string): Entry {
  const written = completePost(call, entry, params, {
    status: resolveStatus(user, params),
    slug: call.target?.by === "slug" ? undefined : params["slug"],
    title: getTextField(entry, "title"),
    date_utc,
  });
  publishLinkedPlaces(call.data, written);
  return params["date_utc"] === undefined ? written : { ...written, fields: { ...written.fields, has_utc_date: true } };
}

/** Recorded: a save of a published event publishes its venues that are drafts, and its organizers even from the trash. */
export function publishLinkedPlaces(data: StoreWriter, event: Entry): void {
  if (event.status !== "publish") return;
  const statuses = { venues: ["draft", "pending"], organizers: ["draft", "pending", "future", "trash"] } as const;
  for (const resource of ["venues", "organizers"] as const) {
    const linked = getIdListField(event, linkFields[resource]).flatMap((id) => data.find(resource, id) ?? []);
    for (const place of linked.filter(({ status }) => statuses[resource].some((one) => one === status)))
      data.put(resource, { ...place, status: "publish", slug: restoreSlug(data, resource, place) });
  }
}

function applyFields(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): FieldValues {
  const texts = {
    title: getTextField(entry, "title"),
    description: getTextField(entry, "description"),
    excerpt: getTextField(entry, "excerpt"),
    ...getUnslashedTextParams(params, ["title", "description", "excerpt", "image"]),
  };
  return {
    ...filterHtml(user, texts),
    ...Object.fromEntries(booleanFields.map((name) => [name, isPhpTrue(params[name])])),
    ...parseSentCost(params["cost"]),
    website: stripEscapes(String(getUnslashedTextParams(params, ["website"])["website"] ?? "")),
    ...(entry.fields["password"] === undefined ? {} : { password: entry.fields["password"] }),
    venue: resolveVenue(call, user, params["venue"]) ?? getIdListField(entry, "venue"),
    organizer: resolveOrganizers(call, user, params["organizer"]),
    categories: resolveTerms(call, "categories", params["categories"]) ?? getIdListField(entry, "categories"),
    tags: resolveTerms(call, "tags", params["tags"]) ?? getIdListField(entry, "tags"),
    ...resolveTimes(call, entry, params),
  };
}

/** Recorded: one date alone is ignored; a time zone alone changes the label and not the moment. */
function resolveTimes({ site }: RoutedWriteRequest, entry: Entry, params: Params): FieldValues {
  const timezone = String(getTextParams(params, ["timezone"])["timezone"] || site.zone);
  const all_day = isPhpTrue(params["all_day"]);
  const [start, end] = ["start_date", "end_date"].map((name) =>
    typeof params[name] === "string" ? parseDate(params[name], toWallTime(getUtcNow(site), timezone))?.wall : undefined,
  );
  const isMoved = start !== undefined && end !== undefined;
  if (!isMoved && !all_day) {
    const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
    return { ...Object.fromEntries(names.map((name) => [name, getTextField(entry, name)])), timezone, all_day };
  }
  // A time that the clock skips is the hour after it. An end before the start becomes the start, and such an event is in no list.
  const existing = (wall: string): string => toWallTime(toUtc(wall, timezone), timezone);
  const start_date = existing(isMoved ? start : getTextField(entry, "start_date"));
  const end_date = existing(isMoved ? end : getTextField(entry, "end_date"));
  const isReversed = end_date < start_date;
  const times = createTimeFields({ start_date, end_date: isReversed ? start_date : end_date, timezone, all_day });
  return isReversed ? { ...times, unlisted: true } : times;
}

/** Undefined where no usable venue was sent: an event never loses its venue. */
function resolveVenue(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] | undefined {
  if (value === undefined || value === null || ["", "0", 0, false].some((none) => none === value)) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  const id = resolvePlace(call, user, "venues", "venue", value);
  if (id === undefined) throw createApiError(400, "could-not-create-venue", "The venue could not be created from the provided data");
  return [id];
}

function resolveOrganizers(call: RoutedWriteRequest, user: User, value: unknown): readonly number[] {
  if (value === undefined || value === null || value === "") return [];
  const isBare = typeof value === "object" && !Array.isArray(value) && "organizer" in value;
  return (Array.isArray(value) ? value : [value]).map((one) => {
    const id = isBare ? undefined : resolvePlace(call, user, "organizers", "organizer", one);
    if (id === undefined)
      throw createApiError(400, "could-not-create-organizer", "The organizer could not be created from the provided data");
    return id;
  });
}

/** A venue or organizer by its id, or by an object with an id or the fields of a new one. */
function resolvePlace(
  call: RoutedWriteRequest,
  user: User,
  resource: "venues" | "organizers",
  titleField: string,
  value: unknown,
): number | undefined {
  if (typeof value === "string" || typeof value === "number") return isRecordId(call.data, resource, value) ? Number(value) : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const params: Params = { ...value };
  if (isRecordId(call.data, resource, params["id"])) return Number(params["id"]);
  const title = params[titleField];
  return typeof title === "string" && title !== "" ? findOrCreatePlace(call, user, resource, params) : undefined;
}

/** Undefined where none were sent. Unknown names are created, and unknown ids ignored. */
function resolveTerms(call: RoutedWriteRequest, resource: "categories" | "tags", value: unknown): readonly number[] | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return [];
  return toList(value).flatMap((item) => {
    // Recorded: a list in a list is a fatal error, reported in HTML.
    if (typeof item === "object") throw createFatalError();
    return resolveTerm(call, resource, String(item));
  });
}

function createFatalError(): ResponseError {
  const help = "https://wordpress.org/documentation/article/faq-troubleshooting/";
  const message = `<p>There has been a critical error on this website.</p><p><a href="${help}">Learn more about troubleshooting WordPress.</a></p>`;
  return new ResponseError(jsonResponse(500, { code: "internal_server_error", message, data: { status: 500 }, additional_errors: [] }));
}

function resolveTerm(call: RoutedWriteRequest, resource: "categories" | "tags", term: string): readonly number[] {
  if (/^\d+$/.test(term)) return isRecordId(call.data, resource, term) ? [Number(term)] : [];
  const [known] = findTermIds(call.data, resource, term);
  if (known === undefined) return [insertTerm(call, resource, term)];
  if (resource === "categories") return [known];
  // Recorded: the id of an existing tag is taken for the name of a new one.
  const wrong = call.data.all("tags").find(({ fields }) => fields["name"] === String(known));
  return [wrong?.id ?? insertTerm(call, "tags", String(known))];
}

function insertTerm(call: RoutedWriteRequest, resource: "categories" | "tags", name: string): number {
  const { data } = call;
  const blank = createBlankTerm(call, resource === "categories");
  const slug = createUniqueSlug(data, resource, slugify(name) || String(blank.id));
  data.put(resource, { ...blank, slug, fields: { ...blank.fields, name: stripTags(name) } });
  return blank.id;
}
