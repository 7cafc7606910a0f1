// Every setting as a row of one table. Types, flags, variables, profiles, `cal config` and the help are read from it.
import { authMethods } from "../model/auth.ts";
import { toKebabCase } from "../model/resource.ts";
import { namespaces } from "../model/resources.ts";

/** What a setting holds. Durations are milliseconds. */
export type SettingScalar = string | number | boolean;

/** The types of settings, each with the name of its value in the help. */
const valueNames = {
  "base-url": "url",
  url: "url",
  "redirect-url": "url",
  text: "text",
  namespace: "path",
  zone: "zone",
  token: "text",
  choice: "name",
  integer: "n",
  duration: "duration",
  boolean: undefined,
} as const;

interface SettingRow {
  readonly name: string;
  readonly type: keyof typeof valueNames;
  readonly meaning: string;
  /** The flag that gives it, without dashes. */
  readonly flag?: string;
  readonly env?: string;
  /** A variable that means yes unless it is empty or a plain no. */
  readonly presenceVariable?: string;
  readonly default?: SettingScalar;
  /** It follows from other settings where no source gives it. */
  readonly derived?: true;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Whether an empty text is a value. */
  readonly allowEmpty?: true;
  /** A boolean flag for one value of this setting. */
  readonly shorthand?: { readonly flag: string; readonly value: SettingScalar };
  /** What the global flag has beyond the row, and its own words in the help. */
  readonly help?: {
    readonly short?: string;
    readonly value?: string;
    readonly meaning?: string;
    readonly negatable?: true;
    readonly default?: string;
    readonly env?: string;
    readonly synonyms?: Readonly<Record<string, string>>;
    /** Words that users look for among the choices and that no choice means. */
    readonly unsupported?: { readonly words: readonly string[]; readonly reason: string; readonly hint: string };
  };
  /** Values that only the flag takes, and only on some commands. */
  readonly flagChoices?: readonly string[];
}

/** The settings by scope, in the order in which they are listed. `profile` is no row: it chooses where the others come from. */
const settingTable = {
  // Which site and who: a profile holds them.
  site: [
    { name: "base_url", type: "base-url", flag: "base-url", env: "CAL_BASE_URL", meaning: "REST root of the website" },
    { name: "auth_url", type: "url", flag: "auth-url", env: "CAL_AUTH_URL", meaning: "Address of the authentication service" },
    {
      name: "namespace",
      type: "namespace",
      flag: "namespace",
      env: "CAL_NAMESPACE",
      default: namespaces.interface,
      meaning: "Namespace",
      help: { meaning: "Namespace of the calendar interface" },
    },
    {
      name: "server",
      type: "choice",
      choices: ["generic", "the-events-calendar"],
      derived: true,
      meaning: "Server profile; default: from the namespace",
    },
    { name: "tz", type: "zone", flag: "tz", env: "CAL_TZ", derived: true, meaning: "Time zone in which dates are read and shown" },
    { name: "site_tz", type: "zone", meaning: "Time zone of the site, used where tz is not set" },
    { name: "auth_method", type: "choice", env: "CAL_AUTH_METHOD", choices: authMethods, meaning: "How to log in" },
    { name: "auth_header", type: "token", default: "Authorization", meaning: "Header of the token" },
    {
      name: "auth_scheme",
      type: "token",
      default: "Bearer",
      allowEmpty: true,
      meaning: "Scheme before the token; empty sends the token alone",
    },
    {
      name: "client_id",
      type: "text",
      flag: "client-id",
      env: "CAL_CLIENT_ID",
      meaning: "Identifier of the application",
      help: { value: "id" },
    },
    { name: "username", type: "text", flag: "username", env: "CAL_USERNAME", meaning: "Name of the user", help: { value: "name" } },
    { name: "redirect_url", type: "redirect-url", meaning: "Address registered for the login in the browser" },
    {
      name: "read_only",
      type: "boolean",
      flag: "read-only",
      env: "CAL_READ_ONLY",
      default: false,
      meaning: "Refuse every write",
      help: { meaning: "Refuse every request that would write", negatable: true },
    },
    {
      name: "allow_http",
      type: "boolean",
      env: "CAL_ALLOW_HTTP",
      default: false,
      meaning: "Send the login also over http, which is not encrypted",
    },
    {
      name: "ca_file",
      type: "text",
      flag: "ca-file",
      meaning: "File with certificates of additional authorities (PEM)",
      // Node itself reads the variable.
      help: { value: "file", env: "NODE_EXTRA_CA_CERTS" },
    },
  ],
  // How commands run: a profile holds them, and only `cal config set` stores them.
  preference: [
    {
      name: "format",
      type: "choice",
      flag: "format",
      env: "CAL_FORMAT",
      choices: ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"],
      flagChoices: ["ics", "markdown", "html"],
      shorthand: { flag: "json", value: "json" },
      meaning: "Output format",
      help: {
        value: "format",
        default: "table on a terminal, tsv in a pipe",
        synonyms: { excel: "csv --excel", xlsx: "csv --excel", jsonl: "ndjson" },
        unsupported: {
          words: ["ics", "ical", "icalendar", "vcalendar", "markdown", "md", "html", "htm"],
          reason: "ics is for events list, events get and agenda; markdown and html are for events list and agenda",
          hint: "see cal help formats",
        },
      },
    },
    { name: "per_page", type: "integer", flag: "per-page", env: "CAL_PER_PAGE", min: 1, meaning: "Records asked for in one request" },
    {
      name: "pager",
      type: "text",
      env: "CAL_PAGER",
      meaning: "Program that shows output longer than the screen; `cat` means no pager. Default: PAGER, else `less -FRX`",
    },
    {
      name: "timeout",
      type: "duration",
      flag: "timeout",
      env: "CAL_TIMEOUT",
      default: 30_000,
      min: 1,
      max: 86_400_000,
      meaning: "Time for an attempt",
      help: { meaning: "Time for each attempt of a request: 500ms, 30s, 2m" },
    },
    {
      name: "retries",
      type: "integer",
      flag: "retries",
      env: "CAL_RETRIES",
      default: 3,
      min: 0,
      max: 20,
      meaning: "Attempts after the first",
    },
    {
      name: "concurrency",
      type: "integer",
      flag: "concurrency",
      env: "CAL_CONCURRENCY",
      default: 4,
      min: 1,
      max: 64,
      meaning: "Requests at once",
      help: { meaning: "Requests in flight at most" },
    },
    {
      name: "shared_venues",
      type: "text",
      allowEmpty: true,
      meaning: "Venues that hold several events at once (ids, slugs or names): conflicts passes them over",
    },
    // Its folder is CAL_STATE_DIR.
    {
      name: "journal",
      type: "boolean",
      env: "CAL_JOURNAL",
      default: true,
      meaning: "Keep what a write changes, for cal log and cal undo",
    },
  ],
  // For one call: never stored.
  never: [
    {
      name: "no_input",
      type: "boolean",
      flag: "no-input",
      env: "CAL_NO_INPUT",
      presenceVariable: "CI",
      default: false,
      meaning: "Never ask",
    },
    {
      name: "insecure",
      type: "boolean",
      flag: "insecure",
      default: false,
      meaning: "Accept any certificate",
      help: { meaning: "Accept any certificate, for this call only" },
    },
    {
      name: "debug",
      type: "boolean",
      flag: "debug",
      env: "CAL_DEBUG",
      default: false,
      meaning: "Print every request on stderr",
      help: { meaning: "Print every request on stderr, without secrets" },
    },
    {
      name: "quiet",
      type: "boolean",
      flag: "quiet",
      default: false,
      meaning: "Less output on stderr",
      help: { short: "q", meaning: "Only warnings and errors on stderr" },
    },
    {
      name: "sandbox",
      type: "boolean",
      flag: "sandbox",
      env: "CAL_SANDBOX",
      default: false,
      meaning: "Use the sandbox",
      help: { meaning: "Use the sandbox, the built-in calendar: no account, no network" },
    },
  ],
} as const satisfies Readonly<Record<string, readonly SettingRow[]>>;

