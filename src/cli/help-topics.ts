// The pages of `cal help <topic>`.
import { anchorWords, weekdays } from "../dates/day.ts";
import { type ErrorKind, exitCodes } from "../errors.ts";
import { environmentVariables, globalFlags, outputFormats } from "./global-flags.ts";
import { formatFlagRow, groupFlags, type HelpPage } from "./help-layout.ts";

interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly createPage: () => HelpPage;
}

/** In the order of the help. */
export const topics: readonly Topic[] = [
  { name: "flags", summary: "the flags of every command", createPage: createFlagsPage },
  { name: "dates", summary: "how dates, ranges and durations are written", createPage: createDatesPage },
  { name: "formats", summary: "table, JSON, CSV and the other outputs", createPage: createFormatsPage },
  { name: "environment", summary: "environment variables and precedence", createPage: createEnvironmentPage },
  { name: "exit-codes", summary: "exit codes for scripts", createPage: createExitCodesPage },
  { name: "auth", summary: "ways to log in, and where secrets are stored", createPage: createAuthPage },
];

function createFlagsPage(): HelpPage {
  return [
    "Every command takes these flags, before or after its arguments. The variable in brackets sets the same.",
    ...[...groupFlags(globalFlags)].map(([title, flags]) => ({ title, rows: Object.fromEntries(flags.map(formatFlagRow)) })),
  ];
}

function createDatesPage(): HelpPage {
  const days = weekdays.flatMap((name) => [name, name.slice(0, 3)]);
  const words = ["now", ...anchorWords.filter((word) => !days.includes(word))];
  return [
    "These forms work in every command that takes a date. cal guesses nothing: it refuses 01/02/2027 and two-digit years, and says what to write instead.",
    {
      title: "A date is",
      rows: {
        "2027-01-10": "a day; 2027-01 and 2027 are a month and a year. As a start it is the first moment, as an end the last",
        '"2027-01-10 19:30"': "a day and a time; also 2027-01-10T19:30:00, today@7pm, fri 7:30 pm, fri@noon",
        "now, today, fri, ...": "a word for a day, with or without a time",
        "+2h, -30m, today+3d": "an offset from now or from a word: y, mo, w, d, h, m. 7d-ago is -7d. Days keep the time on the clock",
        '"fri+7d 8pm"': "a day, an offset in days or more, and a time; all of them may end with a zone",
        "@1800000000": "seconds since 1970",
      },
    },
    {
      title: "Words",
      texts: [
        words.join(" "),
        `${weekdays.join(" ")}, or their first three letters: the next such day, today included`,
        "weekend is this-weekend: Saturday and Sunday of the week, Monday to Sunday, that today is in; next-weekend is that of the week after",
      ],
    },
    {
      title: "Zones",
      texts: [
        "A date can end with its zone: Z, +02:00 or a name such as Europe/Paris. A date without a zone is read in the first of these that is known: --tz, CAL_TZ, the zone of the profile, of the site, of the system. An event has one zone: that of --timezone, or the one that it has already. A new event without --timezone gets the first known zone of the same list. Without --tz the dates of an event are read in its zone. A time that the clock skips (daylight saving starts) is refused. If a time occurs twice, the earlier one is used, with a warning.",
      ],
    },
    {
      title: "Durations",
      texts: [
        "90m, 1h30m, 2d, 1w, 1mo or PT1H30M. --duration replaces --end-date; update with --duration alone keeps the start. With a new start alone the end does not change. A change that would make an event more than twice as long is refused, with the commands to use instead. --shift +7d moves start and end by 7 days; as a date, +7d counts from now.",
      ],
    },
    {
      title: "Ranges of a list",
      rows: {
        "--today": "what runs today",
        "--on <date>": "what runs on that day, or in that week, weekend, month or year: --on weekend",
        "--week[=date]":
          "this week, or the week of the given day: --week next-week. Here weeks begin on Monday; in cal week and cal month as in your locale",
        "--month[=YYYY-MM]": "this month, or the given one",
        "--next 30d": "from now until then",
        "--ends-before 2027": "before 2027 begins; --starts-after 2027: after 2027 has ended. Also --starts-before, --ends-after",
      },
      texts: [
        "Some servers find events by their start only. The request to them begins a month earlier. Events that began before that and still run are not shown; a line on stderr names the day. To find them: cal events list with --start-date and --end-date before that day.",
      ],
    },
    {
      title: "Examples",
      examples: [
        { command: 'cal date "fri@7pm"', does: "How a date is read" },
        { command: "cal events list --start-date tomorrow --end-date +2w", does: "What starts in the next two weeks" },
        { command: 'cal events update jazz-night --start-date "fri 20:00 Europe/Paris" --duration 2h', does: "In another zone" },
      ],
    },
  ];
}

