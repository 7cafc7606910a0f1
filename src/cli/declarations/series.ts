// Repeated events: `cal events repeat`, and the commands over series.
import type { Argument, CommandSpec, Flag } from "../../commands/command.ts";
import type { Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import { once } from "../../once.ts";
import { limitFlags, maxChangesFlag, noOverlapFlag, planOutFlag } from "./changes.ts";
import {
  bodyFlags,
  clearFlag,
  createChangeFlag,
  durationFlag,
  getFieldFlags,
  getFieldUpdateFlags,
  shiftFlag,
  startTimeFlag,
} from "./record-flags.ts";

const ruleGroup = "When";

const ruleFlags: readonly Flag[] = [
  {
    name: "every",
    type: "text",
    value: "interval",
    meaning: 'day, 2 weeks, month; tue,thu, weekday, "other tue"; "2nd tue", "last fri", "15th", "last day"',
    group: ruleGroup,
  },
  {
    name: "rule",
    type: "text",
    value: "rrule",
    meaning: "A rule of iCalendar instead: FREQ=WEEKLY;BYDAY=TU,TH;COUNT=10",
    group: ruleGroup,
  },
  { name: "count", type: "integer", value: "n", meaning: "How many new events", group: ruleGroup },
  { name: "until", type: "text", value: "date", meaning: "No event after this date", group: ruleGroup },
  {
    name: "except",
    type: "texts",
    value: "date",
    meaning: "Not on this day, in this month (2027-08) or at this time; separate several by commas",
    group: ruleGroup,
  },
  {
    name: "at",
    type: "texts",
    value: "time",
    meaning: "Start at this time; several, separated by commas, are several events a day: 15:00,20:00",
    group: ruleGroup,
  },
  { ...startTimeFlag, meaning: "Start at this time; the length stays: 19:30", group: ruleGroup },
  {
    name: "shift-skipped",
    type: "boolean",
    meaning: "Where the clocks skip the time of an event, create it later; without this flag it is left out",
    group: ruleGroup,
  },
];

/** The rule gives the dates of the copies, and a slug belongs to one event. */
const ruledFields = ["start_date", "end_date", "timezone", "all_day", "slug"];

/** Of a series, these would be the same for all events. */
const ownFields = ["start_date", "end_date", "slug"];

function withoutFields(resource: Resource, names: readonly string[]): Resource {
  return { ...resource, fields: resource.fields.filter(({ name }) => !names.includes(name)) };
}

export function createRepeatCommand(resource: Resource): CommandSpec {
  const { name, singular } = resource;
  const getFlags = once(() => [
    ...ruleFlags,
    ...getFieldFlags(withoutFields(resource, ruledFields), (field, group) => [createChangeFlag(field, group)], []),
    clearFlag,
    ...bodyFlags,
    { name: "no-series", type: "boolean", meaning: "Do not remember the events as a series", group: "The plan" } as const,
    noOverlapFlag,
    planOutFlag,
    { ...maxChangesFlag, default: "500" },
  ]);
  return {
    path: [name, "repeat"],
    summary: `Create copies of an ${singular} at the times of a rule`,
    details:
      "The copies have all that the original has, and the same time on its clock. They become a series: cal series update, shift and delete change them together. " +
      "--count or --until is required, unless the rule has an end; COUNT of a rule counts the original too. " +
      "An event that is there already is not created again, so the command can be repeated. Anywhere but on a terminal several copies need --yes.",
    args: [{ name: "ref", meaning: `${singular}: an id (123), a slug (jazz-night) or name:"Jazz Night"` }],
    get flags() {
      return getFlags();
    },
    examples: [
      { command: `cal ${name} repeat jazz-night --every "2nd tue" --count 6 --yes`, does: "On the second Tuesday of the next six months" },
      {
        command: `cal ${name} repeat jazz-night --every "2 weeks" --until +6mo --dry-run`,
        does: "Show what would be created: every second week for half a year",
      },
      {
        command: `cal ${name} repeat jazz-night --rule "FREQ=WEEKLY;BYDAY=SA,SU;COUNT=9" --at 15:00,20:00 --yes`,
        does: "Afternoons and evenings, by a rule of iCalendar",
      },
    ],
    reportsProblems: true,
    load: async () => (await import("../../commands/series/repeat.ts")).repeat(resource),
  };
}

const series: Argument = { name: "series", meaning: "Its name, from cal series list, or the id of one of its events" };

const membersGroup = "Which events";

const memberFlags: readonly Flag[] = [
  { name: "from", type: "text", value: "date", meaning: "Only events that start from this date on", group: membersGroup },
  { name: "include-edited", type: "boolean", meaning: "Also events that were edited by hand", group: membersGroup },
];

const memberDetails =
  "All events of the series that are not past, with one question. Events that were edited by hand since the series last wrote them are left alone and named.";

export function createSeriesCommands(): readonly CommandSpec[] {
  const { events } = resources;
  return [
    {
      path: ["series", "list"],
      aliases: ["ls"],
      summary: "List the series of this site",
      details:
        "A series is what cal events repeat created, or cal series adopt named. It is remembered in the state folder of this machine.",
      args: [],
      flags: [],
      examples: [
        { command: "cal series list", does: "All series, with their next and last event" },
        { command: "cal series list --json | jq -r '.[].series'", does: "Their names, for a script" },
      ],
      reportsProblems: true,
      withoutIds: true,
      load: async () => (await import("../../commands/series/show.ts")).listSeries,
    },
    {
      path: ["series", "show"],
      aliases: ["get"],
      summary: "List the events of a series",
      details: "Also the fields of each that were edited by hand.",
      args: [series],
      flags: [],
      examples: [
        { command: "cal series show jazz-night", does: "Its events in the order of time" },
        { command: "cal series show jazz-night --format ids | cal events get - --json", does: "The whole events" },
      ],
      reportsProblems: true,
      load: async () => (await import("../../commands/series/show.ts")).showSeries,
    },
    {
      path: ["series", "update"],
      summary: "Change the events of a series",
      details: `${memberDetails} Their days stay: cal series shift moves them.`,
      args: [series],
      flags: [
        ...memberFlags,
        ...getFieldFlags(withoutFields(events, ownFields), getFieldUpdateFlags, []),
        startTimeFlag,
        durationFlag,
        clearFlag,
        ...bodyFlags,
        planOutFlag,
        maxChangesFlag,
      ],
      examples: [
        { command: "cal series update jazz-night --start-time 19:30 --from 2027-03-01 --yes", does: "Another time of day from March on" },
        {
          command: "cal series update 103 --cost 15 --add-category arts --dry-run",
          does: "Show what would change; 103 is one of its events",
        },
      ],
      reportsProblems: true,
      load: async () => (await import("../../commands/series/change.ts")).updateSeries,
    },
    {
      path: ["series", "shift"],
      summary: "Move the events of a series",
      details: `${memberDetails} Days and longer keep the time on the clock.`,
      args: [series, { name: "offset", meaning: "+1d, +1w, +30m" }],
      flags: [
        { ...shiftFlag, aliases: ["by"], meaning: "The offset, also a negative one: -30m" },
        ...memberFlags,
        planOutFlag,
        maxChangesFlag,
      ],
      examples: [
        { command: "cal series shift jazz-night +1d --from 2027-03-01 --yes", does: "A day later from March on" },
        { command: "cal series shift jazz-night --shift -30m --dry-run", does: "Show what half an hour earlier would change" },
      ],
      reportsProblems: true,
      load: async () => (await import("../../commands/series/change.ts")).shiftSeries,
    },
    {
      path: ["series", "delete"],
      aliases: ["rm"],
      summary: "Delete the events of a series",
      details: memberDetails,
      args: [series],
      flags: [...memberFlags, planOutFlag, ...limitFlags],
      examples: [{ command: "cal series delete jazz-night --from 2027-06-01 --max-delete 20 --yes", does: "What begins in June or later" }],
      reportsProblems: true,
      load: async () => (await import("../../commands/series/change.ts")).deleteSeries,
    },
    {
      path: ["series", "adopt"],
      summary: "Make a series of events that are there",
      details:
        "Nothing is sent to the site. The events are remembered as they are now. For events that another machine created, or where the ledger was lost.",
      args: [
        { name: "ref", meaning: 'Events: ids (123), slugs (jazz-night) or name:"Jazz Night"; or - to read refs from stdin', many: true },
      ],
      flags: [{ name: "series", type: "text", value: "name", meaning: "Its name: a new one, or a series that they join" }],
      examples: [
        { command: "cal series adopt 103 104 --series music", does: "A series of two events" },
        { command: "cal events list --search jazz --all --format ids | cal series adopt - --series jazz", does: "All that a search finds" },
      ],
      reportsProblems: true,
      load: async () => (await import("../../commands/series/show.ts")).adoptSeries,
    },
  ];
}