type Scope = keyof typeof settingTable;
type TableRow = (typeof settingTable)[Scope][number];
type SettingName = TableRow["name"];
type ValueOf<Row extends SettingRow> = Row extends { type: "choice"; choices: readonly (infer Choice)[] }
  ? Choice | (Row extends { flagChoices: readonly (infer Other)[] } ? Other : never)
  : Row["type"] extends "integer" | "duration"
    ? number
    : Row["type"] extends "boolean"
      ? boolean
      : string;

/** Every setting and the type of its value. */
export type SettingTypes = { readonly [Row in TableRow as Row["name"]]: ValueOf<Row> };

/** A value and where it came from, as `cal config list --show-origin` prints it: `flag --base-url`, `environment CAL_BASE_URL`, `profile work`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/** Settings that always have a value. */
type AlwaysPresentSetting = Extract<TableRow, { default: SettingScalar } | { derived: true }>["name"];

/** The resolved settings; one that no source gave and that has no default is absent. */
export type Settings = { readonly [Name in AlwaysPresentSetting]: Setting<SettingTypes[Name]> } & {
  readonly [Name in Exclude<SettingName, AlwaysPresentSetting>]?: Setting<SettingTypes[Name]>;
} & {
  readonly profile: Setting<string>;
  /** The addresses that the profile itself stores, whatever a flag or variable says: secrets of the profile belong to them alone. */
  readonly profile_base_url?: string;
  readonly profile_auth_url?: string;
};

/** A row of the table. */
export interface SettingDefinition extends SettingRow {
  readonly name: SettingName;
  readonly scope: Scope;
}

/** All settings, in the order in which they are listed. */
export const settingDefinitions: readonly SettingDefinition[] = (["site", "preference", "never"] as const).flatMap((scope) =>
  settingTable[scope].map((row): SettingDefinition => ({ ...row, scope })),
);

/** The row of a setting by its name, in snake or kebab case; undefined where there is none. */
export function findSettingDefinition(name: string): SettingDefinition | undefined {
  const normalized = name.toLowerCase().replaceAll("-", "_");
  return settingDefinitions.find((key) => key.name === normalized);
}

