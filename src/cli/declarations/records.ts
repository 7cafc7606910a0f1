// The commands over the records of a resource. Their flags come from its fields and filters.
import type { Argument, CommandSpec, Flag, Handler } from "../../commands/command.ts";
import { type Field, getFieldFlagName, type Resource, toKebabCase, type Verb } from "../../model/resource.ts";
import { once } from "../../once.ts";
import { exportFormats } from "../../output/report.ts";
import { createFormatFlag } from "../global-flags.ts";

type RecordVerb = Verb | "edit" | "clone" | "open" | "restore";

const verbDetails: Readonly<Record<RecordVerb, string>> = {
  list: "Prints one page unless --limit or --all asks for more; a note on stderr says what was left out.",
  get: "Several refs print several records.",
  create:
    "Prints the new record. Everything is checked before anything is sent. On a terminal, required fields that are missing are asked for, and only the fields that were sent are shown: --wide shows all.",
  update:
    "Reads the record first, sends the changes together with the fields that the server would otherwise lose, and reports what changed. On a terminal only that is shown: --wide shows the record.",
  edit: "Needs a terminal. Shows the change, asks, and sends nothing else; a text that could not be sent is stored for 30 days. If a server returns descriptions only as HTML for the page, they are shown as comments.",
  clone:
    "The copy has a slug, a publication date and an author of its own. With a new start alone it lasts as long as the original. A note says what can't be copied.",
  open: "Prints the address too; with --dry-run only that.",
  delete: "Asks first on a terminal; anywhere else it needs --yes.",
  restore:
    "For sites that run The Events Calendar. The record keeps its fields. The site does not tell which status it had: it becomes a draft, or what --status says.",
};

/** How the record that a flag links to is found. */
const linkDetails =
  'The <ref> of a flag is an id, a slug (slug:2027 if it is only digits) or a whole name ("town hall"). Separate several by commas.';

const handlerLoaders: Readonly<Record<RecordVerb, (resource: Resource) => Promise<Handler>>> = {
  list: async (resource) => (await import("../../commands/records/list.ts")).list(resource),
  get: async (resource) => (await import("../../commands/records/get.ts")).get(resource),
  create: async (resource) => (await import("../../commands/records/create.ts")).create(resource),
  update: async (resource) => (await import("../../commands/records/update.ts")).update(resource),
  edit: async (resource) => (await import("../../commands/records/edit.ts")).edit(resource),
  clone: async (resource) => (await import("../../commands/records/clone.ts")).clone(resource),
  open: async (resource) => (await import("../../commands/records/get.ts")).open(resource),
  delete: async (resource) => (await import("../../commands/records/delete.ts")).remove(resource),
  restore: async (resource) => (await import("../../commands/records/restore.ts")).restore(resource),
};

interface VerbSpec extends Pick<CommandSpec, "summary" | "args"> {
  readonly verb: RecordVerb;
  readonly aliases: readonly string[];
  readonly getFlags: (resource: Resource) => readonly Flag[];
}

/** The commands over the records of a resource. */
export function createRecordCommands(resource: Resource): readonly CommandSpec[] {
  const { name, singular } = resource;
  const one = `${/^[aeiou]/.test(singular) ? "an" : "a"} ${singular}`;
  const ref: Argument = { name: "ref", meaning: `${singular}: an id (123), a slug (town-hall, slug:2027) or name:"Town Hall"` };
  const refs: Argument = { name: "ref", meaning: `${ref.meaning}; or - to read refs from stdin`, many: true };
  const verbs: readonly VerbSpec[] = [
    { verb: "list", aliases: ["ls"], summary: `List ${name}`, args: [], getFlags: getListFlags },
    { verb: "get", aliases: ["show"], summary: `Read ${name} by id, slug or name`, args: [refs], getFlags: getGetFlags },
    { verb: "create", aliases: ["add"], summary: `Create ${one}`, args: [], getFlags: getCreateFlags },
    {
      verb: "update",
      aliases: [],
      summary: `Change ${name}; fields that are not given stay as they are`,
      args: [refs],
      getFlags: getUpdateFlags,
    },
    { verb: "edit", aliases: [], summary: `Change ${one} in your editor`, args: [ref], getFlags: getEditFlags },
    { verb: "clone", aliases: ["copy"], summary: `Copy ${one}, with changes`, args: [ref], getFlags: getCloneFlags },
    { verb: "open", aliases: [], summary: `Open the page of ${one}`, args: [ref], getFlags: () => [] },
    { verb: "delete", aliases: ["rm"], summary: `Delete ${name}`, args: [refs], getFlags: () => [maxDeleteFlag, ignoreMissingFlag] },
    // Terms have no trash.
    ...(resource.isTerm
      ? []
      : [{ verb: "restore" as const, aliases: [], summary: `Take ${name} out of the trash`, args: [refs], getFlags: getRestoreFlags }]),
  ];
  return verbs.map(({ verb, aliases, summary, args, getFlags }) => {
    const getFlagsOnce = once(() => getFlags(resource));
    return {
      path: [name, verb],
      aliases,
      summary,
      get details() {
        return getFlagsOnce().some(({ value }) => value === "ref") ? `${verbDetails[verb]} ${linkDetails}` : verbDetails[verb];
      },
      args,
      get flags() {
        return getFlagsOnce();
      },
      get examples() {
        return getExamples(resource, verb);
      },
      reportsProblems: true,
      load: async () => {
        const { wrapHandlerWithCache } = await import("../completion/value-cache.ts");
        return withExport(resource, wrapHandlerWithCache(resource, verb === "delete", await handlerLoaders[verb](resource)));
      },
    };
  });
}

