// Topics that are tables of the program's own data: flags, formats, environment, exit codes.
import { environmentVariables } from "../environment.ts";
import { listExitCodes } from "../exit-codes.ts";
import { outputFormats } from "../formats.ts";
import { globalFlags } from "../globals.ts";
import { formatFlagRow, groupFlags } from "./flag-rows.ts";
import { formatColumns, formatExamples, formatParagraph, wrapText } from "./layout.ts";
import type { HelpStyle } from "./look.ts";

/** `cal help flags`. */
export function renderFlagsTopic({ width, heading }: HelpStyle): string {
  const sections = [...groupFlags(globalFlags)].map(
    ([title, flags]) => `${heading(title)}\n${formatColumns(flags.map(formatFlagRow), width)}`,
  );
  return [
    wrapText("Every command takes these flags, before or after its own words. The variable in brackets gives the same.", width),
    ...sections,
  ].join("\n\n");
}

const dayViewRows = [
  { term: "a row", means: "{date, weekday, today, events}" },
  {
    term: "an event",
    means:
      "{id, title, start, end, all_day, day, days, timezone, status, featured, venue, categories, url}: start and end are RFC 3339, or days where it lasts all day; day tells which of its days it is. One that ends after midnight stands on both its days",
  },
  { term: "ids, count", means: "of the events, not of the days" },
];

const schemaRows = [
  { term: "commands", means: "{command, aliases, summary, details, arguments, flags, examples}" },
  {
    term: "a flag",
    means:
      "{name, short, type, value, value_optional, negatable, aliases, choices, choices_joined, as_it_is, default, environment, group, meaning}: type is text, texts (may be repeated), integer, boolean or duration; choices_joined by commas; as_it_is is what sends any other value",
  },
  { term: "resources", means: "{name, singular, title, by_slug, fields, filters, returned}" },
];

/** `cal help formats`. */
export function renderFormatsTopic({ width, heading }: HelpStyle): string {
  return [
    wrapText("--format chooses how the answer is printed; --json is the same as --format json. What is not data goes to stderr.", width),
    `${heading("Formats")}\n${formatColumns(
      outputFormats.map(({ name, meaning }) => ({ term: name, means: meaning })),
      width,
    )}`,
    `${heading("In every format")}\n${formatColumns(
      [
        {
          term: "--fields a,b.c",
          means: "only these fields, in this order; venue.venue and categories.name are what records inside an event are called",
        },
        { term: "--field a", means: "the bare value of one field, one a line" },
      ],
      width,
    )}`,
    `${heading("In some formats (else refused)")}\n${formatColumns(
      [
        { term: "--columns a,b", means: "table, TSV and CSV: only these of the columns that are usual" },
        { term: "--excel", means: "CSV: byte order mark, formulas guarded; no --format needed" },
        { term: "--envelope", means: "lists in JSON and YAML as {items, total, total_pages, page, per_page, truncated, window}" },
      ],
      width,
    )}`,
    wrapText(
      "--wide and --no-header can always be given. In json and ndjson an error is one line of JSON, the last line of stderr.",
      width,
    ),
    `${heading("Days (cal month, week and agenda)")}\n${formatColumns(dayViewRows, width)}`,
    `${heading("Commands, as JSON (cal schema)")}\n${formatColumns(schemaRows, width)}\n${formatParagraph("What does not apply is absent.", width)}`,
    `${heading("Examples")}\n${formatExamples(
      [
        { command: "cal events list --all --format csv --fields id,title,start_date,venue.venue > events.csv", does: "For a spreadsheet" },
        { command: "cal events list --today --json | jq -r '.[].title'", does: "In a script" },
        { command: 'cal venues create --venue "Town Hall" --field id', does: "The new id alone" },
        { command: "cal events list --search jazz --format ids | cal events update - --featured", does: "From one command to the next" },
      ],
      width,
    )}`,
  ].join("\n\n");
}

/** `cal help environment`. */
export function renderEnvironmentTopic({ width, heading }: HelpStyle): string {
  return [
    wrapText(
      "A flag beats a variable, a variable beats the profile, the profile beats the default. cal config list --show-origin tells where each value comes from.",
      width,
    ),
    `${heading("Variables")}\n${formatColumns(
      environmentVariables.map(({ name, meaning }) => ({ term: name, means: meaning })),
      width,
    )}`,
  ].join("\n\n");
}

/** `cal help exit-codes`. */
export function renderExitCodesTopic({ width, heading }: HelpStyle): string {
  return [
    wrapText(
      'What went wrong is told on stderr: as text, or in json and ndjson as one line, the last one: {"error": {"code", "message", "status", "hint", "request", "server"}}.',
      width,
    ),
    `${heading("Exit codes")}\n${formatColumns(
      listExitCodes().map(([code, meaning]) => ({ term: String(code), means: meaning })),
      width,
    )}`,
  ].join("\n\n");
}
