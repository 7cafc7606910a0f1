// Every setting as a row of one table: flags, environment, profiles, `cal config` and their help are read from it.
import { authMethods } from "../spec/auth.ts";
import { toKebabCase } from "../spec/field.ts";
import { namespaces } from "../spec/index.ts";
import type { ServerProfileName } from "../spec/server-kinds.ts";
import type { SettingTypes } from "./settings.ts";

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