/** The handler, and the formats of exports, which are loaded where a flag chooses one. */
export function withExport(resource: Resource, handler: Handler): Handler {
  return async (invocation, context) => {
    const { format, "for-import": forImport } = invocation.flags;
    if (forImport === undefined && !exportFormats.some((one) => one === format)) return handler(invocation, context);
    return (await import("../../commands/export.ts")).exportRecords(resource, handler, invocation, context);
  };
}

// The flags: one for each field or filter, and those that go with them.

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
  { name: "limit", type: "integer", value: "n", meaning: "Print at most n records, from as many pages as needed", group: "How much" },
  { name: "all", type: "boolean", meaning: "Print all records, page after page", group: "How much" },
  { name: "envelope", type: "boolean", meaning: "Wrap JSON and YAML as {items, total, total_pages, ...}", group: "How much" },
];

const dateRangeFlags: readonly Flag[] = [
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

const maxDeleteFlag: Flag = { name: "max-delete", type: "integer", value: "n", meaning: "Delete nothing if more than n records are named" };

const ignoreMissingFlag: Flag = { name: "ignore-missing", type: "boolean", meaning: "Do not fail where a record does not exist" };

const forImportFlag: Flag = {
  name: "for-import",
  type: "boolean",
  meaning: "With --format csv: the columns that the importer of The Events Calendar takes",
  group: "Output",
};

const mergeFlag: Flag = {
  name: "merge",
  type: "boolean",
  meaning: "Allow the server to change an existing venue or organizer of the same name instead of creating one",
  group: "How it is sent",
};

const ifNotExistsFlag: Flag = {
  name: "if-not-exists",
  type: "boolean",
  meaning: "Create nothing where there is a record of this name already, and print that one; an event must have the same start too",
  group: "How it is sent",
};

const createMissingFlag: Flag = {
  name: "create-missing",
  type: "boolean",
  meaning: "Create the record that a <ref> names if there is none; without this flag that is an error",
  group: "How it is sent",
};

const methodFlag: Flag = {
  name: "method",
  type: "text",
  value: "method",
  meaning: "HTTP method",
  choices: ["patch", "put", "post"],
  default: "patch",
  group: "How it is sent",
};

const clearFlag: Flag = { name: "clear", type: "texts", value: "field", meaning: "Empty this field; may be repeated", group: "Any field" };

const durationFlag: Flag = {
  name: "duration",
  type: "text",
  value: "duration",
  meaning: "Instead of --end-date: 90m, 1h30m, 2d",
  group: "Fields",
};

const shiftFlag: Flag = {
  name: "shift",
  type: "text",
  value: "offset",
  meaning: "Move start and end: +1h, -30m, +7d",
  group: "Fields",
};

const timesFlag: Flag = {
  name: "times",
  type: "integer",
  value: "n",
  meaning: "With --shift: n copies, each moved from the one before: --shift +1w --times 8",
  group: "Fields",
};

export function getListFlags(resource: Resource): readonly Flag[] {
  const filterFlags = resource.filters.map((filter) =>
    createFieldFlag(
      filter,
      `cal api GET ${resource.name} --query`,
      filter.name === "per_page" || filter.name === "page" ? "How much" : filter.format === "date-time" ? "Dates" : "Filters",
    ),
  );
  const emptyFlags: readonly Flag[] = resource.filters.some(({ name }) => name === "hide_empty")
    ? [{ name: "include-empty", type: "boolean", meaning: "Include those that no event has", group: "Filters" }]
    : [];
  const exportFlags = [...(resource.hasDates ? [createFormatFlag(exportFormats)] : []), ...(resource.isTerm ? [] : [forImportFlag])];
  return [...filterFlags, ...emptyFlags, ...(resource.hasDates ? dateRangeFlags : []), ...pageFlags, ...exportFlags];
}

function getGetFlags(resource: Resource): readonly Flag[] {
  return [ignoreMissingFlag, ...(resource.hasDates ? [createFormatFlag(["ics"])] : [])];
}

function getCreateFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.map((field) => createFieldFlag(field, "--set", "Fields")),
    ...(resource.hasDates ? [durationFlag] : []),
    ...bodyFlags,
    ifNotExistsFlag,
    mergeFlag,
    ...getLinkFlags(resource),
  ];
}

function getUpdateFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.flatMap(getFieldUpdateFlags),
    ...(resource.hasDates ? [durationFlag, shiftFlag] : []),
    clearFlag,
    ...bodyFlags,
    methodFlag,
    {
      name: "raw",
      type: "boolean",
      meaning: "Send only the changes and no other fields of the record; the server may lose those",
      group: "How it is sent",
    },
    mergeFlag,
    ...getLinkFlags(resource),
    ignoreMissingFlag,
  ];
}

/** A field of an update. A field of several links can be replaced, added to and removed from. */
function getFieldUpdateFlags(field: Field): readonly Flag[] {
  const flag = createChangeFlag(field);
  if (field.multiple !== true) return [flag];
  const { name } = flag;
  const part = { type: "texts", value: "ref", group: "Fields" } as const;
  return [
    { ...flag, meaning: `${flag.meaning}; replaces all of them: --add-${name} keeps them` },
    { ...part, name: `add-${name}`, meaning: `Add to the ${field.refersTo} of the record` },
    { ...part, name: `remove-${name}`, meaning: `Take from the ${field.refersTo} of the record` },
  ];
}

function getCloneFlags(resource: Resource): readonly Flag[] {
  return [
    ...resource.fields.map(createChangeFlag),
    ...(resource.hasDates ? [durationFlag, shiftFlag, timesFlag] : []),
    clearFlag,
    ...bodyFlags,
    mergeFlag,
    ...getLinkFlags(resource),
  ];
}

function getEditFlags(resource: Resource): readonly Flag[] {
  return [methodFlag, mergeFlag, ...getLinkFlags(resource)];
}

function getRestoreFlags(resource: Resource): readonly Flag[] {
  const status = resource.fields.find(({ name }) => name === "status");
  return status === undefined ? [] : [{ ...createChangeFlag(status), meaning: "Status of the restored record", default: "draft" }];
}

function getLinkFlags(resource: Resource): readonly Flag[] {
  return resource.fields.some(({ refersTo }) => refersTo !== undefined) ? [createMissingFlag] : [];
}

/** The flag of a field of an existing record: only a new record requires fields and gets defaults. */
function createChangeFlag({ required, default: defaultValue, ...field }: Field): Flag {
  return createFieldFlag(field, "--set", "Fields");
}

/** The flag of a field or filter, with the name of the interface in kebab case and its wording. `anyValue` are the words that send any value. */
function createFieldFlag(field: Field, anyValue: string, group: string): Flag {
  const { name, alias, values, closedEnum, commaSeparated, unsupported } = field;
  const type =
    field.type === "integers"
      ? "texts"
      : field.type === "boolean" || field.format === "flag-string"
        ? "boolean"
        : field.type === "integer" && field.refersTo === undefined
          ? "integer"
          : "text";
  // A filter without a type has been a flag with a value, and takes one still.
  const isUntyped = type === "boolean" && field.type === "any";
  return {
    name: getFieldFlagName(field),
    ...(alias === undefined ? {} : { aliases: [toKebabCase(name)] }),
    type: isUntyped ? "text" : type,
    ...(type === "boolean" ? { negatable: true as const } : { value: getValueName(field) }),
    ...(isUntyped ? { optionalValue: true as const, value: "true|false", choices: ["true", "false"] } : {}),
    meaning: `${formatFieldMeaning(field)}${field.required === true ? " (required)" : ""}`,
    ...(field.default === undefined ? {} : { default: String(field.default) }),
    ...(values === undefined ? {} : { choices: values }),
    ...(values === undefined || closedEnum === true ? {} : { escapeHatch: `${anyValue} ${name}=` }),
    ...(commaSeparated === true ? { commaSeparated } : {}),
    ...(unsupported === undefined ? {} : { unsupported }),
    group,
  };
}

/** The meaning of a field or filter, with a note where it is not in the interface. */
export function formatFieldMeaning({ meaning, nonStandard }: Field): string {
  return nonStandard === true ? `${meaning} (The Events Calendar knows it; other servers may not)` : meaning;
}

