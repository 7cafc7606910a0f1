// Writing events on a WordPress site. Recorded: every update is destructive; much of what was not sent is reset.
import type { RoutedWriteRequest } from "../call.ts";
import { getIdListField, getTextField } from "../entry.ts";
import { createTimeFields } from "../event-times.ts";
import type { Params } from "../parameters.ts";
import { getUtcNow } from "../site/site.ts";
import type { Entry, User } from "../store/tables.ts";
import { toUtc, toWallTime } from "../zone.ts";
import { parseDate } from "./dates.ts";
import { resolveOrganizers, resolveTerms, resolveVenue } from "./event-links.ts";
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
