// Which record a call means, and what a real server says where there is none.
import type { ResourceName } from "../../spec/field.ts";
import type { RoutedRequest } from "../call.ts";
import type { Params } from "../parameters.ts";
import { createApiError, type ParameterError } from "../problems.ts";
import { slugify } from "../slug.ts";
import type { Entry } from "../store/tables.ts";
import type { ResponseError } from "../wire.ts";

/** Everything that was sent, the weakest first. Recorded: the query beats the path, and the body beats both. */
export function mergeParams({ target, query, payload }: RoutedRequest): Params {
  const path = target === undefined ? {} : target.by === "id" ? { id: target.id } : { slug: target.slug };
  return { ...path, ...query, ...payload.params };
}

/** The record that the parameters name; a slug counts in any spelling. */
export function findEntry({ data, resource, target }: RoutedRequest, params: Params): Entry | undefined {
  if (target?.by === "id") return /^\d+$/.test(String(params["id"])) ? data.find(resource.name, Number(params["id"])) : undefined;
  const slug = slugify(String(params["slug"]));
  return data.all(resource.name).find((entry) => entry.slug !== "" && entry.slug === slug);
}

/** What is wrong with the name of a record that isn't there: a row for rest_invalid_param. */
export function createUnknownRecordErrors({ target }: RoutedRequest): Readonly<Record<string, ParameterError>> {
  return { [target?.by === "slug" ? "slug" : "id"]: { message: "Invalid parameter." } };
}

const placeResources: readonly ResourceName[] = ["venues", "organizers"];

/** The newer version has words of its own for events that are not there; undefined where it says what the older one says. */
export function createMissingEventError(
  { data, resource, site, target }: RoutedRequest,
  params: Params,
  updating: boolean,
): ResponseError | undefined {
  if (resource.name !== "events" || site.version !== "6.17.2") return undefined;
  const bySlug = target?.by === "slug";
  if (bySlug && !updating) return undefined;
  const id = bySlug ? 0 : Number(params["id"]);
  if (placeResources.some((name) => data.find(name, id) !== undefined))
    return createApiError(400, "rest-invalid-event-id", "The ID is not an event's.");
  return createApiError(404, "rest-event-not-found", `Event with ID ${id} does not exist.`);
}
