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
    summary: "Carry out a saved plan, or the files of a folder",
    details:
      "Of a plan each record is read again first: one that was changed since then is refused (stale), one that is as planned is passed over. So an interrupted apply can be run again. " +
      "Of a folder that cal pull wrote, new files are created and changed fields updated; a field that the site has changed too is a conflict. Without an argument it is the folder it is called in.",
    args: [{ name: "file", meaning: "A plan that --plan-out saved, or a folder" }],
    flags: [
      {
        name: "missing",
        type: "text",
        value: "rule",
        meaning: "Of a folder: what to do with records whose file is gone",
        choices: ["keep", "delete"],
        default: "keep",
      },
      conflictFlag,
      planOutFlag,
      ...limitFlags,
      noOverlapFlag,
      imagesFlag,
    ],
    examples: [
      { command: "cal apply plan.json --dry-run", does: "Show a saved plan" },
      { command: "cal apply plan.json --max-delete 10 --yes", does: "Carry it out, unless it deletes more than ten records" },
      { command: "cal apply calendar --missing delete --yes", does: "Make the site as the files are, also where a file was deleted" },
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
    args: [{ name: "folder", meaning: "Folder for the files; it is created if it does not exist", required: true }],
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
  {
    path: ["diff"],
    summary: "Show how the files of a folder and the site differ",
    details:
      "Each field that was changed here, on the site, or on both sides since the last pull or apply. The exit code is 9 where there is something. " +
      "Without an argument it takes the folder it is called in, where .calendar is there.",
    args: [{ name: "folder", meaning: "A folder that cal pull wrote" }],
    flags: [],
    examples: [
      { command: "cal diff calendar", does: "What apply would send, and what pull would write" },
      { command: "cal diff calendar --json | jq -r '.[].file'", does: "The files that differ" },
    ],
    load: async () => (await import("../../commands/diff.ts")).diff,
  },
  {
    path: ["validate"],
    summary: "Check the files of a folder, without a site",
    details:
      "Types, dates, links between the files, slugs, and two files for one record. The exit code is 2 where something is wrong, with the file and the line. " +
      "Events of one venue at the same time are a warning. Without an argument it takes the folder it is called in, where .calendar is there.",
    args: [{ name: "folder", meaning: "A folder that cal pull wrote" }],
    flags: [{ name: "strict", type: "boolean", meaning: "Exit code 9 for warnings" }],
    examples: [{ command: "cal validate calendar --strict", does: "In a hook that runs before a commit" }],
    withoutIds: true,
    load: async () => (await import("../../commands/validate.ts")).validate,
  },
];
