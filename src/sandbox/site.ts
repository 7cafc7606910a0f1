// The site around the calendar interface: its addresses, its front page, its REST index, and the descriptions of the interface.
import type { Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { createApiError, htmlResponse, jsonResponse, type SandboxResponse } from "./http.ts";
import type { User } from "./store.ts";
import { formatUtcTime, parseUtcTime, toWallTime } from "./time.ts";

/** The two versions that were recorded; they differ in some answers. */
export type TecVersion = "6.10" | "6.17.2";

export interface Site {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly origin: string;
  readonly serverProfile: ServerProfileName;
  readonly version: TecVersion;
  /** Without slashes at its ends. */
  readonly namespace: string;
  readonly permalinks: "pretty" | "plain";
  /** By IANA name. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  now(): number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

const siteName = "Sandbox calendar";

export const authorizePath = "/wp-admin/authorize-application.php";

/** The address of a REST path (`/calendar/events/v1/events`). */
export function getRestUrl(site: Site, path: string): string {
  return site.permalinks === "pretty" ? `${site.origin}/wp-json${path}` : `${site.origin}/index.php?rest_route=${path}`;
}

/** The address of a path inside the namespace: `events/12`. */
export function getNamespaceUrl(site: Site, path: string): string {
  return getRestUrl(site, `/${site.namespace}/${path}`);
}

/** Now, as a UTC text. */
export function getUtcNow(site: Site): string {
  return formatUtcTime(site.now());
}

/** The header by which a client finds the REST root. */
export function formatApiLinkHeader(site: Site): string {
  return `<${getRestUrl(site, "/")}>; rel="https://api.w.org/"`;
}

/** A web page whose headers lead to the interface. */
export function renderFrontPage(site: Site, status: number): SandboxResponse {
  const heading = status === 404 ? "Page not found" : siteName;
  const body = `<!DOCTYPE html>
<html lang="en-US">
<head><meta charset="UTF-8"><title>${heading}</title></head>
<body><h1>${heading}</h1><p>This is a sandbox: no data here is real.</p></body>
</html>
`;
  const tecHeaders = {
    "x-tec-api-version": "v1",
    "x-tec-api-root": getRestUrl(site, `/${site.namespace}/`),
    "x-tec-api-origin": site.origin,
  };
  return htmlResponse(status, body, { link: formatApiLinkHeader(site), ...(site.serverProfile === "generic" ? {} : tecHeaders) });
}

export function createRestIndex(site: Site): SandboxResponse {
  const isWordPress = site.serverProfile === "the-events-calendar";
  const now = getUtcNow(site);
  return jsonResponse(200, {
    name: siteName,
    description: "",
    url: site.origin,
    home: site.origin,
    gmt_offset: (parseUtcTime(toWallTime(now, site.zone)) - parseUtcTime(now)) / 3_600_000,
    timezone_string: site.zone,
    namespaces: isWordPress ? ["oembed/1.0", site.namespace, "wp/v2"] : [site.namespace],
    authentication: isWordPress ? { "application-passwords": { endpoints: { authorization: `${site.origin}${authorizePath}` } } } : {},
    routes: createNamespaceIndex(site)["routes"],
  });
}

/** `/wp/v2/users/me`: the login check of WordPress. */
export function createCurrentUserResponse(site: Site, user: User | undefined, context: unknown): SandboxResponse {
  if (user === undefined) throw createApiError(401, "rest_not_logged_in", "You are not currently logged in.");
  const { id, username, email, role } = user;
  const view = {
    id,
    name: username,
    url: site.origin,
    description: "",
    link: `${site.origin}/author/${username}/`,
    slug: username,
    meta: [],
  };
  const isEditor = role === "administrator" || role === "editor";
  const capabilities = { ...(isEditor ? { unfiltered_html: true } : {}), [role]: true };
  const edit = { username, email, roles: [role], capabilities, locale: "en_US", nickname: username };
  return jsonResponse(200, { ...view, ...(context === "edit" ? edit : {}) });
}

// The root of the namespace (section 4.1): routes, methods and parameters.

const schemas: Readonly<Record<Field["type"], JsonObject>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  integers: { type: "array", items: { type: "integer" } },
  any: {},
};

export function createNamespaceIndex(site: Site): JsonObject {
  const rootArguments = { namespace: { default: site.namespace, required: false }, context: { default: "view", required: false } };
  const routes: readonly RouteDescription[] = [
    { path: "", endpoints: [{ methods: ["GET"], args: rootArguments }] },
    { path: "/doc", endpoints: [{ methods: ["GET"], args: {} }] },
    ...Object.values(resources).flatMap(describeResourceRoutes),
  ];
  const described = routes.map(({ path, endpoints }) => {
    const route = `/${site.namespace}${path}`;
    const links = path.includes("(") ? {} : { _links: { self: [{ href: getRestUrl(site, route) }] } };
    return [route, { namespace: site.namespace, methods: endpoints.flatMap(({ methods }) => methods), endpoints, ...links }];
  });
  return { namespace: site.namespace, routes: Object.fromEntries(described), _links: { up: [{ href: getNamespaceUrl(site, "") }] } };
}

interface RouteDescription {
  /** A pattern, relative to the namespace. */
  readonly path: string;
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: JsonObject }[];
}

