// Settings as a command sees them: one value each, with where it came from. Precedence: flag, sandbox, environment, profile, default.
import { type AuthMethod, authMethods } from "../model/auth.ts";
import { toKebabCase } from "../model/resource.ts";
import { namespaces } from "../model/resources.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { parseBaseUrl, parseRedirectUrl, parseUrl } from "./folders.ts";

/** Every setting and the type of its value. Durations are milliseconds. */
export interface SettingTypes {
  /** {base_url} of the calendar interface: the REST root of the website. May hold `?rest_route=/`. */
  readonly base_url: string;
  /** {auth_url} of the authentication interface. */
  readonly auth_url: string;
  readonly namespace: string;
  /** What kind of server the profile speaks to. */
  readonly server: ServerProfileName;
  /** The zone in which dates are read and shown, by IANA name. */
  readonly tz: string;
  /** The site's own zone, as `cal init` found it. */
  readonly site_tz: string;
  /** How the profile logs in. */
  readonly auth_method: AuthMethod;
  /** The header that presents a token, and the word before it; an empty scheme sends the bare token. */
  readonly auth_header: string;
  readonly auth_scheme: string;
  readonly client_id: string;
  readonly username: string;
  readonly redirect_url: string;
  readonly format: string;
  readonly per_page: number;
  readonly timeout: number;
  readonly retries: number;
  readonly concurrency: number;
  readonly read_only: boolean;
  readonly allow_http: boolean;
  readonly no_input: boolean;
  readonly ca_file: string;
  readonly insecure: boolean;
  readonly debug: boolean;
  readonly quiet: boolean;
  readonly sandbox: boolean;
}

/** A value and where it came from, as `cal config list --show-origin` prints it: `flag --base-url`, `environment CAL_BASE_URL`, `profile work`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/** Settings that have a value whatever was given: by a default, or because they follow from others. */
type AlwaysPresentSetting =
  | "namespace"
  | "server"
  | "tz"
  | "auth_header"
  | "auth_scheme"
  | "read_only"
  | "allow_http"
  | "timeout"
  | "retries"
  | "concurrency"
  | "no_input"
  | "insecure"
  | "debug"
  | "quiet"
  | "sandbox";

/** What was resolved; a setting that nobody gave and that has no default is absent. */
export type Settings = { readonly [K in AlwaysPresentSetting]: Setting<SettingTypes[K]> } & {
  readonly [K in Exclude<keyof SettingTypes, AlwaysPresentSetting>]?: Setting<SettingTypes[K]>;
} & {
  readonly profile: Setting<string>;
  /** The addresses that the profile itself stores, whatever a flag or variable says: secrets of the profile belong to them alone. */
  readonly profile_base_url?: string;
  readonly profile_auth_url?: string;
};

// Every setting as a row of one table: flags, environment, profiles, `cal config` and their help are read from it.

/** What a setting holds. Durations are milliseconds. */
export type SettingScalar = string | number | boolean;

/** A setting. */
export interface SettingDefinition {
  readonly name: keyof SettingTypes;
  /** `base-url` may hold `?rest_route=/`; `redirect-url` is kept to the letter, because it is compared with a registered one. */
  readonly type:
    | "base-url"
    | "url"
    | "redirect-url"
    | "text"
    | "namespace"
    | "zone"
    | "token"
    | "choice"
    | "integer"
    | "duration"
    | "boolean";
  readonly meaning: string;
  /** Whether a profile holds it: `site` says which site and who, `preference` how commands run (only `cal config set` stores it), `never` is for one call. */
  readonly scope: "site" | "preference" | "never";
  /** The global flag that gives it, without dashes. */
  readonly flag?: string;
  readonly env?: string;
  readonly default?: SettingScalar;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Whether an empty text is a value. */
  readonly allowEmpty?: true;
  /** A boolean flag that stands for a value of this setting. */
  readonly shorthand?: { readonly flag: string; readonly value: SettingScalar };
  /** A variable that means yes by being there, whatever it holds but a plain no. */
  readonly presenceVariable?: string;
}

