// Reading one record, with what a real server keeps from whom.
import type { RoutedRequest } from "../call.ts";
import { createApiError, createInvalidParametersError } from "../problems.ts";
import { jsonResponse, type SandboxResponse } from "../wire.ts";
import { hasRole } from "./access.ts";
import { createMissingEventError, createUnknownRecordErrors, findEntry, mergeParams } from "./found.ts";
import { formatRecord } from "./view.ts";

/** One record. */
export function get(call: RoutedRequest): SandboxResponse {
  const { resource, site, data, user } = call;
  const params = mergeParams(call);
  const entry = findEntry(call, params);
  if (entry === undefined)
    throw createMissingEventError(call, params, false) ?? createInvalidParametersError(createUnknownRecordErrors(call));
  if (entry.status === "trash" && resource.name === "events" && site.version === "6.17.2") {
    throw createApiError(403, "event-no-longer-available", "This event is no longer available");
  }
  const mayRead =
    entry.status === "publish" ||
    hasRole(user, "editor") ||
    (user !== undefined && entry.author === user.id && hasRole(user, "contributor"));
  if (!mayRead) throw createApiError(403, `${resource.singular}-not-accessible`, `The requested ${resource.singular} is not accessible`);
  return jsonResponse(200, formatRecord(site, data, resource.name, entry, true));
}
