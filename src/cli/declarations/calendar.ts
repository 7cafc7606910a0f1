// The commands of a resource that look at many of its records together.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import { sharedFields } from "../../model/events.ts";
import type { Resource } from "../../model/resource.ts";
import { once } from "../../once.ts";
import { getListFlags } from "./records.ts";

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
  return resource.hasDates ? [createConflictsCommand(resource)] : [];
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
