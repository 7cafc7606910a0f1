// The commands of a resource that look at many of its records together.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import { sharedFields } from "../../model/events.ts";
import type { Resource } from "../../model/resource.ts";
import { once } from "../../once.ts";
import { limitFlags, maxChangesFlag, planOutFlag } from "./changes.ts";
import { getListFlags, ignoreMissingFlag, whereFlag } from "./record-flags.ts";
import { createRepeatCommand } from "./series.ts";

const overlapGroup = "What is a conflict";

const conflictFlags: readonly Flag[] = [
  {
    name: "by",
    type: "texts",
    value: "field",
    meaning: "What two events must not share at the same time",
    choices: sharedFields,
    commaSeparated: true,
    default: "venue",
    group: overlapGroup,
  },
  {
    name: "gap",
    type: "text",
    value: "duration",
    meaning: "Also events with less time than this between them: 30m",
    group: overlapGroup,
  },
];

/** The commands beside those of single records. */
export function createCalendarCommands(resource: Resource): readonly CommandSpec[] {
  const watchCommand = createWatchCommand(resource);
  if (resource.hasDates)
    return [createRepeatCommand(resource), createConflictsCommand(resource), createApproveCommand(resource), watchCommand];
  return resource.isTerm ? [watchCommand] : [createMergeCommand(resource), createDuplicatesCommand(resource), watchCommand];
}

const watchGroup = "When and how";

const watchFlags: readonly Flag[] = [
  {
    name: "interval",
    type: "text",
    value: "duration",
    meaning: "The time between two rounds: 30s or more",
    default: "5m",
    group: watchGroup,
  },
  { name: "once", type: "boolean", meaning: "One round: what changed since the last call. For cron", group: watchGroup },
  {
    name: "exec",
    type: "text",
    value: "program",
    meaning: "Start this program for each change, with the change as JSON on its stdin; instead of output",
    group: watchGroup,
  },
  {
    name: "name",
    type: "text",
    value: "name",
    meaning: "A snapshot of its own, for a second watch with the same filters",
    group: watchGroup,
  },
];

function createWatchCommand(resource: Resource): CommandSpec {
  const { name } = resource;
  const getFlags = once(() => [
    ...watchFlags,
    ...getListFlags(resource).filter(({ group, name: flag }) => !["How much", "Output"].includes(group ?? "") && flag !== "format"),
  ]);
  return {
    path: [name, "watch"],
    summary: `Tell what changes: ${name} that are created, updated or deleted`,
    details:
      "The first round only takes a snapshot; later ones compare with it. A line a change (NDJSON in a pipe): created, updated, deleted, entered (it was there, and matches now) or left (still there, matches no longer). " +
      "A program of --exec has 60 seconds and no variables of the login; if it fails, the next round tells the change again. Exit code 8: more than 1000 wait. Ctrl-C ends it.",
    args: [],
    get flags() {
      return getFlags();
    },
    examples: [
      { command: `cal ${name} watch --once`, does: "What has changed since the last call" },
      {
        command: `cal ${name} watch --once --exec ./on-change.sh`,
        does: "Start a program for each change; without --once in rounds, until Ctrl-C",
      },
    ],
    reportsProblems: true,
    load: async () => (await import("../../commands/records/watch.ts")).watch(resource),
  };
}

function createConflictsCommand(resource: Resource): CommandSpec {
  const { name } = resource;
  const getFlags = once(() => [
    ...conflictFlags,
    ...getListFlags(resource).filter(({ group, name: flag }) => group !== "How much" && flag !== "running"),
  ]);
  return {
    path: [name, "conflicts"],
    summary: "Find events that take the same venue or organizer at the same time",
    details:
      "Compares the events that the filters select, two by two. Without a date flag: those that run in the next year. An event may start when another one ends. " +
      "All-day events take their days on their own clock. Drafts and others: --status. Venues that hold several events at once: cal config set shared_venues online,23. " +
      "The exit code is 9 if there are conflicts.",
    args: [],
    get flags() {
      return getFlags();
    },
    examples: [
      { command: `cal ${name} conflicts --week`, does: "Double bookings of this week" },
      {
        command: `cal ${name} conflicts --by venue,organizer --gap 30m --month 2030-01`,
        does: "Half an hour between two events, for people too",
      },
    ],
    reportsProblems: true,
    withoutIds: true,
    load: async () => (await import("../../commands/records/conflicts.ts")).conflicts(resource),
  };
}

