// A write that was sent and got no usable answer may have been done or not: says so, and how to find out.
import { sanitizeLine } from "../../http/line.ts";
import { shellQuote } from "../../http/shell-word.ts";
import type { HttpResponse } from "../../http/transport.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { decodeSlug } from "../address.ts";
import type { ApiRequest } from "../client.ts";
import { getText, isRecord } from "../record.ts";

/** What follows on why there is no answer. */
export const unknownOutcomeMessage = "; the outcome is unknown: it may have been done";

/** Of these, what was asked for was not done: not known, not now, no room for it. */
const notExecutedStatuses: ReadonlySet<number> = new Set([501, 503, 507]);

/** Whether a status leaves it open: a fault in the middle of a write, or a proxy that gave up waiting for the site. */
export function isOutcomeUnknown(request: ApiRequest, status: number): boolean {
  return request.method !== "GET" && status >= 500 && !notExecutedStatuses.has(status);
}

/** When to try again: as the server asks in Retry-After, else later. */
export function retryAfterHint(headers: HttpResponse["headers"]): string {
  const wait = headers["retry-after"];
  if (wait === undefined) return "try again later";
  return `try again ${/^\d+$/.test(wait) ? `in ${wait} s` : `after ${sanitizeLine(wait)}`}: the server asks for it`;
}

const recordRoutePattern = new RegExp(`/(${Object.keys(resources).join("|")})(?:/(by-slug/)?([^/]+))?$`);

/** How to see whether it was done: the record itself, or a search for what was to be created. */
export function outcomeHint(request: ApiRequest): string {
  const [, name, bySlug, ref] = recordRoutePattern.exec(request.path) ?? [];
  const resource = Object.values(resources).find((known) => known.name === name);
  if (resource === undefined) return "look before you repeat it, so that nothing is done twice";
  if (ref !== undefined)
    return `see what is there now: cal ${resource.name} get ${shellQuote(bySlug === undefined ? ref : `slug:${decodeSlug(ref)}`)}`;
  return `look before you repeat it, so that nothing is created twice: ${searchCommand(resource, request.body)}`;
}

/** The list that shows a record that was just created, wherever lists of its resource hide such ones. */
function searchCommand(resource: Resource, body: unknown): string {
  const record = isRecord(body) ? body : {};
  const filters = new Set(resource.filters.map(({ name }) => name));
  const title = getText(record, resource.titleField);
  const status = getText(record, "status");
  return [
    `cal ${resource.name} list`,
    ...(title === "" ? [] : [`--search ${shellQuote(title)}`]),
    ...(resource.hasDates ? ["--all-dates"] : []),
    ...(filters.has("hide_empty") ? ["--include-empty"] : []),
    ...(filters.has("status") && status !== "" ? [`--status ${shellQuote(status)}`] : []),
  ].join(" ");
}
