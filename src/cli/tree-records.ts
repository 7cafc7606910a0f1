// The five verbs over the five resources, as commands: flags, help and examples are read from the specs.
import type { Argument, CommandSpec, Flag } from "../commands/command.ts";
import type { Field } from "../spec/field.ts";
import { resources } from "../spec/index.ts";
import type { Resource, Verb } from "../spec/resource.ts";
import { examplesOf } from "./examples.ts";

const bodyFlags: readonly Flag[] = [
  {
    name: "data",
    type: "text",
    value: "@file",
    meaning: "All fields at once, as JSON or YAML: @file, - for stdin, or the text itself",
    group: "Any field",
  },
  { name: "set", type: "texts", value: "field=value", meaning: "Set one field to a text; wins over --data", group: "Any field" },
  { name: "set-json", type: "texts", value: "field=json", meaning: "Set one field to a JSON value; wins over --data", group: "Any field" },
];

const pageFlags: readonly Flag[] = [
  { name: "limit", type: "integer", value: "n", meaning: "Print at most n records, over as many pages as it takes", group: "How much" },
  { name: "all", type: "boolean", meaning: "Print all records, page after page", group: "How much" },
  { name: "envelope", type: "boolean", meaning: "Wrap JSON and YAML as {items, total, total_pages, ...}", group: "How much" },
];

const spanFlags: readonly Flag[] = [
  {
    name: "running",
    type: "boolean",
    meaning: "With --start-date and --end-date: also events that began earlier and still run",
    group: "Dates",
  },
  { name: "today", type: "boolean", meaning: "Events that run today", group: "Dates" },
  { name: "on", type: "text", value: "date", meaning: "Events that run on this day", group: "Dates" },
  {
    name: "week",
    type: "text",
    value: "date",
    optionalValue: true,
    meaning: "Events that run in the week of this day; without a date, this week",
    group: "Dates",
  },
  {
    name: "month",
    type: "text",
    value: "YYYY-MM",
    optionalValue: true,
    meaning: "Events that run in this month; without a value, the current one",
    group: "Dates",
  },
  { name: "next", type: "text", value: "duration", meaning: "Events that run between now and then: 30d, 2w", group: "Dates" },
  { name: "all-dates", type: "boolean", meaning: "Events of any date, past ones too", group: "Dates" },
];

const missing: Flag = { name: "ignore-missing", type: "boolean", meaning: "Do not fail where a record does not exist" };

const merge: Flag = {
  name: "merge",
  type: "boolean",
  meaning: "Allow the server to change an existing venue or organizer of the same name instead of creating one",
  group: "How it is sent",
};

const details: Readonly<Record<Verb, string>> = {
  list: "Prints one page unless --limit or --all asks for more; what was left out is said on stderr.",
  get: "Several refs print several records.",
  create: "Prints the new record. Everything is checked before anything is sent.",
  update: "Reads the record first, sends what was given together with what the server would otherwise lose, and says what changed.",
  delete: "Asks first on a terminal; anywhere else it needs --yes.",
};

/** Every command over records. */
export const recordCommands: readonly CommandSpec[] = Object.values(resources).flatMap((resource) => [
  command(resource, "list", ["ls"], `List ${resource.name}`, [], listFlags(resource)),
  command(resource, "get", ["show"], `Read ${resource.name} by id, slug or name`, [refs(resource)], [missing]),
  command(resource, "create", ["add"], `Create ${article(resource.singular)}`, [], createFlags(resource)),
  command(resource, "update", [], `Change ${resource.name}; what is not given stays as it is`, [refs(resource)], updateFlags(resource)),
  command(
    resource,
    "delete",
    ["rm"],
    `Delete ${resource.name}`,
    [refs(resource)],
    [{ name: "max-delete", type: "integer", value: "n", meaning: "Delete nothing if more than n records are named" }, missing],
  ),
]);

