// The document of `{ns}/doc` (section 4.1; its form is not shown): OpenAPI 3.0, read from the spec.
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { getRestUrl, type Site } from "./site.ts";

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
    ...(site.serverProfile === "contract"
      ? { components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } }, security: [{ token: [] }] }
      : {}),
  };
}
