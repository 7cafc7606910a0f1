// `cal <resource> get`: one record or several, by id, slug or name. `cal <resource> open`: the page of a record in the browser.
import { resolveRef } from "../../api/refs.ts";
import { getText } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import type { Handler } from "../command.ts";
import { createRecordCommand, openSite } from "./command.ts";
import { describeRecord } from "./messages.ts";
import { type RefArgument, readOne, readOneRef, readRecord, readRefs, reportRefs, resolveAmbiguousRef } from "./refs.ts";

/** The handler that reads records of a resource. */
export function get(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems];
    const refs = await readRefs(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "get", invocation, context, problems);
    const site = await openSite(command);
    const chosen = await resolveAmbiguousRef(command, site, refs);
    const work = async ({ ref }: RefArgument) => readRecord(command, site, await resolveRef(site, resource, ref), "show");
    return reportRefs(command, site, chosen, work, { isRead: true });
  };
}

/** The handler that opens a record's page and prints its address; --dry-run only prints. */
export function open(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems];
    const refs = await readOneRef(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "open", invocation, context, problems);
    const site = await openSite(command);
    const record = await readOne(command, site, refs);
    const address = toWebUrl(getText(record, "url"));
    if (address === undefined) {
      const message = `${describeRecord(resource, record)} has no page: the server sent no address that a browser can open`;
      throw new CalError("not-found", message, { code: "no-page" });
    }
    if (context.globals["dry-run"] !== true) {
      if (command.settings.sandbox.value) await context.warn("no browser was started: the sandbox has no web pages");
      else if (!(await context.openBrowser(address))) await context.warn("no browser could be started; open the address yourself");
    }
    return { kind: "value", value: address, text: address };
  };
}

/** A server may answer with an address of any kind: only http and https are opened. */
function toWebUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
