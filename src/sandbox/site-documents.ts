// The site around the interface: its front page, its REST index, and who is logged in, as WordPress tells them.
import type { Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { authorizePath } from "./auth/login-page.ts";
import { parseUtcTime } from "./entry.ts";
import { createApiError, htmlResponse, jsonResponse, type SandboxResponse } from "./http.ts";
import { getNamespaceUrl, getRestUrl, getUtcNow, getWallTimeNow, type Site } from "./site.ts";
import type { User } from "./store.ts";

/** The name of the site. */
const siteName = "Sandbox calendar";

/** The header by which a client finds the REST root. */
export function formatApiLinkHeader(site: Site): string {
  return `<${getRestUrl(site, "/")}>; rel="https://api.w.org/"`;
}

/** A web page of the site; its headers lead to the interface. */
export function renderFrontPage(site: Site, status: number): SandboxResponse {
  const heading = status === 404 ? "Page not found" : siteName;
  const body = `<!DOCTYPE html>
<html lang="en-US">
<head><meta charset="UTF-8"><title>${heading}</title></head>
<body><h1>${heading}</h1><p>This is a sandbox: no data here is real.</p></body>
</html>
`;
  const found = {
    "x-tec-api-version": "v1",
    "x-tec-api-root": getRestUrl(site, `/${site.namespace}/`),
    "x-tec-api-origin": site.origin,
  };
  return htmlResponse(status, body, { link: formatApiLinkHeader(site), ...(site.serverProfile === "the-events-calendar" ? found : {}) });
}

/** The REST index. */
export function createRestIndex(site: Site): SandboxResponse {
  const wordpress = site.serverProfile === "the-events-calendar";
  const offset = (parseUtcTime(getWallTimeNow(site)) - parseUtcTime(getUtcNow(site))) / 3_600_000;
  return jsonResponse(200, {
    name: siteName,
    description: "",
    url: site.origin,
    home: site.origin,
    gmt_offset: offset,
    timezone_string: site.zone,
    namespaces: wordpress ? ["oembed/1.0", site.namespace, "wp/v2"] : [site.namespace],
    authentication: wordpress ? { "application-passwords": { endpoints: { authorization: `${site.origin}${authorizePath}` } } } : {},
    routes: createNamespaceIndex(site)["routes"],
  });
}

/** `/wp/v2/users/me`: the login check of WordPress. */
export function createCurrentUserResponse(site: Site, user: User | undefined, context: unknown): SandboxResponse {
  if (user === undefined) throw createApiError(401, "rest_not_logged_in", "You are not currently logged in.");
  const { id, username, email, role } = user;
  const link = `${site.origin}/author/${username}/`;
  const edit = { username, email, roles: [role], capabilities: { [role]: true }, locale: "en_US", nickname: username };
  return jsonResponse(200, {
    id,
    name: username,
    url: site.origin,
    description: "",
    link,
    slug: username,
    meta: [],
    ...(context === "edit" ? edit : {}),
  });
}

// What the root of the namespace tells (section 4.1), read from the spec: routes, methods and parameters.

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

// The document of `{ns}/doc` (section 4.1; its form is not shown): OpenAPI 3.0, read from the spec.

type JsonObject = Readonly<Record<string, unknown>>;

const schemas: Readonly<Record<Field["type"], JsonObject>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  integers: { type: "array", items: { type: "integer" } },
  any: {},
};

function createQueryParameter({ name, meaning, type, default: fallback }: Field): JsonObject {
  const schema = fallback === undefined ? schemas[type] : { ...schemas[type], default: fallback };
  return { name, in: "query", description: meaning, required: false, schema };
}

function createRequestBody(resource: Resource, asked: boolean): JsonObject {
  const properties = Object.fromEntries(
    resource.fields.map(({ name, type, meaning }) => [name, { ...schemas[type], description: meaning }]),
  );
  const required = resource.fields.filter((field) => field.required).map(({ name }) => name);
  const schema = { type: "object", properties, ...(asked ? { required } : {}) };
  return { required: true, content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } } };
}

const defaultResponses: JsonObject = { default: { description: "The record, the list, or an error" } };

function createPaths(resource: Resource): readonly (readonly [string, JsonObject])[] {
  const { name, singular } = resource;
  const record = (key: string, type: string): JsonObject => {
    const parameters = [{ name: key, in: "path", required: true, schema: { type } }];
    const update = {
      summary: `Update a ${singular}`,
      parameters,
      requestBody: createRequestBody(resource, false),
      responses: defaultResponses,
    };
    const operation = (summary: string): JsonObject => ({ summary, parameters, responses: defaultResponses });
    return { get: operation(`Read a ${singular}`), delete: operation(`Delete a ${singular}`), post: update, put: update, patch: update };
  };
  const collection = {
    get: { summary: `List ${name}`, parameters: resource.filters.map(createQueryParameter), responses: defaultResponses },
    post: { summary: `Create a ${singular}`, requestBody: createRequestBody(resource, true), responses: defaultResponses },
  };
  const bySlug = resource.bySlug ? [[`/${name}/by-slug/{slug}`, record("slug", "string")] as const] : [];
  return [[`/${name}`, collection], [`/${name}/{id}`, record("id", "integer")], ...bySlug];
}

/** The whole document. */
export function createOpenApiDocument(site: Site): JsonObject {
  return {
    openapi: "3.0.0",
    info: { title: "Calendar events", version: "1.0.0" },
    servers: [{ url: getRestUrl(site, `/${site.namespace}`) }],
    paths: Object.fromEntries(Object.values(resources).flatMap(createPaths)),
    ...(site.serverProfile === "generic"
      ? { components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } }, security: [{ token: [] }] }
      : {}),
  };
}
