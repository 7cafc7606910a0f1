// Writing venues and organizers on a WordPress site, also those that come inside an event.
import type { ResourceName } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { WriteCall } from "../call.ts";
import { text } from "../entry.ts";
import type { Params } from "../parameters.ts";
import { utcNow } from "../site/site.ts";
import type { Entry, User } from "../store/tables.ts";
import { blankPost, publication, slugFor, statusFor, storedTexts, type Values } from "./posts.ts";
import { lineOf } from "./text.ts";

type Place = "venues" | "organizers";

/** A new place. Recorded: where one of this name exists, it is that one, with the new fields added. */
export function createPlace(call: WriteCall, user: User, params: Params): Entry {
  const { title, name: resource } = call.resource;
  const name = storedTexts(params, [title])[title];
  const same = call.data.all(resource).find((entry) => entry.status !== "trash" && text(entry, title) === name);
  // A slug is passed over here.
  const { slug: _, ...others } = params;
  if (same !== undefined) return written(call, reset(resource, same), others, same.status);
  const blank = reset(resource, blankPost(call, user));
  const region = params["stateprovince"] ?? params["state"] ?? params["province"];
  return written(
    call,
    blank,
    { ...others, ...(resource === "venues" && typeof region === "string" ? { stateprovince: region } : {}) },
    statusFor(user, params),
  );
}

/** A place with some fields changed. Recorded: most of what was not sent is kept, but a draft is published. */
export function updatePlace(call: WriteCall, user: User, entry: Entry, params: Params): Entry {
  const { slug, ...others } = params;
  const named = call.target?.by === "slug" ? others : { ...others, ...(slug === undefined ? {} : { slug }) };
  return written(call, reset(call.resource.name, entry), named, statusFor(user, params));
}

/** What every write of a place sets back unless it is sent: `stateprovince` as recorded; the picture and the maps as its source says. */
function reset(resource: ResourceName, entry: Entry): Entry {
  const { stateprovince: _, image: __, ...fields } = entry.fields;
  return { ...entry, fields: { ...fields, ...(resource === "venues" ? { show_map: "true", show_map_link: "true" } : {}) } };
}

function written(call: WriteCall, entry: Entry, params: Params, status: string): Entry {
  const { fields: known, title } = call.resource;
  const sent: Values = storedTexts(
    params,
    known.map(({ name }) => name).filter((name) => !["date", "date_utc", "status", "author"].includes(name)),
  );
  // An empty description is taken, and changes nothing.
  const { description, ...others } = sent;
  const lines = Object.entries(others).map(([name, value]) => [name, name === title ? value : lineOf(String(value))] as const);
  const fields = {
    ...entry.fields,
    ...Object.fromEntries(lines),
    ...(description === undefined || description === "" ? {} : { description }),
  };
  const draft = { ...entry, fields };
  return {
    ...draft,
    status,
    slug: slugFor(call, draft, params["slug"], text(draft, title), status),
    author: params["author"] === undefined ? entry.author : Number(params["author"]),
    date_utc: publication(call, params) ?? entry.date_utc,
    modified_utc: utcNow(call.site),
  };
}

/** The place that an event names by itself: found by its name, else made. */
export function inlinePlace(call: WriteCall, user: User, resource: Place, params: Params): number {
  const inner: WriteCall = { ...call, resource: resources[resource] };
  const place = createPlace(inner, user, params);
  call.data.put(resource, place);
  return place.id;
}
