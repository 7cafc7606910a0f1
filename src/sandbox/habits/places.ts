// Writing venues and organizers on a WordPress site, also those that come inside an event.
import type { ResourceName } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { RoutedWriteRequest } from "../call.ts";
import { getTextField } from "../entry.ts";
import type { Params } from "../parameters.ts";
import { getUtcNow } from "../site/site.ts";
import type { Entry, User } from "../store/tables.ts";
import { createBlankPost, type FieldValues, getUnslashedTextParams, parsePublicationDate, resolveSlug, resolveStatus } from "./posts.ts";
import { sanitizeTextField } from "./text.ts";

type PlaceResourceName = "venues" | "organizers";

/** A new place. Recorded: where one of this name exists, it is that one, with the new fields added. */
export function createPlace(call: RoutedWriteRequest, user: User, params: Params): Entry {
  const { titleField, name: resource } = call.resource;
  const name = getUnslashedTextParams(params, [titleField])[titleField];
  const same = call.data.all(resource).find((entry) => entry.status !== "trash" && getTextField(entry, titleField) === name);
  // A slug is passed over here.
  const { slug: _, ...others } = params;
  if (same !== undefined) return applyPlaceFields(call, resetFields(resource, same), others, same.status);
  const blank = resetFields(resource, createBlankPost(call, user));
  const region = params["stateprovince"] ?? params["state"] ?? params["province"];
  return applyPlaceFields(
    call,
    blank,
    { ...others, ...(resource === "venues" && typeof region === "string" ? { stateprovince: region } : {}) },
    resolveStatus(user, params),
  );
}

/** A place with some fields changed. Recorded: most of what was not sent is kept, but a draft is published. */
export function updatePlace(call: RoutedWriteRequest, user: User, entry: Entry, params: Params): Entry {
  const { slug, ...others } = params;
  const named = call.target?.by === "slug" ? others : { ...others, ...(slug === undefined ? {} : { slug }) };
  return applyPlaceFields(call, resetFields(call.resource.name, entry), named, resolveStatus(user, params));
}

/** What every write of a place sets back unless it is sent: `stateprovince` as recorded; the picture and the maps as its source says. */
function resetFields(resource: ResourceName, entry: Entry): Entry {
  const { stateprovince: _, image: __, ...fields } = entry.fields;
  return { ...entry, fields: { ...fields, ...(resource === "venues" ? { show_map: "true", show_map_link: "true" } : {}) } };
}

function applyPlaceFields(call: RoutedWriteRequest, entry: Entry, params: Params, status: string): Entry {
  const { fields: known, titleField } = call.resource;
  const sent: FieldValues = getUnslashedTextParams(
    params,
    known.map(({ name }) => name).filter((name) => !["date", "date_utc", "status", "author"].includes(name)),
  );
  // An empty description is taken, and changes nothing.
  const { description, ...others } = sent;
  const lines = Object.entries(others).map(
    ([name, value]) => [name, name === titleField ? value : sanitizeTextField(String(value))] as const,
  );
  const fields = {
    ...entry.fields,
    ...Object.fromEntries(lines),
    ...(description === undefined || description === "" ? {} : { description }),
  };
  const draft = { ...entry, fields };
  return {
    ...draft,
    status,
    slug: resolveSlug(call, draft, params["slug"], getTextField(draft, titleField), status),
    author: params["author"] === undefined ? entry.author : Number(params["author"]),
    date_utc: parsePublicationDate(call, params) ?? entry.date_utc,
    modified_utc: getUtcNow(call.site),
  };
}

/** The place that an event names by itself: found by its name, else made. */
export function findOrCreatePlace(call: RoutedWriteRequest, user: User, resource: PlaceResourceName, params: Params): number {
  const inner: RoutedWriteRequest = { ...call, resource: resources[resource] };
  const place = createPlace(inner, user, params);
  call.data.put(resource, place);
  return place.id;
}