const formatChoices = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;
const serverProfileChoices: readonly ServerProfileName[] = ["generic", "the-events-calendar"];
const jsonShorthand = { flag: "json", value: "json" } as const;
const dayMs = 86_400_000;

type SettingRow = Omit<SettingDefinition, "scope">;

const siteSettings: readonly SettingRow[] = [
  { name: "base_url", type: "base-url", flag: "base-url", env: "CAL_BASE_URL", meaning: "REST root of the website" },
  { name: "auth_url", type: "url", flag: "auth-url", env: "CAL_AUTH_URL", meaning: "Address of the authentication service" },
  { name: "namespace", type: "namespace", flag: "namespace", env: "CAL_NAMESPACE", default: namespaces.interface, meaning: "Namespace" },
  { name: "server", type: "choice", choices: serverProfileChoices, meaning: "Kind of server; told by the namespace where it is not set" },
  { name: "tz", type: "zone", flag: "tz", env: "CAL_TZ", meaning: "Time zone in which dates are read and shown" },
  { name: "site_tz", type: "zone", meaning: "Time zone of the site, used where tz is not set" },
  { name: "auth_method", type: "choice", env: "CAL_AUTH_METHOD", choices: authMethods, meaning: "How to log in" },
  { name: "auth_header", type: "token", default: "Authorization", meaning: "Header that presents the token" },
  { name: "auth_scheme", type: "token", default: "Bearer", allowEmpty: true, meaning: "Word before the token; empty sends the bare token" },
  { name: "client_id", type: "text", flag: "client-id", env: "CAL_CLIENT_ID", meaning: "Identifier of the application" },
  { name: "username", type: "text", flag: "username", env: "CAL_USERNAME", meaning: "Name of the user" },
  { name: "redirect_url", type: "redirect-url", meaning: "Address registered for the login in the browser" },
  { name: "read_only", type: "boolean", flag: "read-only", env: "CAL_READ_ONLY", default: false, meaning: "Refuse whatever would write" },
  { name: "allow_http", type: "boolean", env: "CAL_ALLOW_HTTP", default: false, meaning: "Send the access over plain http too" },
  { name: "ca_file", type: "text", flag: "ca-file", meaning: "File with certificates of more authorities (PEM)" },
];

const preferenceSettings: readonly SettingRow[] = [
  {
    name: "format",
    type: "choice",
    flag: "format",
    env: "CAL_FORMAT",
    choices: formatChoices,
    shorthand: jsonShorthand,
    meaning: "Output format",
  },
  { name: "per_page", type: "integer", flag: "per-page", env: "CAL_PER_PAGE", min: 1, meaning: "Records asked for in one request" },
  {
    name: "timeout",
    type: "duration",
    flag: "timeout",
    env: "CAL_TIMEOUT",
    default: 30_000,
    min: 1,
    max: dayMs,
    meaning: "Time for an attempt",
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
  },
];

const perCallSettings: readonly SettingRow[] = [
  {
    name: "no_input",
    type: "boolean",
    flag: "no-input",
    env: "CAL_NO_INPUT",
    presenceVariable: "CI",
    default: false,
    meaning: "Never ask",
  },
  { name: "insecure", type: "boolean", flag: "insecure", default: false, meaning: "Accept any certificate" },
  { name: "debug", type: "boolean", flag: "debug", env: "CAL_DEBUG", default: false, meaning: "Tell every exchange on stderr" },
  { name: "quiet", type: "boolean", flag: "quiet", default: false, meaning: "Less output on stderr" },
  { name: "sandbox", type: "boolean", flag: "sandbox", env: "CAL_SANDBOX", default: false, meaning: "Use the embedded calendar" },
];

/** All settings, in the order in which they are listed. `profile` is no row: it chooses where the others come from. */
export const settingDefinitions: readonly SettingDefinition[] = [
  ...siteSettings.map((row): SettingDefinition => ({ ...row, scope: "site" })),
  ...preferenceSettings.map((row): SettingDefinition => ({ ...row, scope: "preference" })),
  ...perCallSettings.map((row): SettingDefinition => ({ ...row, scope: "never" })),
];

