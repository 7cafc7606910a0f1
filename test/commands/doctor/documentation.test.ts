// Documents compared with the model: OpenAPI, Swagger, references, and the document of a real site.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareDocumentation, findDocumentedNames } from "../../../src/commands/doctor/site.ts";
import { resources } from "../../../src/model/resources.ts";
import { unbreakable } from "../../../src/text.ts";

const { tags } = resources;

const forms: readonly (readonly [
  form: string,
  document: unknown,
  filters: readonly string[] | undefined,
  fields: readonly string[] | undefined,
])[] = [
  ["no document", [], undefined, undefined],
  ["no such route", { paths: {} }, undefined, undefined],
  ["a list without parameters", { paths: { "/tags": { get: {} } } }, [], undefined],
  [
    "parameters in a query, arrays with brackets",
    {
      paths: {
        "/tags": {
          get: {
            parameters: [
              { name: "page", in: "query" },
              { name: "include[]", in: "query" },
              { name: "x-api", in: "header" },
            ],
          },
        },
      },
    },
    ["page", "include"],
    undefined,
  ],
  [
    "routes with their namespace",
    { paths: { "/calendar/events/v1/tags/": { get: { parameters: [{ name: "page", in: "query" }] } } } },
    ["page"],
    undefined,
  ],
  [
    "a create as JSON",
    { paths: { "/tags": { post: { requestBody: { content: { "application/json": { schema: { properties: { name: {} } } } } } } } } },
    undefined,
    ["name"],
  ],
  [
    "an update as a form",
    {
      paths: {
        "/tags/{id}": {
          put: {
            parameters: [{ name: "id", in: "path" }],
            requestBody: { content: { "application/x-www-form-urlencoded": { schema: { properties: { name: {}, slug: {} } } } } },
          },
        },
      },
    },
    undefined,
    ["name", "slug"],
  ],
  [
    "fields of Swagger's forms",
    {
      paths: {
        "/tags/{id}": {
          post: {
            parameters: [
              { name: "id", in: "path" },
              { name: "name", in: "formData" },
            ],
          },
        },
      },
    },
    undefined,
    ["name"],
  ],
  [
    "a body of Swagger, by reference",
    {
      definitions: { Tag: { properties: { name: {} } } },
      paths: { "/tags": { post: { parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/Tag" } }] } } },
    },
    undefined,
    ["name"],
  ],
  [
    "parameters by reference",
    {
      components: { parameters: { page: { name: "page", in: "query" } } },
      paths: { "/tags": { get: { parameters: [{ $ref: "#/components/parameters/page" }, { $ref: "#/nowhere" }] } } },
    },
    ["page"],
    undefined,
  ],
  ["what makes no sense", { paths: { "/tags": { get: { parameters: [null, 1, { in: "query" }] }, post: "?" } } }, [], undefined],
  ["a route that only ends alike", { paths: { "/hashtags": { get: {} }, "/tags/by-slug/{slug}": { post: {} } } }, undefined, undefined],
];

test.for(forms)("%s", ([, document, filters, fields]) => {
  const found = findDocumentedNames(tags, document);
  const names = (set: ReadonlySet<string> | undefined) => (set === undefined ? undefined : [...set]);
  expect([names(found?.filters), names(found?.fields)]).toEqual([filters, fields]);
});

/** The routes of a real site in the form of its document: the fields are a form at the path of the record. */
function realDocument(): { paths: Record<string, Record<string, unknown>> } {
  const text = readFileSync(new URL("../../recorded/root_ns.http", import.meta.url), "utf8");
  const { routes } = JSON.parse(text.slice(text.indexOf("{"))) as {
    routes: Record<string, { endpoints: { methods: string[]; args: object }[] }>;
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, { endpoints }] of Object.entries(routes)) {
    const path = route.replace("/tribe/events/v1", "").replace(/\(\?P<(\w+)>.*\)$/, "{$1}");
    for (const { methods, args } of endpoints) {
      const names = Object.keys(args);
      if (methods.includes("GET"))
        paths[path] = { ...paths[path], get: { parameters: names.map((name) => ({ name, in: path.includes("{") ? "path" : "query" })) } };
      if (!methods.includes("PUT")) continue;
      const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
      paths[path] = {
        ...paths[path],
        post: { requestBody: { content: { "application/x-www-form-urlencoded": { schema: { type: "object", properties } } } } },
      };
    }
  }
  return { paths };
}

test("a real site documents the whole table, and a little more", () => {
  expect(compareDocumentation(realDocument())).toEqual({
    state: "ok",
    found: "116 filters and fields as in the table; extra filters of events: post_parent, ticketed; extra fields of events: password",
    advice: `what is extra can be sent too: ${unbreakable("cal api GET events --query <name>=<value>")}, or --set <name>=<value>`,
  });
});

test("what a site does not document is named by resource", () => {
  const { paths } = realDocument();
  delete paths["/tags"];
  paths["/organizers"] = {
    get: {
      parameters: [
        { name: "page", in: "query" },
        { name: "per_page", in: "query" },
        { name: "search", in: "query" },
      ],
    },
  };
  const { state, found } = compareDocumentation({ paths });
  expect(state).toBe("warning");
  expect(found).toContain(
    "; missing filters of organizers: event, has_events, only_with_upcoming, status; missing all filters of tags; extra filters of events: post_parent, ticketed;",
  );
});
