// The flags of `cal <resource> import`.
import type { Flag } from "../../commands/command.ts";
import type { Resource } from "../../model/resource.ts";
import { imagesFlag, limitFlags, noOverlapFlag } from "./changes.ts";

const sourceGroup = "The source";
const columnGroup = "Columns";
const secondTimeGroup = "The second time";

const calendarFlags: readonly Flag[] = [
  { name: "from", type: "text", value: "date", meaning: "Of repeating events: only occurrences from this date on", group: sourceGroup },
  {
    name: "until",
    type: "text",
    value: "date",
    meaning: "Of repeating events: only occurrences until this date; needed where a rule has no end",
    group: sourceGroup,
  },
  {
    name: "categories-as",
    type: "text",
    value: "field",
    meaning: "What the CATEGORIES of a calendar fill",
    choices: ["categories", "tags"],
    default: "categories",
    group: sourceGroup,
  },
  {
    name: "cancelled",
    type: "text",
    value: "rule",
    meaning: "What to do with the records of events that a calendar calls cancelled",
    choices: ["draft", "delete", "skip"],
    default: "draft",
    group: sourceGroup,
  },
];

export const ledgerFlag: Flag = {
  name: "ledger",
  type: "text",
  value: "file",
  meaning: "Keep the ledger in this file instead of the state folder",
  group: secondTimeGroup,
};

/** `unit` is what is skipped. */
export function getConflictFlag(unit: string, group: string): Flag {
  return {
    name: "on-conflict",
    type: "text",
    value: "rule",
    meaning: `Where the source and the site have both changed a field: skip the ${unit}, or take the source or the site`,
    choices: ["skip", "source", "site"],
    default: "skip",
    group,
  };
}

export function getImportFlags(resource: Resource): readonly Flag[] {
  const hasLinks = resource.fields.some(({ refersTo }) => refersTo !== undefined);
  return [
    {
      name: "input-format",
      type: "text",
      value: "format",
      meaning: "Instead of what the file name and the content say",
      choices: ["csv", "tsv", "json", "ndjson", "yaml", ...(resource.hasDates ? ["ics"] : [])],
      group: sourceGroup,
    },
    { name: "encoding", type: "text", value: "encoding", meaning: "utf-8, utf-16le, utf-16be, latin1 or windows-1252", group: sourceGroup },
    {
      name: "url-file",
      type: "text",
      value: "file",
      meaning: "Read the address of the source from this file; needs --source",
      group: sourceGroup,
    },
    { name: "allow-http-source", type: "boolean", meaning: "Take a source from an address without encryption", group: sourceGroup },
    { name: "allow-private-source", type: "boolean", meaning: "Take a source from this machine or a private network", group: sourceGroup },
    ...(resource.hasDates ? calendarFlags : []),
    { name: "map", type: "texts", value: "Header=field", meaning: "What a column fills; may be repeated", group: columnGroup },
    {
      name: "ignore-columns",
      type: "boolean",
      meaning: "Skip columns that are not a field; without this flag they are an error",
      group: columnGroup,
    },
    ...(resource.hasDates
      ? [
          {
            name: "date-order",
            type: "text",
            value: "order",
            meaning: "How dates with slashes are written: month/day/year or day/month/year",
            choices: ["mdy", "dmy"],
            group: columnGroup,
          } as const,
        ]
      : []),
    {
      name: "empty-clears",
      type: "boolean",
      meaning: "Empty cells empty their fields; without this flag they change nothing",
      group: columnGroup,
    },
    ...(hasLinks
      ? [
          {
            name: "create-missing",
            type: "boolean",
            meaning: "Create the linked records that a row names if there are none; without this flag that is an error",
            group: columnGroup,
          } as const,
        ]
      : []),
    ...(resource.fields.some(({ format }) => format === "image") ? [imagesFlag] : []),
    {
      name: "key",
      type: "text",
      value: "columns",
      meaning: `The columns that name a row, joined by commas; without it ${importKeys[resource.name]}`,
      group: secondTimeGroup,
    },
    {
      name: "source",
      type: "text",
      value: "name",
      meaning: "The name of the source, so that a file with another name continues it",
      group: secondTimeGroup,
    },
    ledgerFlag,
    getConflictFlag("row", secondTimeGroup),
    {
      name: "missing",
      type: "text",
      value: "rule",
      meaning: "What to do with records of this source that are no longer in it",
      choices: ["keep", "draft", "delete"],
      default: "keep",
      group: secondTimeGroup,
    },
    ...limitFlags,
    ...(resource.hasDates ? [noOverlapFlag] : []),
    { name: "all-or-nothing", type: "boolean", meaning: "Write nothing if a row can't be written", group: "The plan" },
    {
      name: "rejects",
      type: "text",
      value: "file",
      meaning: "Write the rows that failed to this file, in the format of the source",
      group: "The plan",
    },
  ];
}

const importKeys: Readonly<Record<Resource["name"], string>> = {
  events: "title, start and venue",
  venues: "name and city",
  organizers: "the name",
  categories: "name and parent",
  tags: "the name",
};