/** The flag that gives a setting to `cal profile add`: the global one, else its name in kebab case. */
export function getSettingFlag(key: SettingDefinition): string {
  return key.flag ?? toKebabCase(key.name);
}

/** The name of the value in the help; undefined for a boolean. */
export function getValueName({ type, help }: SettingDefinition): string | undefined {
  return help?.value ?? valueNames[type];
}

/** A value, or what is wrong with it: a phrase that follows the name of its source, free of the text of addresses. */
type SettingParseResult<T = SettingScalar> = { readonly value: T } | { readonly problem: string };

const headerTokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const namespacePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const utcOffsetPattern = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Checks what a flag, a variable or a profile holds. A number for a duration is milliseconds; its text needs a unit (ms, s, m, h). */
export function parseSettingValue(key: SettingDefinition, raw: unknown): SettingParseResult {
  if (key.type === "boolean") {
    if (typeof raw === "boolean") return { value: raw };
    if (["1", "true", "yes"].includes(String(raw).toLowerCase())) return { value: true };
    if (["0", "false", "no"].includes(String(raw).toLowerCase())) return { value: false };
    return { problem: `${JSON.stringify(raw)} is neither true nor false` };
  }
  if (key.type === "integer")
    return checkRange(key, raw, typeof raw === "string" && !/^\d+$/.test(raw) ? Number.NaN : Number(raw), "a whole number");
  if (key.type === "duration")
    return checkRange(key, raw, typeof raw === "number" ? raw : parseDurationMs(String(raw)), "a duration such as 30s or 2m");
  if (typeof raw !== "string") return { problem: "must be text" };
  if (raw === "" && key.allowEmpty !== true) return { problem: "is empty" };
  if (/\p{Cc}/u.test(raw)) return { problem: "holds control characters" };
  switch (key.type) {
    case "base-url":
    case "url":
    case "redirect-url":
      return parseUrl(raw, key.type);
    case "zone":
      return isZone(raw) ? { value: raw } : { problem: `"${raw}" is not a time zone; write it like Europe/Paris` };
    case "namespace": {
      const bare = raw.replace(/^\/+|\/+$/g, "");
      return namespacePattern.test(bare) ? { value: bare } : { problem: `"${raw}" is not a namespace; write it like calendar/events/v1` };
    }
    case "token":
      return raw === "" || headerTokenPattern.test(raw)
        ? { value: raw }
        : { problem: `"${raw}" holds characters that a header can't have` };
    case "choice":
      if (key.flagChoices?.includes(raw) === true)
        return { problem: `"${raw}" is a value of --${key.flag} alone, on some commands: cal help ${key.name}s` };
      return key.choices?.includes(raw) === true ? { value: raw } : { problem: `"${raw}" is not one of ${key.choices?.join(", ")}` };
    default:
      return { value: raw };
  }
}

function parseDurationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return Number.NaN;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (durationUnits[unit ?? ""] ?? Number.NaN), 0);
}

function checkRange(key: SettingDefinition, raw: unknown, value: number, what: string): SettingParseResult {
  const { min = 0, max = Number.POSITIVE_INFINITY } = key;
  if (!Number.isSafeInteger(value)) return { problem: `${JSON.stringify(raw)} is not ${what}` };
  if (value < min) return { problem: `is less than ${formatSettingValue(key, min)}` };
  return value > max ? { problem: `is more than ${formatSettingValue(key, max)}` } : { value };
}

/**
 * An address in the form in which it is stored: without a slash at its end and, unless it is a base URL, without a query. A base URL may be
 * `<site>/?rest_route=/`, with other parameters before it. No problem quotes the address: it may hold a password by mistake.
 */
export function parseUrl(text: string, type: "base-url" | "url" | "redirect-url" = "url"): SettingParseResult<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: "is not an address that begins with https:// or http://" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "holds a user name or password; they are given at cal auth login" };
  if (text.includes("#")) return { problem: "holds a fragment (#)" };
  // It is compared with a registered address, so it is stored unchanged.
  if (type === "redirect-url") return { value: text };
  if (url.search === "") return { value: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
  if (type === "url") return { problem: "holds a query" };
  const route = url.searchParams.get("rest_route");
  if (route === null) return { problem: "holds a query other than ?rest_route=/" };
  if (route.replace(/\/+/g, "") !== "") return { problem: "holds a route; end it with ?rest_route=/" };
  url.searchParams.delete("rest_route");
  const others = url.searchParams.toString();
  return { value: `${url.origin}${url.pathname}?${others === "" ? "" : `${others}&`}rest_route=/` };
}

function isZone(name: string): boolean {
  if (utcOffsetPattern.test(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A value as it is printed and stored: durations as `1m30s`, everything else unchanged. */
export function formatSettingValue(key: SettingDefinition, value: SettingScalar): SettingScalar {
  if (key.type !== "duration" || typeof value !== "number") return value;
  let rest = value;
  let text = "";
  for (const [unit, size] of Object.entries(durationUnits).reverse()) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === "" ? "0ms" : text;
}
