// Writing events on a WordPress site. Recorded: every update is destructive; much of what was not sent is reset.
import type { WriteCall } from "../call.ts";
import { ids, text } from "../entry.ts";
import { timeFields } from "../event-times.ts";
import type { Params } from "../parameters.ts";
import { utcNow } from "../site/site.ts";
import type { Entry, User } from "../store/tables.ts";
import { toUtc, toWall } from "../zone.ts";
import { readDate } from "./dates.ts";
import { organizersOf, termsOf, venueOf } from "./event-links.ts";
import { blankPost, isTrue, publication, slugFor, statusFor, storedTexts, texts, type Values } from "./posts.ts";

const switches = ["all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];

/** A new event. */
export function createEvent(call: WriteCall, user: User, params: Params): Entry {
  const blank = blankPost(call, user);
  const { website, ...event } = written(call, user, blank, { ...params, cost: isNothing(params["cost"]) ? "" : params["cost"] }).fields;
  const fields = params["website"] === undefined ? event : { ...event, website: website ?? "" };
  return finished(call, user, { ...blank, fields }, params, publication(call, params) ?? blank.date_utc);
}

/** An event after an update. Title, texts, slug, dates, venue, terms and author are kept; the rest is as if it had been sent empty. */
export function updateEvent(call: WriteCall, user: User, entry: Entry, params: Params): Entry {
  const { fields } = written(call, user, entry, params);
  return finished(call, user, { ...entry, fields }, params, publication(call, params) ?? utcNow(call.site));
}

/** Recorded: a cost of 0 is dropped when an event is created, and is "Free" when it is updated. */
function isNothing(cost: unknown): boolean {
  return cost === 0 || cost === "0" || cost === undefined;
}

function written(call: WriteCall, user: User, entry: Entry, params: Params): Entry {
  const sent = storedTexts(params, ["title", "description", "excerpt", "image"]);
  const kept: Values = { title: text(entry, "title"), description: text(entry, "description"), excerpt: text(entry, "excerpt"), ...sent };
  const flags = Object.fromEntries(switches.map((name) => [name, isTrue(params[name])]));
  const fields: Values = {
    ...kept,
    ...flags,
    cost: costOf(params["cost"]),
    website: texts(params, ["website"])["website"] ?? "",
    venue: venueOf(call, user, params["venue"]) ?? ids(entry, "venue"),
    organizer: organizersOf(call, user, params["organizer"]),
    categories: termsOf(call, "categories", params["categories"]) ?? ids(entry, "categories"),
    tags: termsOf(call, "tags", params["tags"]) ?? ids(entry, "tags"),
    ...timesOf(call, entry, params),
  };
  return { ...entry, fields };
}

function costOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(" - ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Recorded: one date alone is passed over; a zone alone changes the label and not the moment. */
function timesOf(call: WriteCall, entry: Entry, params: Params): Values {
  const timezone = texts(params, ["timezone"])["timezone"] || call.site.zone;
  const all_day = isTrue(params["all_day"]);
  const [start, end] = ["start_date", "end_date"].map((name) =>
    typeof params[name] === "string" ? readDate(params[name], toWall(utcNow(call.site), String(timezone)))?.wall : undefined,
  );
  const isNew = start !== undefined && end !== undefined;
  if (!isNew && !all_day) {
    const names = ["start_date", "end_date", "utc_start_date", "utc_end_date"];
    return { ...Object.fromEntries(names.map((name) => [name, text(entry, name)])), timezone, all_day };
  }
  // A time that the clock leaves out is the hour after it; an end before the start is the start, and such an event is in no list.
  const real = (wall: string): string => toWall(toUtc(wall, String(timezone)), String(timezone));
  const start_date = real(isNew ? start : text(entry, "start_date"));
  const asked = real(isNew ? end : text(entry, "end_date"));
  const times = timeFields({ start_date, end_date: asked < start_date ? start_date : asked, timezone: String(timezone), all_day });
  return asked < start_date ? { ...times, unlisted: true } : times;
}

function finished(call: WriteCall, user: User, entry: Entry, params: Params, date_utc: string): Entry {
  const status = statusFor(user, params);
  const wanted = call.target?.by === "slug" ? undefined : params["slug"];
  return {
    ...entry,
    status,
    slug: slugFor(call, entry, wanted, text(entry, "title"), status),
    author: params["author"] === undefined ? entry.author : Number(params["author"]),
    date_utc,
    modified_utc: utcNow(call.site),
  };
}
