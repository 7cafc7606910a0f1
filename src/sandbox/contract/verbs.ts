// The five verbs as the contract has them, over any resource.
import type { Call, Verbs, WriteCall } from "../call.ts";
import { filtered } from "../filters.ts";
import { sorted } from "../order.ts";
import { type Fault, invalid, missing, problem } from "../problems.ts";
import { destroy } from "../removal.ts";
import { recordUrl, utcNow } from "../site/site.ts";
import { slugify } from "../slug.ts";
import type { Entry, Value } from "../store/tables.ts";
import { type Answer, json } from "../wire.ts";
import { inputOf } from "./input.ts";
import { check } from "./values.ts";
import { viewOf } from "./view.ts";
import { created, merged } from "./writing.ts";

/** The largest page (section 8: not shown). */
const pageLimit = 100;

/** The contract's server. */
export const contractVerbs: Verbs = { list, get, create, update, delete: remove };

function list(call: Call): Answer {
  const { resource, data, site } = call;
  const values: Readonly<Record<string, Value>> = { ...(hidesEmpty(call) ? { hide_empty: true } : {}), ...queryOf(call) };
  const scene = { data, now: utcNow(site), family: false };
  const entries = sorted(resource.name, filtered(resource.name, values, scene), values, data).filter((entry) => mayRead(call, entry));
  const size = Number(values["per_page"] ?? 10);
  const start = (Number(values["page"] ?? 1) - 1) * size;
  const pages = Math.ceil(entries.length / size);
  const body = {
    [resource.name]: entries.slice(start, start + size).map((entry) => viewOf(site, data, resource.name, entry)),
    rest_url: recordUrl(site, resource.name),
    total: entries.length,
    total_pages: pages,
  };
  return json(200, body, { "x-wp-total": String(entries.length), "x-wp-totalpages": String(pages) });
}

function hidesEmpty({ resource }: Call): boolean {
  return resource.filters.some(({ name }) => name === "hide_empty");
}

/** The filters that were sent. Unknown parameters are left alone, as servers of this kind do. */
function queryOf({ resource, query }: Call): Readonly<Record<string, Value>> {
  const partners = resource.filters.flatMap(({ name, needs }) => (needs !== undefined && Object.hasOwn(query, name) ? [needs] : []));
  const absent = partners.filter((name) => !Object.hasOwn(query, name));
  if (absent.length > 0) throw missing(absent);
  const { values, faults } = check(resource.filters, query, false);
  const bounds: Record<string, Fault> = {};
  const { page, per_page: size } = values;
  if (page !== undefined && Number(page) < 1) bounds["page"] = { message: "page must be 1 or more." };
  if (size !== undefined && (Number(size) < 1 || Number(size) > pageLimit))
    bounds["per_page"] = { message: `per_page must be between 1 and ${pageLimit}.` };
  const all = { ...faults, ...bounds };
  if (Object.keys(all).length > 0) throw invalid(all);
  return values;
}

function get(call: Call): Answer {
  const entry = found(call);
  if (!mayRead(call, entry)) throw forbidden();
  return json(200, viewOf(call.site, call.data, call.resource.name, entry));
}

function create(call: WriteCall): Answer {
  return kept(201, call, () => created(call, inputOf(call)));
}

function update(call: WriteCall): Answer {
  return kept(200, call, () => {
    const entry = found(call);
    return merged(call, entry, inputOf(call, entry));
  });
}

function kept(status: number, call: WriteCall, make: () => Entry): Answer {
  if (!mayWrite(call)) throw forbidden();
  const entry = make();
  call.data.put(call.resource.name, entry);
  return json(status, viewOf(call.site, call.data, call.resource.name, entry));
}

/** Deleting destroys: the contract knows no trash. The answer is the record as it was. */
function remove(call: WriteCall): Answer {
  if (!mayWrite(call)) throw forbidden();
  const entry = found(call);
  const view = viewOf(call.site, call.data, call.resource.name, entry);
  destroy(call.data, call.resource.name, entry);
  return json(200, view);
}

function found({ data, resource, target }: Call): Entry {
  const slug = target?.by === "slug" ? slugify(target.slug) : undefined;
  const entry = target?.by === "id" ? data.find(resource.name, target.id) : data.all(resource.name).find((one) => one.slug === slug);
  if (entry !== undefined) return entry;
  const which = target?.by === "id" ? `id ${target.id}` : `slug ${slug}`;
  throw problem(404, "rest_not_found", `There is no ${resource.singular} with the ${which}.`);
}

/** Permissions are not shown in the interface: a subscriber reads what is published, everybody else reads and writes everything. */
function mayRead({ user }: Call, { status }: Entry): boolean {
  return status === "publish" || (user !== undefined && user.role !== "subscriber");
}

function mayWrite({ user }: Call): boolean {
  return user !== undefined && user.role !== "subscriber";
}

function forbidden(): Error {
  return problem(403, "rest_forbidden", "Sorry, you are not allowed to do that.");
}
