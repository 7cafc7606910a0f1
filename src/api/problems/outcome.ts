// A write that was sent and got no usable answer may have been done or not: says so, and how to find out.
import { oneLine } from "../../http/line.ts";
import { shellWord } from "../../http/shell-word.ts";
import type { HttpResponse } from "../../http/transport.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { decodedSlug } from "../address.ts";
import type { ApiRequest } from "../client.ts";
import { isRecord, textAt } from "../record.ts";

/** What follows on why there is no answer. */
export const unknownOutcome = "; the outcome is unknown: it may have been done";

/** Of these, what was asked for was not done: not known, not now, no room for it. */
const refused: ReadonlySet<number> = new Set([501, 503, 507]);

/** Whether a status leaves it open: a fault in the middle of a write, or a proxy that gave up waiting for the site. */
export function isUnknown(request: ApiRequest, status: number): boolean {
  return request.method !== "GET" && status >= 500 && !refused.has(status);
}

/** When to try again: as the server asks in Retry-After, else later. */
export function laterHint(headers: HttpResponse["headers"]): string {
  const wait = headers["retry-after"];
  if (wait === undefined) return "try again later";
  return `try again ${/^\d+$/.test(wait) ? `in ${wait} s` : `after ${oneLine(wait)}`}: the server asks for it`;
}

const routes = new RegExp(`/(${Object.keys(resources).join("|")})(?:/(by-slug/)?([^/]+))?$`);

/** How to see whether it was done: the record itself, or a search for what was to be created. */
export function outcomeHint(request: ApiRequest): string {
  const [, name, bySlug, ref] = routes.exec(request.path) ?? [];
  const resource = Object.values(resources).find((known) => known.name === name);
  if (resource === undefined) return "look before you repeat it, so that nothing is done twice";
  if (ref !== undefined)
    return `see what is there now: cal ${resource.name} get ${shellWord(bySlug === undefined ? ref : `slug:${decodedSlug(ref)}`)}`;
  return `look before you repeat it, so that nothing is created twice: ${searchCommand(resource, request.body)}`;
}

/** The list that shows a record that was just created, wherever lists of its resource hide such ones. */
function searchCommand(resource: Resource, body: unknown): string {
  const record = isRecord(body) ? body : {};
  const filters = new Set(resource.filters.map(({ name }) => name));
  const title = textAt(record, resource.title);
  const status = textAt(record, "status");
  return [
    `cal ${resource.name} list`,
    ...(title === "" ? [] : [`--search ${shellWord(title)}`]),
    ...(resource.isDated ? ["--all-dates"] : []),
    ...(filters.has("hide_empty") ? ["--include-empty"] : []),
    ...(filters.has("status") && status !== "" ? [`--status ${shellWord(status)}`] : []),
  ].join(" ");
}
