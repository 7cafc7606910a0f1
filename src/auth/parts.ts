// What logins need from the rest of the program, as shapes of their own: no other room is imported for them.
import type { AuthMethod } from "../spec/auth.ts";
import type { ServerName } from "../spec/server-kinds.ts";

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time: milliseconds since 1970, and waiting for so many of them. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

interface Given<T> {
  readonly value: T;
  readonly origin: string;
}

/** The settings that logins look at; the program's whole settings fit this shape. */
export interface AuthSettings {
  readonly profile: Given<string>;
  readonly base_url?: Given<string>;
  readonly auth_url?: Given<string>;
  readonly namespace?: Given<string>;
  readonly server?: Given<ServerName>;
  readonly auth_method?: Given<AuthMethod>;
  readonly auth_header?: Given<string>;
  readonly auth_scheme?: Given<string>;
  readonly client_id?: Given<string>;
  readonly username?: Given<string>;
}

/** What mends a login that is not accepted: a variable that gave it would be used instead of any other. */
export function loginAdvice(profile: string, source: string | undefined): string {
  const command = loginCommand(profile);
  return source?.startsWith("CAL_") === true ? `set another ${source}, or unset it and: ${command}` : command;
}

/** The command that logs a profile in, with these flags; it can be pasted. */
export function loginCommand(profile: string, ...flags: readonly string[]): string {
  return ["cal auth login", ...(profile === "default" ? [] : ["--profile", profile]), ...flags].join(" ");
}
