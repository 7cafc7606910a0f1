// From a verb, a resource and its input to a request: pure, and the only place that knows the interface's paths.
import type { Field } from "../spec/field.ts";
import type { Resource } from "../spec/resource.ts";
import type { ServerKind } from "../spec/server-kinds.ts";
import { asciiUrl, decodedSlug, slugSegment } from "./address.ts";
import type { ApiRequest, Query } from "./client.ts";
import type { PathRef } from "./ref.ts";

/** Field or filter values by the interface's names; what was not given is absent. */
export type Input = Readonly<Record<string, unknown>>;

/** The methods of an update; the interface has all three (section 4). */
export type UpdateMethod = "PATCH" | "PUT" | "POST";

/** `{ns}/<resource>` with the filters as a query (sections 4.2 to 4.6). */
export function listRequest(namespace: string, resource: Resource, filters: Input): ApiRequest {
  return { method: "GET", path: collection(namespace, resource), query: queryOf(resource.filters, filters) };
}

/** `{ns}/<resource>/{id}` or `{ns}/<resource>/by-slug/{slug}`. */
export function readRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "GET", path: single(namespace, resource, ref), query: [] };
}

/** POST of a body that `bodyOf` made. */
export function createRequest(namespace: string, resource: Resource, body: Input): ApiRequest {
  return { method: "POST", path: collection(namespace, resource), query: [], body };
}

/** An update by id or slug. A by-slug body carries the path's slug where the interface asks for it (section 4.3) and the kind of server takes it. */
export function updateRequest(
  { namespace, kind }: { readonly namespace: string; readonly kind: ServerKind },
  resource: Resource,
  ref: PathRef,
  method: UpdateMethod,
  body: Input,
): ApiRequest {
  const own = ref.by === "slug" && resource.slugInBody && kind.slugInBody ? { slug: decodedSlug(ref.slug), ...body } : body;
  return { method, path: single(namespace, resource, ref), query: [], body: own };
}

/** DELETE by id or slug; no parameters beyond the path. */
export function deleteRequest(namespace: string, resource: Resource, ref: PathRef): ApiRequest {
  return { method: "DELETE", path: single(namespace, resource, ref), query: [] };
}

/** The body of a create or an update: the input in the forms that the kind of server takes. Never holds an `id`. */
export function bodyOf(resource: Resource, input: Input, kind: ServerKind): Input {
  const scalars = kind.scalars[resource.name] ?? [];
  return Object.fromEntries(
    resource.fields
      .filter((field) => input[field.name] !== undefined)
      .map((field) => {
        const value = input[field.name];
        if (field.format === "url" && kind.rendersText && typeof value === "string") return [field.name, asciiUrl(value)];
        const bare = scalars.includes(field.name) && Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
        return [field.name, bare];
      }),
  );
}

function collection(namespace: string, resource: Resource): string {
  return `/${namespace}/${resource.name}`;
}

function single(namespace: string, resource: Resource, ref: PathRef): string {
  const last = ref.by === "id" ? ref.id : `by-slug/${slugSegment(ref.slug)}`;
  return `${collection(namespace, resource)}/${last}`;
}

/** Arrays go as `name[]=1&name[]=2`, in the order of the interface's table. */
function queryOf(filters: readonly Field[], input: Input): Query {
  return filters.flatMap(({ name }) => {
    const value = input[name];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((item) => [`${name}[]`, String(item)] as const);
    return [[name, String(value)] as const];
  });
}