function command(
  resource: Resource,
  verb: Verb,
  aliases: readonly string[],
  summary: string,
  args: readonly Argument[],
  flags: readonly Flag[],
): CommandSpec {
  return {
    path: [resource.name, verb],
    aliases,
    summary,
    details: details[verb],
    args,
    flags,
    examples: examplesOf(resource, verb),
    takesProblems: true,
    load: async () => (await import("../commands/completion/remember.ts")).remembering(resource, verb, await handlers[verb](resource)),
  };
}

const handlers = {
  list: async (resource: Resource) => (await import("../commands/records/list.ts")).list(resource),
  get: async (resource: Resource) => (await import("../commands/records/get.ts")).get(resource),
  create: async (resource: Resource) => (await import("../commands/records/create.ts")).create(resource),
  update: async (resource: Resource) => (await import("../commands/records/update.ts")).update(resource),
  delete: async (resource: Resource) => (await import("../commands/records/delete.ts")).remove(resource),
} as const;

function refs(resource: Resource): Argument {
  return {
    name: "ref",
    meaning: `${resource.singular}: an id (123), a slug (town-hall, slug:2027), name:"Town Hall", or - to read refs from stdin`,
    many: true,
  };
}

function listFlags(resource: Resource): readonly Flag[] {
  const own = resource.filters.map((filter) =>
    flagOf(filter, filter.name === "per_page" || filter.name === "page" ? "How much" : filter.format === "date-time" ? "Dates" : "Filters"),
  );
  const dated = resource.filters.some(({ name }) => name === "start_date");
  const hides: readonly Flag[] = resource.filters.some(({ name }) => name === "hide_empty")
    ? [{ name: "include-empty", type: "boolean", meaning: "Also those that no event has", group: "Filters" }]
    : [];
  return [...own, ...hides, ...(dated ? spanFlags : []), ...pageFlags];
}

function createFlags(resource: Resource): readonly Flag[] {
  return [...resource.fields.map((field) => flagOf(field, "Fields")), ...durationFlag(resource), ...bodyFlags, merge];
}

function updateFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.map(({ required, default: onCreate, ...field }) => flagOf(field, "Fields")),
    ...durationFlag(resource),
    { name: "clear", type: "texts", value: "field", meaning: "Empty this field; may be repeated", group: "Any field" },
    ...bodyFlags,
    {
      name: "method",
      type: "text",
      value: "method",
      meaning: "HTTP method",
      choices: ["patch", "put", "post"],
      default: "patch",
      group: "How it is sent",
    },
    {
      name: "raw",
      type: "boolean",
      meaning: "Send only what was given, without reading the record first; the server may lose the rest",
      group: "How it is sent",
    },
    merge,
    missing,
  ];
}

function durationFlag(resource: Resource): readonly Flag[] {
  if (!resource.fields.some(({ name }) => name === "end_date")) return [];
  return [{ name: "duration", type: "text", value: "duration", meaning: "Instead of --end-date: 90m, 1h30m, 2d", group: "Fields" }];
}

/** The flag of a field or filter, with the interface's name in kebab case and its wording. */
function flagOf(field: Field, group: string): Flag {
  const own = field.name.replaceAll("_", "-");
  const type =
    field.type === "integers"
      ? "texts"
      : field.type === "boolean" || field.format === "flag-string"
        ? "boolean"
        : field.type === "integer" && field.refersTo === undefined
          ? "integer"
          : "text";
  return {
    name: field.alias ?? own,
    ...(field.alias === undefined ? {} : { aliases: [own] }),
    type,
    ...(type === "boolean" ? { negatable: true as const } : { value: valueWord(field) }),
    meaning: `${field.meaning}${field.required === true ? " (required)" : ""}${field.beyond === true ? " (not in the interface; real servers know it)" : ""}`,
    ...(field.default === undefined ? {} : { default: String(field.default) }),
    group,
  };
}

function valueWord(field: Field): string {
  if (field.refersTo !== undefined) return "ref";
  if (field.format === "date-time") return "date";
  if (field.format === "time-zone") return "zone";
  if (field.format === "url") return "url";
  return field.type === "integer" ? "n" : "text";
}

function article(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
