// The flags of the commands over records, read from the specs: fields and filters by their names in kebab case, and what goes with them.
import type { Flag } from "../../commands/command.ts";
import { type Field, flagName, kebab } from "../../spec/field.ts";
import type { Resource } from "../../spec/resource.ts";

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
    meaning: "Events that run in the week (from Monday) of this day, or next-week; without a date, this week",
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

/** A ref that names nothing is passed over. */
export const missing: Flag = { name: "ignore-missing", type: "boolean", meaning: "Do not fail where a record does not exist" };

const merge: Flag = {
  name: "merge",
  type: "boolean",
  meaning: "Allow the server to change an existing venue or organizer of the same name instead of creating one",
  group: "How it is sent",
};

const createMissing: Flag = {
  name: "create-missing",
  type: "boolean",
  meaning: "Create what a <ref> names where there is no such record; without this flag that is refused",
  group: "How it is sent",
};

const method: Flag = {
  name: "method",
  type: "text",
  value: "method",
  meaning: "HTTP method",
  choices: ["patch", "put", "post"],
  default: "patch",
  group: "How it is sent",
};

const clear: Flag = { name: "clear", type: "texts", value: "field", meaning: "Empty this field; may be repeated", group: "Any field" };

/** The filters, and how much of the list is wanted. */
export function listFlags(resource: Resource): readonly Flag[] {
  const own = resource.filters.map((filter) =>
    flagOf(
      filter,
      `cal api GET ${resource.name} --query`,
      filter.name === "per_page" || filter.name === "page" ? "How much" : filter.format === "date-time" ? "Dates" : "Filters",
    ),
  );
  const hides: readonly Flag[] = resource.filters.some(({ name }) => name === "hide_empty")
    ? [{ name: "include-empty", type: "boolean", meaning: "Also those that no event has", group: "Filters" }]
    : [];
  return [...own, ...hides, ...(resource.isDated ? spanFlags : []), ...pageFlags];
}

/** Every field, and how a new record is sent. */
export function createFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.map((field) => flagOf(field, "--set", "Fields")),
    ...durationFlag(resource),
    ...bodyFlags,
    merge,
    ...links(resource),
  ];
}

/** Every field, and how a change is sent. */
export function updateFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.flatMap(({ required, default: onCreate, ...field }) => changeFlags(field)),
    ...durationFlag(resource),
    ...shiftFlag(resource),
    clear,
    ...bodyFlags,
    method,
    {
      name: "raw",
      type: "boolean",
      meaning: "Send only what was given, with nothing of the record; the server may lose the rest",
      group: "How it is sent",
    },
    merge,
    ...links(resource),
    missing,
  ];
}

/** Every field, to be laid over a copy. */
export function cloneFlags(resource: Resource): readonly Flag[] {
  const fields = resource.fields.map(({ required, default: onCreate, ...field }) => flagOf(field, "--set", "Fields"));
  return [
    ...fields,
    ...durationFlag(resource),
    ...shiftFlag(resource),
    ...timesFlag(resource),
    clear,
    ...bodyFlags,
    merge,
    ...links(resource),
  ];
}

/** How a change is sent that was made in an editor. */
export function editFlags(resource: Resource): readonly Flag[] {
  return [method, merge, ...links(resource)];
}

function links(resource: Resource): readonly Flag[] {
  return resource.fields.some(({ refersTo }) => refersTo !== undefined) ? [createMissing] : [];
}

function durationFlag(resource: Resource): readonly Flag[] {
  if (!resource.isDated) return [];
  return [{ name: "duration", type: "text", value: "duration", meaning: "Instead of --end-date: 90m, 1h30m, 2d", group: "Fields" }];
}

function shiftFlag(resource: Resource): readonly Flag[] {
  if (!resource.isDated) return [];
  return [{ name: "shift", type: "text", value: "offset", meaning: "Move start and end alike: +1h, -30m, +7d", group: "Fields" }];
}

function timesFlag(resource: Resource): readonly Flag[] {
  if (shiftFlag(resource).length === 0) return [];
  const meaning = "With --shift: so many copies, each moved on from the one before: --shift +1w --times 8";
  return [{ name: "times", type: "integer", value: "n", meaning, group: "Fields" }];
}

/** What changes a field: links to several records can be replaced, added to and taken from. */
function changeFlags(field: Field): readonly Flag[] {
  const flag = flagOf(field, "--set", "Fields");
  if (field.several !== true) return [flag];
  const { name } = flag;
  const part = { type: "texts", value: "ref", group: "Fields" } as const;
  return [
    { ...flag, meaning: `${flag.meaning}; replaces all of them: --add-${name} keeps them` },
    { ...part, name: `add-${name}`, meaning: `Add to the ${field.refersTo} of the record` },
    { ...part, name: `remove-${name}`, meaning: `Take from the ${field.refersTo} of the record` },
  ];
}

/** The flag of a field or filter, with the interface's name in kebab case and its wording; `set` is what sends any value of it. */
function flagOf(field: Field, set: string, group: string): Flag {
  const type =
    field.type === "integers"
      ? "texts"
      : field.type === "boolean" || field.format === "flag-string"
        ? "boolean"
        : field.type === "integer" && field.refersTo === undefined
          ? "integer"
          : "text";
  return {
    name: flagName(field),
    ...(field.alias === undefined ? {} : { aliases: [kebab(field.name)] }),
    type,
    ...(type === "boolean" ? { negatable: true as const } : { value: valueWord(field) }),
    meaning: `${meaningOf(field)}${field.required === true ? " (required)" : ""}`,
    ...(field.default === undefined ? {} : { default: String(field.default) }),
    ...choicesOf(field, set),
    group,
  };
}

function choicesOf({ name, values, closed, joined, lacks }: Field, set: string): Pick<Flag, "choices" | "joined" | "lacks" | "asItIs"> {
  if (values === undefined) return {};
  const open = closed === true ? {} : { asItIs: `${set} ${name}=` };
  return { choices: values, ...open, ...(joined === true ? { joined } : {}), ...(lacks === undefined ? {} : { lacks }) };
}

/** What a field or filter means, and where it is known if it is not in the interface. */
export function meaningOf({ meaning, beyond }: Field): string {
  return beyond === true ? `${meaning} (The Events Calendar knows it; other servers may not)` : meaning;
}

function valueWord(field: Field): string {
  if (field.refersTo !== undefined) return "ref";
  if (field.format === "date-time") return "date";
  if (field.format === "time-zone") return "zone";
  if (field.format === "url" || field.format === "status" || field.format === "number") return field.format;
  return field.type === "integer" ? "n" : "text";
}
