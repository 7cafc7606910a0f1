// The flags that every command takes (design: the table of global flags).
import { type Flag, parseNames } from "../commands/command.ts";
import type { Flags } from "../context.ts";
import { formats } from "../output/view.ts";

const siteGroup = "Which calendar";
const outputGroup = "Output";
const confirmationGroup = "Asking and writing";
const connectionGroup = "Connection";

/** Global flags, in the order of the help. */
export const globalFlags: readonly Flag[] = [
  { name: "profile", short: "p", type: "text", value: "name", meaning: "Use this profile", env: "CAL_PROFILE", group: siteGroup },
  { name: "sandbox", type: "boolean", meaning: "Use the embedded calendar: no account, no network", env: "CAL_SANDBOX", group: siteGroup },
  { name: "base-url", type: "text", value: "url", meaning: "REST root of the website", env: "CAL_BASE_URL", group: siteGroup },
  { name: "auth-url", type: "text", value: "url", meaning: "Address of the authentication service", env: "CAL_AUTH_URL", group: siteGroup },
  {
    name: "namespace",
    type: "text",
    value: "path",
    meaning: "Namespace of the calendar interface",
    default: "calendar/events/v1",
    env: "CAL_NAMESPACE",
    group: siteGroup,
  },
  { name: "client-id", type: "text", value: "id", meaning: "Identifier of the application", env: "CAL_CLIENT_ID", group: siteGroup },
  { name: "username", type: "text", value: "name", meaning: "Name of the user", env: "CAL_USERNAME", group: siteGroup },
  { name: "tz", type: "text", value: "zone", meaning: "Time zone in which dates are read and shown", env: "CAL_TZ", group: siteGroup },
  {
    name: "format",
    type: "text",
    value: "format",
    meaning: "Output format",
    default: "table on a terminal, tsv in a pipe",
    env: "CAL_FORMAT",
    group: outputGroup,
    choices: formats,
    synonyms: { excel: "csv --excel", xlsx: "csv --excel", jsonl: "ndjson" },
  },
  { name: "json", type: "boolean", meaning: "The same as --format json", group: outputGroup },
  { name: "fields", type: "texts", value: "names", meaning: "Only these fields, in any format: id,title,venue.city", group: outputGroup },
  { name: "field", type: "text", value: "name", meaning: "Print only the bare value of this field", group: outputGroup },
  { name: "columns", type: "texts", value: "names", meaning: "Only these columns, in this order: table, TSV and CSV", group: outputGroup },
  { name: "wide", type: "boolean", meaning: "All columns and fields, nothing cut", group: outputGroup },
  { name: "no-header", type: "boolean", meaning: "No header line", group: outputGroup },
  {
    name: "excel",
    type: "boolean",
    meaning: "CSV for spreadsheets: byte order mark, plain words for entities, formulas guarded; no --format needed",
    group: outputGroup,
  },
  {
    name: "color",
    type: "text",
    value: "when",
    meaning: "Colours",
    choices: ["auto", "always", "never"],
    default: "auto",
    env: "NO_COLOR, FORCE_COLOR",
    group: outputGroup,
  },
  { name: "no-color", type: "boolean", meaning: "The same as --color never", group: outputGroup },
  { name: "quiet", short: "q", type: "boolean", meaning: "Only warnings and errors on stderr", group: outputGroup },
  { name: "debug", type: "boolean", meaning: "Tell every request on stderr, with secrets blanked", env: "CAL_DEBUG", group: outputGroup },
  { name: "yes", short: "y", type: "boolean", meaning: "Answer yes to every question", group: confirmationGroup },
  { name: "no-input", type: "boolean", meaning: "Never ask", env: "CAL_NO_INPUT, CI", group: confirmationGroup },
  { name: "dry-run", short: "n", type: "boolean", meaning: "Print what would be sent, and send no write", group: confirmationGroup },
  {
    name: "read-only",
    type: "boolean",
    negatable: true,
    meaning: "Refuse every request that would write",
    env: "CAL_READ_ONLY",
    group: confirmationGroup,
  },
  {
    name: "timeout",
    type: "text",
    value: "duration",
    meaning: "Time for each attempt of a request: 500ms, 30s, 2m",
    default: "30s",
    env: "CAL_TIMEOUT",
    group: connectionGroup,
  },
  {
    name: "retries",
    type: "text",
    value: "n",
    meaning: "Attempts after the first",
    default: "3",
    env: "CAL_RETRIES",
    group: connectionGroup,
  },
  {
    name: "concurrency",
    type: "text",
    value: "n",
    meaning: "Requests in flight at most",
    default: "4",
    env: "CAL_CONCURRENCY",
    group: connectionGroup,
  },
  {
    name: "ca-file",
    type: "text",
    value: "file",
    meaning: "File with certificates of more authorities (PEM)",
    env: "NODE_EXTRA_CA_CERTS",
    group: connectionGroup,
  },
  { name: "insecure", type: "boolean", meaning: "Accept any certificate, for this call only", group: connectionGroup },
];

/** The flags with what they imply: --excel is CSV where no format was typed, whatever the environment or the profile prefers. */
export function applyImpliedFlags(globals: Flags): Flags {
  const isImplied = globals["excel"] !== undefined && globals["format"] === undefined && globals["json"] === undefined;
  return isImplied ? { ...globals, format: "csv" } : globals;
}

/** What is wrong with the flags that choose what is shown, told before anything is sent. */
export function validateOutputFlags(globals: Flags): readonly string[] {
  const empty = ["fields", "field", "columns"].filter((name) => globals[name] !== undefined && parseNames(globals[name]).length === 0);
  const both = globals["fields"] !== undefined && globals["field"] !== undefined;
  return [...empty.map((name) => `--${name} names nothing`), ...(both ? ["--fields and --field exclude each other"] : [])];
}
