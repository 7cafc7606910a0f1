// The flags of the commands over records: one for each field or filter, and those that go with them.

import type { Flag } from "../../commands/command.ts";
import { type Field, getFieldFlagName, type Resource, toKebabCase } from "../../model/resource.ts";
import { exportFormats } from "../../output/report.ts";
import { createFormatFlag } from "../global-flags.ts";
import { noOverlapFlag } from "./changes.ts";

/** The headings of the fields: those of `mainFields`, and all others. */
const mainGroup = "Fields";
const otherGroup = "More fields";

export const bodyFlags: readonly Flag[] = [
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

export const maxDeleteFlag: Flag = {
  name: "max-delete",
  type: "integer",
  value: "n",
  meaning: "Delete nothing if more than n records are named",
};

export const whereFlag: Flag = {
  name: "where",
  type: "texts",
  value: "filter=value",
  meaning: "Instead of refs: all records that list --all prints with this filter; may be repeated",
};

export const ignoreMissingFlag: Flag = { name: "ignore-missing", type: "boolean", meaning: "Do not fail where a record does not exist" };

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
  meaning: "Create linked records that do not exist; without this flag a missing record is an error",
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

export const clearFlag: Flag = {
  name: "clear",
  type: "texts",
  value: "field",
  meaning: "Empty this field; may be repeated",
  group: "Any field",
};

export const durationFlag: Flag = {
  name: "duration",
  type: "text",
  value: "duration",
  meaning: "Instead of --end-date: 90m, 1h30m, 2d",
  group: mainGroup,
};

export const shiftFlag: Flag = {
  name: "shift",
  type: "text",
  value: "offset",
  meaning: "Move start and end: +1h, -30m, +7d",
  group: mainGroup,
};

export const startTimeFlag: Flag = {
  name: "start-time",
  type: "text",
  value: "time",
  meaning: "Start at this time on the same day; the length stays: 19:30",
  group: "Fields",
};

const timesFlag: Flag = {
  name: "times",
  type: "integer",
  value: "n",
  meaning: "With --shift: n copies, each moved from the one before: --shift +1w --times 8",
  group: mainGroup,
};

const imageAltFlag: Flag = {
  name: "image-alt",
  type: "text",
  value: "text",
  meaning: "With --image @file: what the picture shows, for people who can't see it",
  group: otherGroup,
};

/** The flags beside that of a picture. */
function getImageFlags({ fields }: Resource): readonly Flag[] {
  return fields.some(({ format }) => format === "image") ? [imageAltFlag] : [];
}

export const rawDeleteFlag: Flag = {
  name: "raw",
  type: "boolean",
  meaning: "Do not read the record first; then the delete can't be undone",
  group: "How it is sent",
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
  const absentFields = resource.fields.filter(({ canBeAbsent }) => canBeAbsent === true).map(getFieldFlagName);
  const withoutFlag: Flag = {
    name: "without",
    type: "texts",
    value: "field",
    meaning: `Only ${resource.name} without this field; may be repeated; reads all pages`,
    choices: absentFields,
    commaSeparated: true,
    group: "Filters",
  };
  const exportFlags = [...(resource.hasDates ? [createFormatFlag(exportFormats)] : []), ...(resource.isTerm ? [] : [forImportFlag])];
  return [...filterFlags, ...emptyFlags, withoutFlag, ...(resource.hasDates ? dateRangeFlags : []), ...pageFlags, ...exportFlags];
}

export function getGetFlags(resource: Resource): readonly Flag[] {
  return [ignoreMissingFlag, ...(resource.hasDates ? [createFormatFlag(["ics"])] : [])];
}

export function getCreateFlags(resource: Resource): readonly Flag[] {
  return [
    ...getFieldFlags(resource, (field, group) => [createFieldFlag(field, "--set", group)], [durationFlag]),
    ...getImageFlags(resource),
    ...bodyFlags,
    ifNotExistsFlag,
    ...(resource.hasDates ? [noOverlapFlag] : []),
    mergeFlag,
    ...getLinkFlags(resource),
  ];
}

export function getUpdateFlags(resource: Resource): readonly Flag[] {
  return [
    ...getFieldFlags(resource, getFieldUpdateFlags, [durationFlag, shiftFlag, startTimeFlag]),
    ...getImageFlags(resource),
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
    whereFlag,
    ignoreMissingFlag,
    ...(resource.hasDates ? [noOverlapFlag] : []),
  ];
}

/** The flags of the fields in the order of their use. Those of dates follow the end of an event. */
export function getFieldFlags(
  { fields, mainFields, hasDates }: Resource,
  createFlags: (field: Field, group: string) => readonly Flag[],
  dateFlags: readonly Flag[],
): readonly Flag[] {
  const main = mainFields.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const others = fields.filter((field) => !main.includes(field));
  return [
    ...main.flatMap((field) => [...createFlags(field, mainGroup), ...(hasDates && field.name === "end_date" ? dateFlags : [])]),
    ...others.flatMap((field) => createFlags(field, otherGroup)),
  ];
}

/** A field of an update. A field of several links can be replaced, added to and removed from. */
export function getFieldUpdateFlags(field: Field, group: string): readonly Flag[] {
  const flag = createChangeFlag(field, group);
  if (field.multiple !== true) return [flag];
  const { name } = flag;
  const part = { type: "texts", value: "ref", group } as const;
  return [
    { ...flag, meaning: `${flag.meaning}; replaces all of them: --add-${name} keeps them` },
    { ...part, name: `add-${name}`, meaning: `Add to the ${field.refersTo} of the record` },
    { ...part, name: `remove-${name}`, meaning: `Remove from the ${field.refersTo} of the record` },
  ];
}

export function getCloneFlags(resource: Resource): readonly Flag[] {
  return [
    ...getFieldFlags(resource, (field, group) => [createChangeFlag(field, group)], [durationFlag, shiftFlag, startTimeFlag, timesFlag]),
    ...getImageFlags(resource),
    clearFlag,
    ...bodyFlags,
    mergeFlag,
    ...getLinkFlags(resource),
  ];
}

export function getEditFlags(resource: Resource): readonly Flag[] {
  return [methodFlag, mergeFlag, ...getLinkFlags(resource)];
}

export function getRestoreFlags(resource: Resource): readonly Flag[] {
  const status = resource.fields.find(({ name }) => name === "status");
  return status === undefined
    ? []
    : [{ ...createChangeFlag(status, mainGroup), meaning: "Status of the restored record", default: "draft" }];
}

function getLinkFlags(resource: Resource): readonly Flag[] {
  return resource.fields.some(({ refersTo }) => refersTo !== undefined) ? [createMissingFlag] : [];
}

/** The flag of a field of an existing record: only a new record requires fields and gets defaults. */
export function createChangeFlag({ required, default: defaultValue, ...field }: Field, group: string): Flag {
  return createFieldFlag(field, "--set", group);
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
export function formatFieldMeaning({ meaning, helpMeaning = meaning, nonStandard }: Field): string {
  return nonStandard === true ? `${helpMeaning} (The Events Calendar knows it; other servers may not)` : helpMeaning;
}

function getValueName(field: Field): string {
  if (field.refersTo !== undefined) return "ref";
  if (field.format === "date-time") return "date";
  if (field.format === "time-zone") return "zone";
  if (field.format === "url" || field.format === "status" || field.format === "number") return field.format;
  return field.type === "integer" ? "n" : "text";
}
