// The commands that show the calendar by day, and the one that explains dates.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import { resources } from "../../model/resources.ts";
import { once } from "../../once.ts";
import { exportFormats } from "../../output/report.ts";
import { createFormatFlag } from "../global-flags.ts";
import { getListFlags } from "./record-flags.ts";
import { withExport } from "./records.ts";

const weekStartFlag: Flag = {
  name: "week-start",
  type: "text",
  value: "day",
  choices: ["monday", "sunday", "saturday"],
  meaning: "First day of the week",
  default: "from the locale (LC_ALL, LC_TIME, LANG), else monday",
  group: "Dates",
};

/** The filters of `events list`, except those of dates. */
const getFilterFlags = once(() => [
  ...getListFlags(resources.events).filter(({ name, group }) => group === "Filters" && name !== "strict-dates"),
  weekStartFlag,
]);

const getRangeAndFilterFlags = once(() => [
  ...getListFlags(resources.events).filter(({ name }) => ["today", "on", "week", "month", "next"].includes(name)),
  ...getFilterFlags(),
]);

const viewDetails =
  "Times are shown in the zone of --tz. Today is in brackets. The sign before an event and its colour show its first category; bars are events " +
  "that last all day or longer. Formats other than table have one row a day: cal help formats.";

export const viewCommands: readonly CommandSpec[] = [
  {
    path: ["month"],
    summary: "Show a month with what happens each day",
    details: viewDetails,
    args: [{ name: "month", meaning: "YYYY-MM, or any date in it: next-month; default: the current one" }],
    get flags() {
      return getFilterFlags();
    },
    examples: [
      { command: "cal month", does: "This month" },
      { command: "cal month 2027-03 --category music", does: "A month of one category" },
      { command: "cal month next-month --json | jq -r '.[] | select(.events == []) | .date'", does: "The free days of next month" },
    ],
    reportsProblems: true,
    load: async () => (await import("../../commands/views.ts")).month,
  },
  {
    path: ["week"],
    summary: "Show a week, its days side by side",
    details: `The first day of the week comes from your locale, or from --week-start. In fewer than 97 columns the days are listed one below the other. ${viewDetails}`,
    args: [{ name: "date", meaning: "Any day of the week, or a word such as next-week; default: today" }],
    get flags() {
      return getFilterFlags();
    },
    examples: [
      { command: "cal week", does: "This week" },
      { command: "cal week next-week --venue town-hall", does: "Next week at one venue" },
    ],
    reportsProblems: true,
    load: async () => (await import("../../commands/views.ts")).week,
  },
  {
    path: ["agenda"],
    summary: "Show what happens, day by day",
    details: `Without a range: today and the next 13 days. One date is what --on takes; two are the first and the last day. --next shows whole days. ${viewDetails}`,
    args: [
      { name: "from", meaning: "A day, a weekend, a month or a year of the date grammar: tomorrow, weekend, 2027-03" },
      { name: "to", meaning: "The last day; a month or a year means its last day: fri, 2027-04" },
    ],
    get flags() {
      return [...getRangeAndFilterFlags(), createFormatFlag(exportFormats)];
    },
    examples: [
      { command: "cal agenda", does: "The next two weeks" },
      { command: "cal agenda weekend", does: "This Saturday and Sunday" },
      { command: "cal agenda 2027-03-01 2027-03-14", does: "From the first day to the last" },
      { command: "cal agenda --next 30d --search jazz", does: "What a search finds in the next thirty days" },
      { command: "cal agenda --next 30d --format html", does: "A programme to print" },
      { command: "cal agenda tomorrow --format ids | cal events get - --format ndjson", does: "Tomorrow's events as records" },
    ],
    reportsProblems: true,
    load: async () => withExport(resources.events, (await import("../../commands/views.ts")).agenda),
  },
  {
    path: ["date"],
    summary: "Explain how a date is read",
    details:
      "Shows the moment, or the start and the end, that an expression means, and warns when clocks change. The words need no quotes. Write -- before an expression that starts with a minus.",
    args: [
      {
        name: "expression",
        meaning: "fri 20:00, next-month, 2027-03-28, +3d, eom, 2027-01-10T20:00:00+01:00, @1800000000",
        required: true,
        many: true,
      },
    ],
    flags: [],
    examples: [
      { command: "cal date next-week", does: "When a range begins and ends" },
      { command: "cal date fri 20:00 --tz Europe/Paris", does: "In another time zone" },
      { command: "cal date eom --field end.epoch", does: "Seconds since 1970, for a script" },
    ],
    load: async () => (await import("../../commands/date.ts")).date,
  },
];