/** The row of a setting by its name, in snake or kebab case; undefined where there is none. */
export function findSettingDefinition(name: string): SettingDefinition | undefined {
  const wanted = name.toLowerCase().replaceAll("-", "_");
  return settingDefinitions.find((key) => key.name === wanted);
}

/** The flag that gives a setting to `cal profile add`: the global one, else its name in kebab case. */
export function getSettingFlag(key: SettingDefinition): string {
  return key.flag ?? toKebabCase(key.name);
}

// The text or JSON of a setting -> its value, checked; and back into what people read and profiles store.

/** A value, or what is wrong with it: a phrase that follows the name of its source, free of the text of addresses. */
type SettingParseResult = { readonly value: SettingScalar } | { readonly problem: string };

const headerTokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const namespacePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const utcOffsetPattern = /^[+-](0\d|1[0-4]):[0-5]\d$/;
const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads what a flag, a variable or a profile holds. A number for a duration is milliseconds; its text needs a unit (ms, s, m, h). */
export function parseSettingValue(key: SettingDefinition, raw: unknown): SettingParseResult {
  if (key.type === "boolean") return parseBooleanSetting(raw);
  if (key.type === "integer") return checkRange(key, parseWholeNumber(raw), "a whole number");
  if (key.type === "duration")
    return checkRange(key, typeof raw === "number" ? raw : parseDurationMs(String(raw)), "a duration such as 30s or 2m");
  if (typeof raw !== "string") return { problem: "must be text" };
  if (raw === "" && key.allowEmpty !== true) return { problem: "is empty" };
  if (/\p{Cc}/u.test(raw)) return { problem: "holds control characters" };
  return parseTextSetting(key, raw);
}

function parseTextSetting(key: SettingDefinition, text: string): SettingParseResult {
  switch (key.type) {
    case "base-url":
      return parseBaseUrl(text);
    case "url":
      return parseUrl(text);
    case "redirect-url":
      return parseRedirectUrl(text);
    case "zone":
      return isZone(text) ? { value: text } : { problem: `"${text}" is no time zone; write it like Europe/Paris` };
    case "namespace": {
      const bare = text.replace(/^\/+|\/+$/g, "");
      return namespacePattern.test(bare) ? { value: bare } : { problem: `"${text}" is no namespace; write it like calendar/events/v1` };
    }
    case "token":
      return text === "" || headerTokenPattern.test(text)
        ? { value: text }
        : { problem: `"${text}" holds characters that a header can't have` };
    case "choice":
      return key.choices?.includes(text) === true ? { value: text } : { problem: `"${text}" is none of ${key.choices?.join(", ")}` };
    default:
      return { value: text };
  }
}

function parseBooleanSetting(raw: unknown): SettingParseResult {
  if (typeof raw === "boolean") return { value: raw };
  if (["1", "true", "yes"].includes(String(raw).toLowerCase())) return { value: true };
  if (["0", "false", "no"].includes(String(raw).toLowerCase())) return { value: false };
  return { problem: `${JSON.stringify(raw)} is neither true nor false` };
}

function parseWholeNumber(raw: unknown): number {
  return typeof raw === "string" && !/^\d+$/.test(raw) ? Number.NaN : Number(raw);
}

function parseDurationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return Number.NaN;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (durationUnits[unit ?? ""] ?? Number.NaN), 0);
}

function checkRange(key: SettingDefinition, value: number, what: string): SettingParseResult {
  if (!Number.isSafeInteger(value)) return { problem: `is not ${what}` };
  if (value < (key.min ?? 0)) return { problem: `is less than ${formatLimit(key, key.min ?? 0)}` };
  if (key.max !== undefined && value > key.max) return { problem: `is more than ${formatLimit(key, key.max)}` };
  return { value };
}

/** A value as people read it and as a profile stores it: durations as `1m30s`, everything else as it is. */
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

function formatLimit(key: SettingDefinition, value: SettingScalar): string {
  return String(formatSettingValue(key, value));
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