function createFormatsPage(): HelpPage {
  return [
    "--format chooses how the answer is printed; --json is the same as --format json. What is not data goes to stderr.",
    { title: "Formats", rows: Object.fromEntries(outputFormats.map(({ name, meaning }) => [name, meaning])) },
    {
      title: "In every format",
      rows: {
        "--fields a,b.c":
          "only these fields, in this order, by name or by the header of a column; --columns is the same; venue.venue and categories.name are the names of linked records",
        "--field a": "the bare value of one field, one a line",
      },
    },
    {
      title: "Only in some formats (refused in others)",
      rows: {
        "--excel": "CSV: byte order mark, formulas guarded; no --format needed",
        "--for-import": "lists of events, venues and organizers in CSV: the columns that the importer of The Events Calendar takes",
        "--envelope": "lists in JSON and YAML as {items, total, total_pages, page, per_page, truncated, window}",
      },
    },
    "--wide and --no-header are allowed in every format. In json and ndjson an error is one line of JSON, the last line of stderr.",
    {
      title: "Days (cal month, week and agenda)",
      rows: {
        "a row": "{date, weekday, today, events}",
        "an event":
          "{id, title, start, end, all_day, day, days, timezone, status, featured, venue, categories, url}: start and end are RFC 3339, or days where it lasts all day; day is the number of the day within the event. An event that ends after midnight is on both days",
        "ids, count": "of the events, not of the days",
      },
    },
    {
      title: "Commands, as JSON (cal schema)",
      rows: {
        commands: "{command, aliases, summary, details, arguments, flags, examples}",
        "a flag":
          "{name, short, type, value, value_optional, negatable, aliases, choices, choices_joined, as_it_is, default, environment, group, meaning}: type is text, texts (may be repeated), integer, boolean or duration; choices_joined means that commas join several; as_it_is is the flag that sends any other value",
        resources: "{name, singular, title, by_slug, fields, filters, returned}",
      },
      texts: ["What does not apply is absent."],
    },
    {
      title: "Examples",
      examples: [
        { command: "cal events list --all --format csv --fields id,title,start_date,venue.venue > events.csv", does: "For a spreadsheet" },
        { command: "cal events list --today --json | jq -r '.[].title'", does: "In a script" },
        { command: 'cal venues create --venue "Town Hall" --field id', does: "The new id alone" },
        { command: "cal events list --search jazz --format ids | cal events update - --featured", does: "From one command to the next" },
      ],
    },
  ];
}

function createEnvironmentPage(): HelpPage {
  return [
    "A flag beats a variable, a variable beats the profile, the profile beats the default. cal config list --show-origin shows where each value comes from.",
    { title: "Variables", rows: Object.fromEntries(environmentVariables.map(({ name, meaning }) => [name, meaning])) },
  ];
}

function createExitCodesPage(): HelpPage {
  return [
    'Errors are printed on stderr: as text, or in json and ndjson as one line of JSON, the last line: {"error": {"code", "message", "status", "hint", "request", "server"}}.',
    { title: "Exit codes", rows: Object.fromEntries(listExitCodes()) },
  ];
}

function createAuthPage(): HelpPage {
  return [
    "Reading often needs no login. Writing always needs one. The sandbox (--sandbox) needs no login.",
    {
      title: "Commands",
      rows: {
        "cal auth login": "log in, asking for what is missing; --method chooses the way",
        "cal auth status --check": "who is logged in, where, until when, and whether the site agrees",
        "cal auth refresh": "get a new token now; commands do it by themselves",
        "cal auth token": "print the token, with --header the whole header line, for other programs",
        "cal auth logout": "end the session and delete the stored login",
      },
    },
    {
      title: "Ways to log in",
      rows: {
        "application-password":
          "for sites that run The Events Calendar, and other WordPress sites: your user name there and a password for this program alone, which you create in the site's dashboard under Users > Profile > Application Passwords. Nothing else is needed.",
        browser:
          "on the login page of an authentication service: needs its address (auth_url) and a client id. The token is part of the address that the browser comes back to, and stays in its history",
        password: "for scripts and servers: needs the client secret too, and a user name and password of that service",
      },
    },
    {
      texts: [
        "auth_url is the address of the authentication service. A client id is the name of this program there, and the client secret is its password. The administrator of that service gives all three.",
      ],
    },
    {
      title: "Whole commands",
      examples: [
        { command: "cal auth login --method application-password --username ana", does: "A site that runs The Events Calendar" },
        {
          command: "cal auth login --method browser --auth-url https://login.example.com --client-id my-app",
          does: "A site with an authentication service, in the browser",
        },
        {
          command: "cal auth login --method password --auth-url https://login.example.com --client-id my-app --username ana",
          does: "The same with a password; it and the client secret are asked for",
        },
      ],
    },
    {
      title: "In CI",
      texts: [
        "CAL_TOKEN with a token, or CAL_USERNAME and CAL_PASSWORD, at an authentication service with CAL_CLIENT_ID and CAL_CLIENT_SECRET; each secret also as the name of a file: CAL_TOKEN_FILE and so on.",
        "For the target of copy --to: CAL_TO_TOKEN, or CAL_TO_USERNAME and CAL_TO_PASSWORD, also as CAL_TO_TOKEN_FILE and so on.",
      ],
    },
    {
      title: "Where secrets are stored",
      texts: [
        "In the keychain of the operating system. Without one, --insecure-storage stores them in a file that only you can read. Never in the profile, and never as the value of a flag, which others could see in the list of processes.",
      ],
    },
  ];
}

const exitCodeMeanings: Readonly<Record<ErrorKind, string>> = {
  internal: "a defect of the program",
  declined: "the answer to a question was No, or the editor ended with an error",
  usage: "wrong flag, value or combination, missing field, or a confirmation is needed; nothing was sent",
  "not-found": "not found: no such record or name",
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
  const byCode = new Map<number, string[]>([[0, ["done; an empty list is not a failure"]]]);
  for (const [kind, code] of Object.entries(exitCodes) as [ErrorKind, number][]) {
    byCode.set(code, [...(byCode.get(code) ?? []), exitCodeMeanings[kind]]);
  }
  return [...byCode].map(([code, texts]): readonly [number, string] => [code, texts.join("; or ")]).sort(([a], [b]) => a - b);
}
