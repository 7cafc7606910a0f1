// From a verb, a resource and its input to a request: pure, and the only place that knows the interface's paths.
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerProfile } from "../spec/server-kinds.ts";
import { decodeSlug, encodeSlug, toAsciiUrl } from "./address.ts";
import type { ApiRequest, Query } from "./client.ts";
import type { PathRef } from "./ref.ts";

/** Field or filter values by the interface's names; what was not given is absent. */
export type Input = Readonly<Record<string, unknown>>;

/** The methods of an update; the interface has all three (section 4). */
export type UpdateMethod = "PATCH" | "PUT" | "POST";

/** `{ns}/<resource>` with the filters as a query (sections 4.2 to 4.6). */
export function buildListRequest(namespace: string, resource: Resource, filters: Input): ApiRequest {
  return { method: "GET", path: collectionPath(namespace, resource), query: buildQuery(resource.filters, filters) };
}

/** `{ns}/<resource>/{id}` or `{ns}/<resource>/by-slug/{slug}`. */
export function buildReadRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "GET", path: recordPath(namespace, resource, ref), query: [] };
}

/** POST of a body that `bodyOf` made. */
export function buildCreateRequest(namespace: string, resource: Resource, body: Input): ApiRequest {
  return { method: "POST", path: collectionPath(namespace, resource), query: [], body };
}

/** An update by id or slug. A by-slug body carries the path's slug where the interface asks for it (section 4.3) and the kind of server takes it. */
export function buildUpdateRequest(
  { namespace, serverProfile }: { readonly namespace: string; readonly serverProfile: ServerProfile },
  resource: Resource,
  ref: PathRef,
  method: UpdateMethod,
  body: Input,
): ApiRequest {
  const own = ref.by === "slug" && resource.slugInBody && serverProfile.slugInBody ? { slug: decodeSlug(ref.slug), ...body } : body;
  return { method, path: recordPath(namespace, resource, ref), query: [], body: own };
}

/** DELETE by id or slug; no parameters beyond the path. */
export function buildDeleteRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "DELETE", path: recordPath(namespace, resource, ref), query: [] };
}

/** The body of a create or an update: the input in the forms that the kind of server takes. Never holds an `id`. */
export function buildBody(resource: Resource, input: Input, kind: ServerProfile): Input {
  const scalars = kind.scalarFields[resource.name] ?? [];
  return Object.fromEntries(
    resource.fields
      .filter((field) => input[field.name] !== undefined)
      .map((field) => {
        const value = input[field.name];
        if (field.format === "url" && kind.rendersText && typeof value === "string") return [field.name, toAsciiUrl(value)];
        const bare = scalars.includes(field.name) && Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
        return [field.name, bare];
      }),
  );
}

function collectionPath(namespace: string, resource: Resource): string {
  return `/${namespace}/${resource.name}`;
}

function recordPath(namespace: string, resource: Resource, ref: PathRef): string {
  const last = ref.by === "id" ? ref.id : `by-slug/${encodeSlug(ref.slug)}`;
  return `${collectionPath(namespace, resource)}/${last}`;
}

/** Arrays go as `name[]=1&name[]=2`, in the order of the interface's table. */
function buildQuery(filters: readonly Field[], input: Input): Query {
  return filters.flatMap(({ name }) => {
    const value = input[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((item) => [`${name}[]`, String(item)] as const);
    return [[name, String(value)] as const];
  });
}