export function describeResourceRoutes({ name, singular, fields, filters, bySlug, slugInBody }: Resource): readonly RouteDescription[] {
  const describeRecord = (path: string, key: string, type: string, isKeyInBody: boolean): RouteDescription => {
    const keyed = { [key]: { description: `the ${singular}'s ${key}`, type, required: true } };
    return {
      path,
      endpoints: [
        { methods: ["GET"], args: keyed },
        { methods: ["DELETE"], args: keyed },
        { methods: ["POST", "PUT", "PATCH"], args: { ...describeArguments(fields, false), ...(isKeyInBody ? keyed : {}) } },
      ],
    };
  };
  return [
    {
      path: `/${name}`,
      endpoints: [
        { methods: ["GET"], args: describeArguments(filters, false) },
        { methods: ["POST"], args: describeArguments(fields, true) },
      ],
    },
    describeRecord(`/${name}/(?P<id>\\d+)`, "id", "integer", true),
    ...(bySlug ? [describeRecord(`/${name}/by-slug/(?P<slug>[^/]+)`, "slug", "string", slugInBody)] : []),
  ];
}

function describeArguments(fields: readonly Field[], isCreate: boolean): JsonObject {
  const described = fields.map(({ name, type, meaning, default: fallback, required }) => [
    name,
    {
      ...(fallback === undefined ? {} : { default: fallback }),
      description: meaning,
      ...schemas[type],
      required: isCreate && required === true,
    },
  ]);
  return Object.fromEntries(described);
}

/** The document of `{ns}/doc` (section 4.1, which does not show its form): OpenAPI 3.0. */
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

function createPaths({ name, singular, fields, filters, bySlug }: Resource): readonly (readonly [string, JsonObject])[] {
  const responses = { default: { description: "The record, the list, or an error" } };
  const createRequestBody = (isCreate: boolean): JsonObject => {
    const properties = Object.fromEntries(fields.map((field) => [field.name, { ...schemas[field.type], description: field.meaning }]));
    const required = fields.filter((field) => field.required).map((field) => field.name);
    const schema = { type: "object", properties, ...(isCreate ? { required } : {}) };
    return { required: true, content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } } };
  };
  const queryParameters = filters.map(({ name: filter, meaning, type, default: fallback }) => ({
    name: filter,
    in: "query",
    description: meaning,
    required: false,
    schema: fallback === undefined ? schemas[type] : { ...schemas[type], default: fallback },
  }));
  const describeRecord = (key: string, type: string): JsonObject => {
    const parameters = [{ name: key, in: "path", required: true, schema: { type } }];
    const update = { summary: `Update a ${singular}`, parameters, requestBody: createRequestBody(false), responses };
    const operation = (summary: string): JsonObject => ({ summary, parameters, responses });
    return { get: operation(`Read a ${singular}`), delete: operation(`Delete a ${singular}`), post: update, put: update, patch: update };
  };
  const collection = {
    get: { summary: `List ${name}`, parameters: queryParameters, responses },
    post: { summary: `Create a ${singular}`, requestBody: createRequestBody(true), responses },
  };
  return [
    [`/${name}`, collection],
    [`/${name}/{id}`, describeRecord("id", "integer")],
    ...(bySlug ? [[`/${name}/by-slug/{slug}`, describeRecord("slug", "string")] as const] : []),
  ];
}
