// `cal help dates`: the date grammar, with its words from the grammar itself.
import { anchorWords, weekdays } from "../../dates/day.ts";
import { formatColumns, formatExamples, formatParagraph, wrapText } from "./layout.ts";
import type { HelpStyle } from "./look.ts";

const dateFormRows = [
  { term: "2027-01-10", means: "a day; 2027-01 and 2027 are a month and a year. As a start it is the first moment, as an end the last" },
  { term: '"2027-01-10 19:30"', means: "a day and a time; also 2027-01-10T19:30:00, today@7pm, fri 7:30 pm, fri@noon" },
  { term: "now, today, fri, ...", means: "a word for a day, with or without a time" },
  {
    term: "+2h, -30m, today+3d",
    means: "an offset from now or from a word: y, mo, w, d, h, m. 7d-ago is -7d. Days keep the time on the clock",
  },
  { term: '"fri+7d 8pm"', means: "a day, an offset in days or more, and a time; all of them may end with a zone" },
  { term: "@1800000000", means: "seconds since 1970" },
];

const listRangeRows = [
  { term: "--today", means: "what runs today" },
  { term: "--on <date>", means: "what runs on that day" },
  {
    term: "--week[=date]",
    means:
      "in this week, or in that day's: --week next-week. Weeks begin on Monday here; cal week and cal month begin them as your locale does",
  },
  { term: "--month[=YYYY-MM]", means: "in this month, or in that one" },
  { term: "--next 30d", means: "from now on for so long" },
  { term: "--ends-before 2027", means: "before its first moment; --starts-after 2027: after its last. Also --starts-before, --ends-after" },
];

/** The topic's page. */
export function renderDatesTopic({ width, heading }: HelpStyle): string {
  const days = weekdays.flatMap((name) => [name, name.slice(0, 3)]);
  const words = ["now", ...anchorWords.filter((word) => !days.includes(word))];
  return [
    wrapText(
      "The same forms work wherever a date is taken. Nothing is guessed: 01/02/2027 and two-digit years are refused, with what to write instead.",
      width,
    ),
    `${heading("A date is")}\n${formatColumns(dateFormRows, width)}`,
    `${heading("Words")}\n${formatParagraph(words.join(" "), width)}\n${formatParagraph(`${weekdays.join(" ")}, or their first three letters: the next such day, today included`, width)}`,
    `${heading("Zones")}\n${formatParagraph("At the end of a date: Z, +02:00 or a name such as Europe/Paris. Else --tz, CAL_TZ, the profile's zone, the site's where it is known, the system's. An event keeps its times in --timezone, else in the zone it has, else in that of the same order; without --tz a date is read there. A time that the change to summer time skips is refused; one that comes twice is the earlier, with a warning.", width)}`,
    `${heading("Durations")}\n${formatParagraph("90m, 1h30m, 2d, 1w, 1mo or PT1H30M. --duration stands instead of --end-date; update with --duration alone keeps the start. With a new start alone the end stays; what would make an event last more than twice as long so is refused, with the commands that move it whole or let it last so long. --shift +7d moves an event whole, from where it is: +7d as a date counts from now.", width)}`,
    `${heading("Ranges of a list")}\n${formatColumns(listRangeRows, width)}\n${formatParagraph("Some servers find events by their start only. They are asked a month further back, and what began before that and still runs is not shown; a line on stderr names the day. To look for it: cal events list --start-date and --end-date with the time before that day.", width)}`,
    `${heading("Examples")}\n${formatExamples(
      [
        { command: 'cal date "fri@7pm"', does: "How a date is read" },
        { command: "cal events list --start-date tomorrow --end-date +2w", does: "What starts in the next two weeks" },
        { command: 'cal events update jazz-night --start-date "fri 20:00 Europe/Paris" --duration 2h', does: "In another zone" },
      ],
      width,
    )}`,
  ].join("\n\n");
}
