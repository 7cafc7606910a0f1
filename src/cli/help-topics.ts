// The pages of `cal help <topic>`.
import { anchorWords, weekdays } from "../dates/day.ts";
import { type ErrorKind, exitCodes } from "../errors.ts";
import { environmentVariables, globalFlags, outputFormats } from "./global-flags.ts";
import { formatColumns, formatExamples, formatFlagRow, formatParagraph, groupFlags, type HelpStyle, wrapText } from "./help-layout.ts";

/** A page of `cal help <name>`. */
interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly render: (style: HelpStyle) => string;
}

/** In the order of the help. */
export const topics: readonly Topic[] = [
  { name: "flags", summary: "the flags of every command", render: renderFlagsTopic },
  { name: "dates", summary: "how dates, ranges and durations are written", render: renderDatesTopic },
  { name: "formats", summary: "table, JSON, CSV and the other outputs", render: renderFormatsTopic },
  { name: "environment", summary: "environment variables and what beats what", render: renderEnvironmentTopic },
  { name: "exit-codes", summary: "what scripts can tell from the exit code", render: renderExitCodesTopic },
  { name: "auth", summary: "ways to log in, and where secrets are kept", render: renderAuthTopic },
];

const loginMethodRows = [
  {
    term: "application-password",
    means:
      "for sites that run The Events Calendar, and other WordPress sites: your user name there and a password for this program alone, which the site's dashboard makes under Users > Profile > Application Passwords. Nothing else is needed.",
  },
  {
    term: "browser",
    means:
      "on the login page of an authentication service: needs its address (auth_url) and a client id. The token is part of the address that the browser comes back to, and stays in its history",
  },
  {
    term: "password",
    means: "for scripts and servers: needs the client secret too, and a user name and password of that service",
  },
];

const loginExamples = [
  { command: "cal auth login --method application-password --username ana", does: "A site that runs The Events Calendar" },
  {
    command: "cal auth login --method browser --auth-url https://login.example.com --client-id my-app",
    does: "A site with an authentication service, in the browser",
  },
  {
    command: "cal auth login --method password --auth-url https://login.example.com --client-id my-app --username ana",
    does: "The same with a password; it and the client secret are asked for",
  },
];

const authCommandRows = [
  { term: "cal auth login", means: "log in, asking for what is missing; --method chooses the way" },
  { term: "cal auth status --check", means: "who is logged in, where, until when, and whether the site agrees" },
  { term: "cal auth refresh", means: "get a new token now; commands do it by themselves" },
  { term: "cal auth token", means: "print the token, with --header the whole header line, for other programs" },
  { term: "cal auth logout", means: "end the session and delete what is kept" },
];

function renderAuthTopic({ width, heading }: HelpStyle): string {
  return [
    wrapText("Reading may need no login, writing always does. The sandbox (--sandbox) needs none.", width),
    `${heading("Commands")}\n${formatColumns(authCommandRows, width)}`,
    `${heading("Ways to log in")}\n${formatColumns(loginMethodRows, width)}\n\n${formatParagraph("auth_url is the address of the authentication service. A client id stands for this program there, and the client secret is its password. The administrator of that service gives all three.", width)}`,
    `${heading("Whole commands")}\n${formatExamples(loginExamples, width)}`,
    `${heading("In CI")}\n${formatParagraph("CAL_TOKEN with a token, or CAL_USERNAME and CAL_PASSWORD, at an authentication service with CAL_CLIENT_ID and CAL_CLIENT_SECRET; each secret also as the name of a file: CAL_TOKEN_FILE and so on.", width)}`,
    `${heading("Where secrets are kept")}\n${formatParagraph("In the keychain of the operating system. Without one, --insecure-storage keeps them in a file that only you can read. Never in the profile, and never as the value of a flag, which others could see in the list of processes.", width)}`,
  ].join("\n\n");
}

function renderFlagsTopic({ width, heading }: HelpStyle): string {
  const sections = [...groupFlags(globalFlags)].map(
    ([title, flags]) => `${heading(title)}\n${formatColumns(flags.map(formatFlagRow), width)}`,
  );
  return [
    wrapText("Every command takes these flags, before or after its own words. The variable in brackets gives the same.", width),
    ...sections,
  ].join("\n\n");
}

const fieldFlagRows = [
  {
    term: "--fields a,b.c",
    means: "only these fields, in this order; venue.venue and categories.name are what records inside an event are called",
  },
  { term: "--field a", means: "the bare value of one field, one a line" },
];

