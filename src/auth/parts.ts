// What logins need from the rest of the program, as shapes of their own: no other room is imported for them.
import type { AuthMethod } from "../spec/auth.ts";
import type { ServerProfileName } from "../spec/server-kinds.ts";

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time: milliseconds since 1970, and waiting for so many of them. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

interface SettingValue<T> {
  readonly value: T;
  readonly origin: string;
}

/** The settings that logins look at; the program's whole settings fit this shape. */
export interface AuthSettings {
  readonly profile: SettingValue<string>;
  readonly base_url?: SettingValue<string>;
  readonly auth_url?: SettingValue<string>;
  readonly namespace?: SettingValue<string>;
  readonly server?: SettingValue<ServerProfileName>;
  readonly auth_method?: SettingValue<AuthMethod>;
  readonly auth_header?: SettingValue<string>;
  readonly auth_scheme?: SettingValue<string>;
  readonly client_id?: SettingValue<string>;
  readonly username?: SettingValue<string>;
}

/** What mends a login that is not accepted: a variable that gave it would be used instead of any other. */
export function loginHint(profile: string, source: string | undefined): string {
  const command = loginCommand(profile);
  return source?.startsWith("CAL_") === true ? `set another ${source}, or unset it and: ${command}` : command;
}

/** The command that logs a profile in, with these flags; it can be pasted. */
export function loginCommand(profile: string, ...flags: readonly string[]): string {
  return ["cal auth login", ...(profile === "default" ? [] : ["--profile", profile]), ...flags].join(" ");
}
