// The model compared with the interface documents in docs/interface.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { authPaths, defaultTokenLifetime, fragmentTokenParameter } from "../../src/model/auth.ts";
import type { Field, ResourceName } from "../../src/model/resource.ts";
import { namespaces, resources } from "../../src/model/resources.ts";
import { parseTables, type TableRow } from "./tables.ts";

const calendar = readFileSync(new URL("../../docs/interface/calendar.md", import.meta.url), "utf8");
const auth = readFileSync(new URL("../../docs/interface/auth.md", import.meta.url), "utf8");
const tables = parseTables(calendar);

/** Every resource with the heading of its fields (section 2) and of its endpoints (section 4). */
const sections: readonly (readonly [ResourceName, string, string])[] = [
  ["events", "Event", "4.2 Events"],
  ["venues", "Venue", "4.3 Venues"],
  ["organizers", "Organizer", "4.4 Organizers"],
  ["categories", "Event category", "4.5 Event categories"],
  ["tags", "Event tag", "4.6 Event tags"],
];

const types: Readonly<Record<string, string>> = {
  string: "string",
  integer: "integer",
  boolean: "boolean",
  "array of integer": "integers",
  "type not given": "any",
};

/** What document and model must agree on, for a field or a list parameter. */
interface Agreed {
  readonly name: string;
  readonly type: string | undefined;
  readonly required: boolean;
  readonly default: string | number | boolean | undefined;
  readonly meaning: string;
}

function rowsUnder(heading: string, column: string): readonly TableRow[] {
  const found = tables.filter((table) => table.heading === heading && table.rows.some((row) => column in row));
  expect(found.map((table) => table.heading)).toEqual([heading]);
  return found.flatMap((table) => table.rows);
}

function agreedField(row: TableRow): Agreed {
  const [need, ...rest] = (row["Create"] ?? "").split(", default ");
  expect(["required", "optional"]).toContain(need);
  return agreed(row["Field"], row["Type"], need === "required", rest[0] ?? "none", row["Meaning"]);
}

function agreedParameter(row: TableRow): Agreed {
  return agreed(row["Parameter"], row["Type"], false, row["Default"] ?? "none", row["Meaning"]);
}

function agreed(name = "", type = "", required = false, fallback = "", meaning = ""): Agreed {
  return { name, type: types[type], required, default: defaultOf(fallback), meaning: meaning.toLowerCase() };
}

/** A default as a value. Section 4.2 has the format of dates in the place of some defaults. */
function defaultOf(cell: string): Agreed["default"] {
  if (cell === "none" || cell.startsWith("a date-time in the")) return undefined;
  if (cell.startsWith("`")) return cell.replaceAll("`", "");
  if (/^\d+$/.test(cell)) return Number(cell);
  expect(["true", "false"]).toContain(cell);
  return cell === "true";
}

function agreedModel(fields: readonly Field[]): readonly Agreed[] {
  return fields
    .filter((field) => field.nonStandard === undefined)
    .map((field) => ({
      name: field.name,
      type: field.type,
      required: field.required === true,
      default: field.default,
      meaning: field.meaning.toLowerCase(),
    }));
}

/** Section 4.4's prose: "the same names, types and defaults as for venues", the meanings applied to organizers. */
const organizerParameters: readonly Agreed[] = [
  agreed("page", "integer", false, "1", "Archive page"),
  agreed("per_page", "integer", false, "10", "Organizers per page"),
  agreed("search", "string", false, "none", "Text in title, description or custom fields"),
  agreed("event", "integer", false, "none", "Organizers related to this event"),
  agreed("has_events", "type not given", false, "none", "Organizers that have events"),
  agreed("only_with_upcoming", "type not given", false, "false", "Organizers that have upcoming events"),
  agreed("status", "type not given", false, "none", "Post status"),
];

/** Section 4.6's prose: those of categories without `parent`. */
const tagParameters: readonly Agreed[] = [
  agreed("page", "integer", false, "1", "Archive page"),
  agreed("per_page", "integer", false, "10", "Tags per page"),
  agreed("search", "string", false, "none", "Match a string"),
  agreed("exclude", "array of integer", false, "none", "IDs to exclude"),
  agreed("include", "array of integer", false, "none", "Only these IDs"),
  agreed("order", "string", false, "none", "Sort ascending or descending"),
  agreed("orderby", "string", false, "none", "Term attribute to sort by"),
  agreed("hide_empty", "boolean", false, "`1`", "Hide terms not assigned to any posts"),
  agreed("post", "integer", false, "none", "Terms assigned to this post"),
  agreed("event", "integer", false, "none", "Alias of `post`"),
  agreed("slug", "string", false, "none", "Terms with this slug"),
];

