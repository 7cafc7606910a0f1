// The commands over what was written: log, undo, apply; and the flags of everything that has a plan.
import type { CommandSpec, Flag } from "../../commands/command.ts";

const planGroup = "The plan";

export const maxChangesFlag: Flag = {
  name: "max-changes",
  type: "integer",
  value: "n",
  meaning: "Refuse to write more than n records",
  group: planGroup,
};

export const limitFlags: readonly Flag[] = [
  maxChangesFlag,
  { name: "max-delete", type: "integer", value: "n", meaning: "Refuse to delete more than n records", group: planGroup },
];

export const planOutFlag: Flag = {
  name: "plan-out",
  type: "text",
  value: "file",
  meaning: "Save the plan in this file, and send nothing: cal apply carries it out",
  group: planGroup,
};

export const imagesFlag: Flag = {
  name: "images",
  type: "text",
  value: "folder",
  meaning: "Where the pictures are that are uploaded, such as @posters/jazz.jpg; no other files are read",
};

export const noOverlapFlag: Flag = {
  name: "no-overlap",
  type: "boolean",
  meaning: "Write no event that would take its venue at the same time as another one",
  group: planGroup,
};

const conflictFlag: Flag = {
  name: "on-conflict",
  type: "text",
  value: "rule",
  meaning: "Where a file and the site have both changed a field: skip the record, or take the source (the file) or the site",
  choices: ["skip", "source", "site"],
  default: "skip",
};

export const changeCommands: readonly CommandSpec[] = [
  {
    path: ["log"],
    summary: "List what was written, or show one operation",
    details:
      "Every command that writes is an operation of the journal, which is in the state folder. With show, each record with its fields; an outcome that is unknown is looked up on the site. " +
      "An operation is known for 30 days, one with several records for 90.",
    args: [
      { name: "show", meaning: "The word show, for one operation" },
      { name: "operation", meaning: "Its name, or the first part of it" },
    ],
    flags: [
      { name: "limit", type: "integer", value: "n", meaning: "How many operations", default: "20" },
      { name: "all", type: "boolean", meaning: "All operations" },
      { name: "all-sites", type: "boolean", meaning: "Those of other sites too" },
    ],
    examples: [
      { command: "cal log", does: "The newest operations of this site" },
      { command: "cal log --json | jq -r '.[0].operation'", does: "The name of the last one, for a script" },
    ],
    load: async () => (await import("../../commands/log.ts")).log,
  },
  {
    path: ["undo"],
    summary: "Take back what an operation wrote",
    details:
      "Without a name it takes the newest operation of this site, and asks. Updated fields get their former values where the site still shows what was written. " +
      "What was created is deleted. What was deleted is restored from the trash, or created again with a new id.",
    args: [{ name: "operation", meaning: "Its name, from cal log, or the first part of it" }],
    flags: [planOutFlag, ...limitFlags],
    examples: [
      { command: "cal undo --dry-run", does: "Show what would be written to take back the last operation" },
      { command: "cal undo 20270115-120000-001 --yes", does: "Without a question" },
    ],
    load: async () => (await import("../../commands/undo.ts")).undo,
  },
  {
    path: ["apply"],
    summary: "Carry out a saved plan",
    details:
      "Each record is read again first. One that was changed since the plan was made is refused (stale), and one that is already as planned is passed over. So an interrupted apply can be run again.",
    args: [{ name: "file", meaning: "A plan that --plan-out saved", required: true }],
    flags: [...limitFlags, noOverlapFlag, imagesFlag],
    examples: [
      { command: "cal apply plan.json --dry-run", does: "Show a saved plan" },
      { command: "cal apply plan.json --max-delete 10 --yes", does: "Carry it out, unless it deletes more than ten records" },
    ],
    load: async () => (await import("../../commands/apply.ts")).apply,
  },
  {
    path: ["pull"],
    summary: "Write the records of a site into a folder, one file each",
    details:
      "Each record is a YAML file, such as events/2027-01-16-jazz-night.yaml. A second pull writes only what has changed on the site. " +
      "A file that was edited here is kept, and its differences are shown. The file of a record that is gone from the site is removed, unless it was edited. " +
      "The folder keeps a ledger in .calendar, which belongs into git with the files.",
    args: [{ name: "folder", meaning: "The folder; it is made where there is none", required: true }],
    flags: [
      {
        name: "resources",
        type: "texts",
        value: "names",
        meaning: "Only these: events, venues, organizers, categories, tags; several are joined by commas",
        default: "all",
      },
      { name: "from", type: "text", value: "date", meaning: "Only events that start from this date on" },
      { name: "until", type: "text", value: "date", meaning: "Only events that start until this date" },
      conflictFlag,
    ],
    examples: [
      { command: "cal pull calendar", does: "Everything, into the folder calendar" },
      { command: "cal pull calendar --resources events,venues --from today", does: "Coming events, and venues" },
    ],
    load: async () => (await import("../../commands/pull.ts")).pull,
  },
];
