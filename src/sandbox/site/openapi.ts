// The document of `{ns}/doc` (section 4.1; its form is not shown): OpenAPI 3.0, read from the spec.
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import { restUrl, type Site } from "./site.ts";

type Json = Readonly<Record<string, unknown>>;

const schemas: Readonly<Record<Field["type"], Json>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  integers: { type: "array", items: { type: "integer" } },
  any: {},
};

function query({ name, meaning, type, default: fallback }: Field): Json {
  const schema = fallback === undefined ? schemas[type] : { ...schemas[type], default: fallback };
  return { name, in: "query", description: meaning, required: false, schema };
}

function body(resource: Resource, asked: boolean): Json {
  const properties = Object.fromEntries(
    resource.fields.map(({ name, type, meaning }) => [name, { ...schemas[type], description: meaning }]),
  );
  const required = resource.fields.filter((field) => field.required).map(({ name }) => name);
  const schema = { type: "object", properties, ...(asked ? { required } : {}) };
  return { required: true, content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } } };
}

const answers: Json = { default: { description: "The record, the list, or an error" } };

function paths(resource: Resource): readonly (readonly [string, Json])[] {
  const { name, singular } = resource;
  const record = (key: string, type: string): Json => {
    const parameters = [{ name: key, in: "path", required: true, schema: { type } }];
    const update = { summary: `Update a ${singular}`, parameters, requestBody: body(resource, false), responses: answers };
    const operation = (summary: string): Json => ({ summary, parameters, responses: answers });
    return { get: operation(`Read a ${singular}`), delete: operation(`Delete a ${singular}`), post: update, put: update, patch: update };
  };
  const collection = {
    get: { summary: `List ${name}`, parameters: resource.filters.map(query), responses: answers },
    post: { summary: `Create a ${singular}`, requestBody: body(resource, true), responses: answers },
  };
  const bySlug = resource.bySlug ? [[`/${name}/by-slug/{slug}`, record("slug", "string")] as const] : [];
  return [[`/${name}`, collection], [`/${name}/{id}`, record("id", "integer")], ...bySlug];
}

/** The whole document. */
export function openapi(site: Site): Json {
  return {
    openapi: "3.0.0",
    info: { title: "Calendar events", version: "1.0.0" },
    servers: [{ url: restUrl(site, `/${site.namespace}`) }],
    paths: Object.fromEntries(Object.values(resources).flatMap(paths)),
    ...(site.habits === "contract"
      ? { components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } }, security: [{ token: [] }] }
      : {}),
  };
}
