// `cal <resource> get`: one record or several, by id, slug or name.
import { resolveRef } from "../../api/lookup.ts";
import { withRecordSuggestions } from "../../api/near.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { callOf } from "./call.ts";
import { resolveAmbiguousRefs } from "./choice.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { readToShow } from "./read.ts";
import { getSingleRef, type RefArgument, readRefs } from "./refs.ts";
import { openSite, sceneOf } from "./site.ts";

/** The handler that reads records of a resource. */
export function get(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "get", invocation, context);
    const refs = await readRefs(call);
    const site = await openSite(await sceneOf(call));
    // A read is never kept from the wire: there is nothing to plan.
    const options = { ...(await resolveManyOptions(invocation, context)), dryRun: false };
    const settled = await resolveAmbiguousRefs(call, site, refs);
    const work = async ({ ref }: RefArgument) => readToShow(context, site, resource, await resolveRef(site, resource, ref));
    return withRecordSuggestions(site, resource, getSingleRef(settled), () => reportRefs(resource, settled, options, work));
  };
}