/** The text of a section without its subsections. */
function proseOf(heading: string): string {
  const [, after = ""] = calendar.split(`### ${heading}\n`);
  return after.split("\n### ")[0] ?? "";
}

describe.each(sections)("%s", (name, fieldHeading, endpointHeading) => {
  const resource = resources[name];

  test("has the fields of section 2, in its order", () => {
    const documented = rowsUnder(fieldHeading, "Create").map(agreedField);
    expect(documented.length).toBeGreaterThan(0);
    expect(agreedModel(resource.fields)).toEqual(documented);
  });

  test("has the list parameters of section 4, in its order", () => {
    const prose = { organizers: organizerParameters, tags: tagParameters };
    const documented = name in prose ? prose[name as keyof typeof prose] : rowsUnder(endpointHeading, "Default").map(agreedParameter);
    expect(documented.length).toBeGreaterThan(0);
    expect(agreedModel(resource.filters)).toEqual(documented);
  });

  test("has the endpoints of section 4", () => {
    const documented = rowsUnder(endpointHeading, "Method").flatMap((row) =>
      (row["Method"] ?? "").split(/, | or /).map((method) => `${method} ${row["Path"]?.replaceAll("`", "")}`),
    );
    const collection = `{ns}/${name}`;
    const one = (path: string) => ["GET", "DELETE", "POST", "PUT", "PATCH"].map((method) => `${method} ${collection}/${path}`);
    const bySlug = resource.bySlug ? one("by-slug/{slug}") : [];
    expect([...documented].sort()).toEqual([`GET ${collection}`, `POST ${collection}`, ...one("{id}"), ...bySlug].sort());
  });

  test("carries the slug in the body of a by-slug update where section 4 requires it", () => {
    expect(resource.slugInBody).toBe(proseOf(endpointHeading).includes("On the by-slug update route the `slug` is also required"));
  });

  test("asks for two parameters together where a meaning says so", () => {
    const documented = resource.filters.map((filter) => filter.meaning.match(/(\w+) must also be given/)?.[1]);
    expect(resource.filters.map((filter) => filter.requires)).toEqual(documented);
  });

  test("names nothing beyond the interface that the interface names itself", () => {
    for (const fields of [resource.fields, resource.filters]) {
      const names = fields.map((field) => field.name);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  test("has its name in a field that create requires", () => {
    expect(resource.name).toBe(name);
    expect(resource.fields.filter((field) => field.required).map((field) => field.name)).toContain(resource.titleField);
  });
});

test("the text that two parameter lists are copied from has not changed", () => {
  expect(proseOf("4.4 Organizers")).toContain(
    "the same names, types and defaults as for venues (page, per_page, search, event, has_events, only_with_upcoming, status); the meanings apply to organizers.",
  );
  expect(proseOf("4.6 Event tags")).toContain(
    "page, per_page, search, exclude, include, order, orderby, hide_empty, post, event and slug, with the same types, defaults and meanings as for categories; tags have no `parent` parameter.",
  );
});

test("the namespace is the interface's", () => {
  expect(calendar.match(/lives in the namespace `([^`]+)`/)?.[1]).toBe(namespaces.interface);
});

describe("authentication", () => {
  test("has the paths of section 4", () => {
    const documented = [...auth.matchAll(/Method and path: `(\w+ [^`]+)`/g)].map((match) => match[1]);
    expect(documented).toEqual([`POST ${authPaths.app}`, `POST ${authPaths.token}`, `GET ${authPaths.ui}`]);
  });

  test("spells the fragment's parameter as section 4.3 does", () => {
    expect(auth.match(/The parameter in the URL fragment is named `([^`]+)`/)?.[1]).toBe(fragmentTokenParameter);
  });

  test("takes section 8's lifetime", () => {
    expect(Number(auth.match(/Default token lifetime: (\d+) hour/)?.[1]) * 3600).toBe(defaultTokenLifetime);
  });
});
