// What the root of the namespace tells (section 4.1), read from the spec: routes, methods and parameters.
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { getNamespaceUrl, getRestUrl, type Site } from "./site.ts";

type Endpoint = { readonly methods: readonly string[]; readonly args: Readonly<Record<string, unknown>> };

/** A route of the namespace: its path pattern, and what may be sent there. */
interface RouteDescription {
  /** Relative to the namespace. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
}

const jsonTypes = { string: "string", integer: "integer", boolean: "boolean", integers: "array", any: undefined } as const;

function describeArgument({ type, meaning, default: fallback, required }: Field, asked: boolean): Readonly<Record<string, unknown>> {
  const jsonType = jsonTypes[type];
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    description: meaning,
    ...(jsonType === undefined ? {} : { type: jsonType }),
    ...(type === "integers" ? { items: { type: "integer" } } : {}),
    required: asked && required === true,
  };
}

function describeArguments(fields: readonly Field[], asked: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field.name, describeArgument(field, asked)]));
}

const updateMethods = ["POST", "PUT", "PATCH"] as const;

/** The routes of a resource. */
export function describeResourceRoutes(resource: Resource): readonly RouteDescription[] {
  const record = (path: string, key: string, type: string, slugNeeded: boolean): RouteDescription => {
    const keyed = { [key]: { description: `the ${resource.singular}'s ${key}`, type, required: true } };
    const changed = { ...describeArguments(resource.fields, false), ...(slugNeeded || key === "id" ? keyed : {}) };
    return {
      path,
      endpoints: [
        { methods: ["GET"], args: keyed },
        { methods: ["DELETE"], args: keyed },
        { methods: updateMethods, args: changed },
      ],
    };
  };
  const collection: RouteDescription = {
    path: `/${resource.name}`,
    endpoints: [
      { methods: ["GET"], args: describeArguments(resource.filters, false) },
      { methods: ["POST"], args: describeArguments(resource.fields, true) },
    ],
  };
  const bySlug = resource.bySlug ? [record(`/${resource.name}/by-slug/(?P<slug>[^/]+)`, "slug", "string", resource.slugInBody)] : [];
  return [collection, record(`/${resource.name}/(?P<id>\\d+)`, "id", "integer", false), ...bySlug];
}

/** All routes of the namespace. */
function describeRoutes({ namespace }: Site): readonly RouteDescription[] {
  const root = { namespace: { default: namespace, required: false }, context: { default: "view", required: false } };
  return [
    { path: "", endpoints: [{ methods: ["GET"], args: root }] },
    { path: "/doc", endpoints: [{ methods: ["GET"], args: {} }] },
    ...Object.values(resources).flatMap(describeResourceRoutes),
  ];
}

/** The body of the namespace's root. */
export function createNamespaceIndex(site: Site): Readonly<Record<string, unknown>> {
  const routes = describeRoutes(site).map(({ path, endpoints }) => {
    const whole = `/${site.namespace}${path}`;
    const links = path.includes("(") ? {} : { _links: { self: [{ href: getRestUrl(site, whole) }] } };
    return [whole, { namespace: site.namespace, methods: endpoints.flatMap(({ methods }) => methods), endpoints, ...links }];
  });
  return { namespace: site.namespace, routes: Object.fromEntries(routes), _links: { up: [{ href: getNamespaceUrl(site, "") }] } };
}
