// `cal <resource> get`: one record or several, by id, slug or name.
import { resolveRef, withRecordSuggestions } from "../../api/refs.ts";
import type { Context } from "../../context.ts";
import { getText } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import type { Handler } from "../command.ts";
import { callOf, openSite, sceneOf } from "./command.ts";
import { reportRefs, resolveManyOptions } from "./many.ts";
import { describeRecord } from "./messages.ts";
import { getSingleRef, type RefArgument, readOne, readOneRef, readRefs, readToShow, resolveAmbiguousRefs } from "./refs.ts";

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

// `cal <resource> open`: the page of a record in the person's browser.

/** The handler that opens a record's page and prints its address; --dry-run only prints. */
export function open(resource: Resource): Handler {
  return async (invocation, context) => {
    const call = callOf(resource, "open", invocation, context);
    const refs = await readOneRef(call);
    const site = await openSite(await sceneOf(call));
    const { record } = await readOne(call, site, refs, "show");
    const address = toWebUrl(getText(record, "url"));
    if (address === undefined) {
      throw new CalError(
        "not-found",
        `${describeRecord(resource, record)} has no page: the server told no address that a browser can open`,
        {
          code: "no-page",
        },
      );
    }
    if (context.globals["dry-run"] !== true) await openInBrowser(address, context);
    return { kind: "value", value: address, text: address };
  };
}

async function openInBrowser(address: string, context: Context): Promise<void> {
  if ((await context.settings()).sandbox.value) return context.warn("no browser was started: the sandbox has no web pages");
  if (!(await context.openBrowser(address))) await context.warn("no browser could be started; open the address yourself");
}

/** What a server names as a page may be anything: a browser is given the web only. */
function toWebUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
