// What the root of the namespace tells (section 4.1), read from the spec: routes, methods and parameters.
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { recordUrl, restUrl, type Site } from "./site.ts";

type Endpoint = { readonly methods: readonly string[]; readonly args: Readonly<Record<string, unknown>> };

/** A route of the namespace: its path pattern, and what may be sent there. */
interface Description {
  /** Relative to the namespace. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
}

const jsonTypes = { string: "string", integer: "integer", boolean: "boolean", integers: "array", any: undefined } as const;

function argument({ type, meaning, default: fallback, required }: Field, asked: boolean): Readonly<Record<string, unknown>> {
  const jsonType = jsonTypes[type];
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    description: meaning,
    ...(jsonType === undefined ? {} : { type: jsonType }),
    ...(type === "integers" ? { items: { type: "integer" } } : {}),
    required: asked && required === true,
  };
}

function args(fields: readonly Field[], asked: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, argument(field, asked)]));
}

const updating = ["POST", "PUT", "PATCH"] as const;

/** The routes of a resource. */
export function descriptionsOf(resource: Resource): readonly Description[] {
  const record = (path: string, key: string, type: string, slugNeeded: boolean): Description => {
    const keyed = { [key]: { description: `the ${resource.singular}'s ${key}`, type, required: true } };
    const changed = { ...args(resource.fields, false), ...(slugNeeded || key === "id" ? keyed : {}) };
    return {
      path,
      endpoints: [
        { methods: ["GET"], args: keyed },
        { methods: ["DELETE"], args: keyed },
        { methods: updating, args: changed },
      ],
    };
  };
  const collection: Description = {
    path: `/${resource.name}`,
    endpoints: [
      { methods: ["GET"], args: args(resource.filters, false) },
      { methods: ["POST"], args: args(resource.fields, true) },
    ],
  };
  const bySlug = resource.bySlug ? [record(`/${resource.name}/by-slug/(?P<slug>[^/]+)`, "slug", "string", resource.slugInBody)] : [];
  return [collection, record(`/${resource.name}/(?P<id>\\d+)`, "id", "integer", false), ...bySlug];
}

/** All routes of the namespace. */
function descriptions({ namespace }: Site): readonly Description[] {
  const root = { namespace: { default: namespace, required: false }, context: { default: "view", required: false } };
  return [
    { path: "", endpoints: [{ methods: ["GET"], args: root }] },
    { path: "/doc", endpoints: [{ methods: ["GET"], args: {} }] },
    ...Object.values(resources).flatMap(descriptionsOf),
  ];
}

/** The body of the namespace's root. */
export function namespaceIndex(site: Site): Readonly<Record<string, unknown>> {
  const routes = descriptions(site).map(({ path, endpoints }) => {
    const whole = `/${site.namespace}${path}`;
    const links = path.includes("(") ? {} : { _links: { self: [{ href: restUrl(site, whole) }] } };
    return [whole, { namespace: site.namespace, methods: endpoints.flatMap(({ methods }) => methods), endpoints, ...links }];
  });
  return { namespace: site.namespace, routes: Object.fromEntries(routes), _links: { up: [{ href: recordUrl(site, "") }] } };
}