const formatSpecificRows = [
  { term: "--columns a,b", means: "table, TSV and CSV: only these of the columns that are usual" },
  { term: "--excel", means: "CSV: byte order mark, formulas guarded; no --format needed" },
  { term: "--envelope", means: "lists in JSON and YAML as {items, total, total_pages, page, per_page, truncated, window}" },
];

const formatExampleLines = [
  { command: "cal events list --all --format csv --fields id,title,start_date,venue.venue > events.csv", does: "For a spreadsheet" },
  { command: "cal events list --today --json | jq -r '.[].title'", does: "In a script" },
  { command: 'cal venues create --venue "Town Hall" --field id', does: "The new id alone" },
  { command: "cal events list --search jazz --format ids | cal events update - --featured", does: "From one command to the next" },
];

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

function renderFormatsTopic({ width, heading }: HelpStyle): string {
  const formatRows = outputFormats.map(({ name, meaning }) => ({ term: name, means: meaning }));
  return [
    wrapText("--format chooses how the answer is printed; --json is the same as --format json. What is not data goes to stderr.", width),
    `${heading("Formats")}\n${formatColumns(formatRows, width)}`,
    `${heading("In every format")}\n${formatColumns(fieldFlagRows, width)}`,
    `${heading("In some formats (else refused)")}\n${formatColumns(formatSpecificRows, width)}`,
    wrapText(
      "--wide and --no-header can always be given. In json and ndjson an error is one line of JSON, the last line of stderr.",
      width,
    ),
    `${heading("Days (cal month, week and agenda)")}\n${formatColumns(dayViewRows, width)}`,
    `${heading("Commands, as JSON (cal schema)")}\n${formatColumns(schemaRows, width)}\n${formatParagraph("What does not apply is absent.", width)}`,
    `${heading("Examples")}\n${formatExamples(formatExampleLines, width)}`,
  ].join("\n\n");
}

function renderEnvironmentTopic({ width, heading }: HelpStyle): string {
  const rows = environmentVariables.map(({ name, meaning }) => ({ term: name, means: meaning }));
  return [
    wrapText(
      "A flag beats a variable, a variable beats the profile, the profile beats the default. cal config list --show-origin tells where each value comes from.",
      width,
    ),
    `${heading("Variables")}\n${formatColumns(rows, width)}`,
  ].join("\n\n");
}

function renderExitCodesTopic({ width, heading }: HelpStyle): string {
  const rows = listExitCodes().map(([code, meaning]) => ({ term: String(code), means: meaning }));
  return [
    wrapText(
      'What went wrong is told on stderr: as text, or in json and ndjson as one line, the last one: {"error": {"code", "message", "status", "hint", "request", "server"}}.',
      width,
    ),
    `${heading("Exit codes")}\n${formatColumns(rows, width)}`,
  ].join("\n\n");
}

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

function renderDatesTopic({ width, heading }: HelpStyle): string {
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

const exitCodeMeanings: Readonly<Record<ErrorKind, string>> = {
  internal: "a defect of the program",
  declined: "the answer to a question was No",
  usage: "wrong flag, value or combination, missing field, or a confirmation is needed; nothing was sent",
  "not-found": "not found: no such record, or a name that nothing has",
  unauthenticated: "not logged in: no token, an expired or a refused one",
  forbidden: "not allowed: the user may not do it, or the profile is read-only",
  rejected: "the server rejected the data, or it conflicts with what is there",
  unavailable: "try again later: network, TLS, timeout, too many requests, a server error, or an answer that can't be read",
  mixed: "of several records some failed, or they failed in different ways",
  findings: "a check found something",
  local: "set-up or local fault: no site chosen, no such interface on the site, or a file that can't be read or written",
  interrupted: "interrupted (SIGINT, Ctrl-C)",
  terminated: "terminated (SIGTERM)",
};

/** Every exit code with its meaning, in ascending order; 0 is first. */
export function listExitCodes(): readonly (readonly [code: number, meaning: string])[] {
  const byCode = new Map<number, string[]>([[0, ["done; an empty list is no failure"]]]);
  for (const [kind, code] of Object.entries(exitCodes) as [ErrorKind, number][]) {
    byCode.set(code, [...(byCode.get(code) ?? []), exitCodeMeanings[kind]]);
  }
  return [...byCode].map(([code, texts]): readonly [number, string] => [code, texts.join("; or ")]).sort(([a], [b]) => a - b);
}
