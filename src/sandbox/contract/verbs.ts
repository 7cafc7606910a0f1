// The five verbs as the contract has them, over any resource.
import type { RoutedRequest, RoutedWriteRequest, VerbHandlers } from "../call.ts";
import { filterEntries } from "../filters.ts";
import { sortEntries } from "../order.ts";
import { createApiError, createInvalidParametersError, createMissingParametersError, type ParameterError } from "../problems.ts";
import { deletePermanently } from "../removal.ts";
import { getNamespaceUrl, getUtcNow } from "../site/site.ts";
import { slugify } from "../slug.ts";
import type { Entry, FieldValue } from "../store/tables.ts";
import { jsonResponse, type SandboxResponse } from "../wire.ts";
import { validateBody } from "./input.ts";
import { validateParameters } from "./values.ts";
import { formatRecord } from "./view.ts";
import { createEntry, mergeEntry } from "./writing.ts";

/** The largest page (section 8: not shown). */
const maxPageSize = 100;

/** The contract's server. */
export const genericHandlers: VerbHandlers = { list, get, create, update, delete: remove };

function list(call: RoutedRequest): SandboxResponse {
  const { resource, data, site } = call;
  const values: Readonly<Record<string, FieldValue>> = {
    ...(hasHideEmptyFilter(call) ? { hide_empty: true } : {}),
    ...validateQuery(call),
  };
  const scene = { data, now: getUtcNow(site), includeDescendants: false };
  const entries = sortEntries(resource.name, filterEntries(resource.name, values, scene), values, data).filter((entry) =>
    canRead(call, entry),
  );
  const size = Number(values["per_page"] ?? 10);
  const start = (Number(values["page"] ?? 1) - 1) * size;
  const pages = Math.ceil(entries.length / size);
  const body = {
    [resource.name]: entries.slice(start, start + size).map((entry) => formatRecord(site, data, resource.name, entry)),
    rest_url: getNamespaceUrl(site, resource.name),
    total: entries.length,
    total_pages: pages,
  };
  return jsonResponse(200, body, { "x-wp-total": String(entries.length), "x-wp-totalpages": String(pages) });
}

function hasHideEmptyFilter({ resource }: RoutedRequest): boolean {
  return resource.filters.some(({ name }) => name === "hide_empty");
}

/** The filters that were sent. Unknown parameters are left alone, as servers of this kind do. */
function validateQuery({ resource, query }: RoutedRequest): Readonly<Record<string, FieldValue>> {
  const partners = resource.filters.flatMap(({ name, requires }) =>
    requires !== undefined && Object.hasOwn(query, name) ? [requires] : [],
  );
  const absent = partners.filter((name) => !Object.hasOwn(query, name));
  if (absent.length > 0) throw createMissingParametersError(absent);
  const { values, errors } = validateParameters(resource.filters, query, false);
  const bounds: Record<string, ParameterError> = {};
  const { page, per_page: size } = values;
  if (page !== undefined && Number(page) < 1) bounds["page"] = { message: "page must be 1 or more." };
  if (size !== undefined && (Number(size) < 1 || Number(size) > maxPageSize))
    bounds["per_page"] = { message: `per_page must be between 1 and ${maxPageSize}.` };
  const all = { ...errors, ...bounds };
  if (Object.keys(all).length > 0) throw createInvalidParametersError(all);
  return values;
}

function get(call: RoutedRequest): SandboxResponse {
  const entry = findEntry(call);
  if (!canRead(call, entry)) throw createForbiddenError();
  return jsonResponse(200, formatRecord(call.site, call.data, call.resource.name, entry));
}

function create(call: RoutedWriteRequest): SandboxResponse {
  return saveEntry(201, call, () => createEntry(call, validateBody(call)));
}

function update(call: RoutedWriteRequest): SandboxResponse {
  return saveEntry(200, call, () => {
    const entry = findEntry(call);
    return mergeEntry(call, entry, validateBody(call, entry));
  });
}

function saveEntry(status: number, call: RoutedWriteRequest, make: () => Entry): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const entry = make();
  call.data.put(call.resource.name, entry);
  return jsonResponse(status, formatRecord(call.site, call.data, call.resource.name, entry));
}

/** Deleting destroys: the contract knows no trash. The answer is the record as it was. */
function remove(call: RoutedWriteRequest): SandboxResponse {
  if (!canWrite(call)) throw createForbiddenError();
  const entry = findEntry(call);
  const view = formatRecord(call.site, call.data, call.resource.name, entry);
  deletePermanently(call.data, call.resource.name, entry);
  return jsonResponse(200, view);
}

function findEntry({ data, resource, target }: RoutedRequest): Entry {
  const slug = target?.by === "slug" ? slugify(target.slug) : undefined;
  const entry = target?.by === "id" ? data.find(resource.name, target.id) : data.all(resource.name).find((one) => one.slug === slug);
  if (entry !== undefined) return entry;
  const which = target?.by === "id" ? `id ${target.id}` : `slug ${slug}`;
  throw createApiError(404, "rest_not_found", `There is no ${resource.singular} with the ${which}.`);
}

/** Permissions are not shown in the interface: a subscriber reads what is published, everybody else reads and writes everything. */
function canRead({ user }: RoutedRequest, { status }: Entry): boolean {
  return status === "publish" || (user !== undefined && user.role !== "subscriber");
}

function canWrite({ user }: RoutedRequest): boolean {
  return user !== undefined && user.role !== "subscriber";
}

function createForbiddenError(): Error {
  return createApiError(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
}