function getValueName(field: Field): string {
  if (field.refersTo !== undefined) return "ref";
  if (field.format === "date-time") return "date";
  if (field.format === "time-zone") return "zone";
  if (field.format === "url" || field.format === "status" || field.format === "number") return field.format;
  return field.type === "integer" ? "n" : "text";
}

// Examples: complete lines that can be pasted, and that work on a new sandbox.

type Examples = CommandSpec["examples"];

const specificExamples: Readonly<Record<string, Examples>> = {
  "events list": [
    { command: "cal events list --start-date today --limit 20", does: "The next 20 events" },
    { command: "cal events list --week --category music --all", does: "What runs this week in a category" },
    { command: "cal events list --week next-week --all", does: "What runs next week" },
    { command: "cal events list --search jazz --all-dates --format csv", does: "Past and future events as CSV" },
    { command: "cal events list --today --json | jq -r '.[].title'", does: "Today's titles in a script" },
  ],
  "events create": [
    {
      command: 'cal events create --title "Jazz Night" --start-date "fri 20:00" --duration 2h --venue "Blue Note Cellar"',
      does: "An evening at a venue, chosen by its name",
    },
    { command: "cal events create --data @event.json --set status=draft", does: "From a file, with one field changed" },
  ],
  "events update": [
    { command: 'cal events update jazz-night --start-date "2027-01-10 20:00" --duration 3h', does: "Move an event" },
    { command: "cal events update jazz-night --shift +7d", does: "A week later, at the same time and as long as before" },
    { command: "cal events update jazz-night --clear website --no-featured --dry-run", does: "Show what would be sent, and send nothing" },
    { command: "cal events list --search jazz --format ids | cal events update - --featured", does: "Change many" },
    { command: "cal events update 103 104 --add-category arts --remove-tag free", does: "Add a category and remove a tag" },
  ],
  "events clone": [
    { command: 'cal events clone jazz-night --start-date "2027-02-13 20:00"', does: "The same on another day, with the same length" },
  ],
  "venues list": [{ command: "cal venues list --only-with-upcoming --columns id,venue,city", does: "Venues where something is coming up" }],
  "categories list": [{ command: "cal categories list --parent music --include-empty", does: "Child categories, with and without events" }],
  "tags list": [{ command: "cal tags list --orderby count --order desc --limit 5", does: "The five tags that are used most" }],
};

/** A record of each resource in a new sandbox. */
const sampleRecords: Readonly<Record<Resource["name"], { readonly id: number; readonly slug: string; readonly word: string }>> = {
  events: { id: 103, slug: "jazz-night", word: "jazz" },
  venues: { id: 23, slug: "town-hall", word: "hall" },
  organizers: { id: 31, slug: "jane-doe", word: "doe" },
  categories: { id: 3, slug: "slug:jazz", word: "jazz" },
  tags: { id: 12, slug: "slug:free", word: "free" },
};

function getExamples(resource: Resource, verb: RecordVerb): Examples {
  const specific = specificExamples[`${resource.name} ${verb}`];
  if (specific !== undefined) return specific;
  const { name, singular, titleField } = resource;
  const { id, slug, word } = sampleRecords[name];
  const examples: Readonly<Record<RecordVerb, Examples>> = {
    list: [{ command: `cal ${name} list --search ${word} --json`, does: `Find ${name} by a text` }],
    get: [
      { command: `cal ${name} get ${id}`, does: `One ${singular} by its id` },
      { command: `cal ${name} get ${slug} --json`, does: "By its slug, as JSON" },
      { command: `cal ${name} list --format ids | cal ${name} get - --format ndjson`, does: "Many, one line each" },
    ],
    create: [{ command: `cal ${name} create --${titleField} "Old Mill" --field id`, does: "Print the new id alone, for a script" }],
    update: [{ command: `cal ${name} update ${id} --${titleField} "Old Mill"`, does: `Rename the ${singular}` }],
    edit: [{ command: `cal ${name} edit ${slug}`, does: `The ${singular} as YAML in $VISUAL or $EDITOR` }],
    clone: [{ command: `cal ${name} clone ${id} --${titleField} "Old Mill, upstairs"`, does: "A copy with another name" }],
    open: [{ command: `cal ${name} open ${slug}`, does: "Its page, in the browser" }],
    delete: [
      { command: `cal ${name} delete ${id} --yes`, does: "Delete one without a question" },
      {
        command: `cal ${name} list --search ${word} --format ids | cal ${name} delete - --max-delete 10 --yes`,
        does: "Delete what a search finds, ten at most",
      },
    ],
    restore: [{ command: `cal ${name} restore ${id} --status publish`, does: `Bring the ${singular} back, and publish it` }],
  };
  return examples[verb];
}