function createApproveCommand(resource: Resource): CommandSpec {
  const { name, singular } = resource;
  return {
    path: [name, "approve"],
    summary: `Publish ${name}, after showing each`,
    details:
      "Shows the title, the time, the place and the conflicts of each, and asks once for all. Anywhere but on a terminal several need --yes. " +
      `What waits for approval: cal ${name} list --status pending.`,
    args: [
      {
        name: "ref",
        meaning: `${singular}: an id (123), a slug (jazz-night) or name:"Jazz Night"; or - to read refs from stdin`,
        many: true,
      },
    ],
    flags: [whereFlag, ignoreMissingFlag, planOutFlag, maxChangesFlag],
    examples: [
      { command: `cal ${name} approve 103`, does: "Publish one" },
      {
        command: `cal ${name} approve --where status=pending --max-changes 20 --yes`,
        does: "Publish all that wait, 20 at most",
      },
    ],
    reportsProblems: true,
    load: async () => {
      const handler = (await import("../../commands/records/approve.ts")).approve(resource);
      return async (invocation, context) => {
        const isFiltered = invocation.flags["where"] !== undefined;
        const parsed = isFiltered ? await (await import("../where.ts")).parseWhere(invocation, getListFlags(resource)) : invocation;
        if (parsed.flags["plan-out"] === undefined) return handler(parsed, context);
        return (await import("../../commands/plan.ts")).withPlanOut(handler)(parsed, context);
      };
    },
  };
}

function createMergeCommand(resource: Resource): CommandSpec {
  const { name, singular } = resource;
  return {
    path: [name, "merge"],
    summary: `Give the events of some ${name} another ${singular}, and delete these ${name}`,
    details:
      `All events get the ${singular} that stays: past ones, drafts and private ones too. Events in the trash are named and left alone. ` +
      `A ${singular} is deleted only when no event has it any more. It asks once; anywhere but on a terminal it needs --yes. Likely candidates: cal ${name} duplicates.`,
    args: [{ name: "ref", meaning: `What goes: an id (24), a slug or name:"Town Hall"; or - to read refs from stdin`, many: true }],
    flags: [
      { name: "into", type: "text", value: "ref", meaning: `The ${singular} that stays` },
      { name: "fill", type: "boolean", meaning: `Fill the empty fields of the ${singular} that stays with those of the others` },
      planOutFlag,
      ...limitFlags,
    ],
    examples: mergeExamples[name] ?? [],
    reportsProblems: true,
    load: async () => (await import("../../commands/records/merge.ts")).merge(resource),
  };
}

const mergeExamples: Readonly<Record<string, CommandSpec["examples"]>> = {
  venues: [
    { command: "cal venues merge community-garden --into town-hall --dry-run", does: "Show which events would get another venue" },
    { command: "cal venues merge 28 --into 23 --fill --yes", does: "And fill what the other one lacks" },
  ],
  organizers: [
    { command: "cal organizers merge 36 --into 33 --dry-run", does: "Show which events would get another organizer" },
    { command: "cal organizers merge 36 --into 33 --fill --yes", does: "And fill what the other one lacks" },
  ],
};

function createDuplicatesCommand(resource: Resource): CommandSpec {
  const { name } = resource;
  const isSame = resource.fields.some((field) => field.name === "city")
    ? "the same name and city, or a near name"
    : "the same or a near name";
  return {
    path: [name, "duplicates"],
    summary: `List ${name} that are likely the same`,
    details:
      `Compares all ${name}: ${isSame}, without regard to case, accents and punctuation. Nothing is changed: a note shows the commands that merge them. ` +
      "The exit code is 9 if there are any.",
    args: [],
    flags: [],
    examples: [
      { command: `cal ${name} duplicates`, does: "What may be there twice" },
      {
        command: `cal ${name} duplicates --json | jq -r '.[] | "cal ${name} merge \\(.id) --into \\(.into.id)"'`,
        does: "The commands that merge them, for a script",
      },
    ],
    load: async () => (await import("../../commands/records/duplicates.ts")).duplicates(resource),
  };
}
