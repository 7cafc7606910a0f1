// Settings as a command sees them: one value each, with where it came from. Precedence: flag, sandbox, environment, profile, default.
import type { AuthMethod } from "../spec/auth.ts";
import type { ServerProfileName } from "../spec/server-kinds.ts";

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
