// `cal <resource> get`: one record or several, by id, slug or name.
import { resolveRef } from "../../api/lookup.ts";
import { tellingNear } from "../../api/near.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Handler } from "../command.ts";
import { callOf } from "./call.ts";
import { settledRefs } from "./choice.ts";
import { manyOptions, reportRefs } from "./many.ts";
import { readToShow } from "./read.ts";
import { onlyRef, readRefs, type TypedRef } from "./refs.ts";
import { openSite, sceneOf } from "./site.ts";

/** The handler that reads records of a resource. */
export function get(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "get", invocation, context);
    const refs = await readRefs(call);
    const site = await openSite(await sceneOf(call));
    // A read is never kept from the wire: there is nothing to plan.
    const options = { ...(await manyOptions(invocation, context)), dryRun: false };
    const settled = await settledRefs(call, site, refs);
    const work = async ({ ref }: TypedRef) => readToShow(context, site, resource, await resolveRef(site, resource, ref));
    return tellingNear(site, resource, onlyRef(settled), () => reportRefs(resource, settled, options, work));
  };
}
