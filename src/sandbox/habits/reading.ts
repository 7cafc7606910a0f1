// Reading one record, with what a real server keeps from whom.
import type { Call } from "../call.ts";
import { invalid, problem } from "../problems.ts";
import { type Answer, json } from "../wire.ts";
import { atLeast } from "./access.ts";
import { entryOf, newerRefusal, paramsOf, unknownFault } from "./found.ts";
import { viewOf } from "./view.ts";

/** One record. */
export function get(call: Call): Answer {
  const { resource, site, data, user } = call;
  const params = paramsOf(call);
  const entry = entryOf(call, params);
  if (entry === undefined) throw newerRefusal(call, params, false) ?? invalid(unknownFault(call));
  if (entry.status === "trash" && resource.name === "events" && site.version === "6.17.2") {
    throw problem(403, "event-no-longer-available", "This event is no longer available");
  }
  const mayRead =
    entry.status === "publish" ||
    atLeast(user, "editor") ||
    (user !== undefined && entry.author === user.id && atLeast(user, "contributor"));
  if (!mayRead) throw problem(403, `${resource.singular}-not-accessible`, `The requested ${resource.singular} is not accessible`);
  return json(200, viewOf(site, data, resource.name, entry, true));
}
