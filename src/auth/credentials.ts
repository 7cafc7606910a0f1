// How a request is let in: the seam between the HTTP layer and everything that knows of logins.
import { type DataRecord, isRecord } from "../data-record.ts";
import type { AuthMethod } from "../model/auth.ts";
import type { ServerProfileName } from "../model/server-profiles.ts";
import { sanitizeLine } from "../text.ts";

/** What is put on a request. */
export interface AuthHeader {
  /** Header name, lower case. */
  readonly header: string;
  /** The whole value of the header: a secret. */
  readonly value: string;
  /** Where it came from, for messages: `CAL_TOKEN`, `keychain`, `sandbox`. */
  readonly source: string;
}

/** Which token now? One per process; it may ask the keychain or the authentication service, as late as possible. */
export interface AuthHeaderProvider {
  /** The access for calls now, refreshed where it is about to expire; undefined where nobody is logged in. */
  getAuthHeader(): Promise<AuthHeader | undefined>;
  /** After a 401: another access to try once, or undefined where there is none. */
  refreshAuthHeader(refused: AuthHeader): Promise<AuthHeader | undefined>;
}

/** One access for all calls, with no other behind it; none for a visitor. */
export function createStaticAuthHeaderProvider(access?: AuthHeader): AuthHeaderProvider {
  return { getAuthHeader: async () => access, refreshAuthHeader: async () => undefined };
}

// What logins need from the rest of the program, as shapes of their own: no other room is imported for them.

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

// What an access token may look like, and what can be read from one that is a JSON Web Token ("not shown" in the interface).

/** Visible ASCII without spaces, at most 16 KiB: anything else can't go into a header. */
export function isToken(text: string): boolean {
  return text.length <= 16_384 && /^[\x21-\x7e]+$/.test(text);
}

/** What a token tells of itself. Times are milliseconds on the server's clock. */
interface TokenClaims {
  readonly identity?: string;
  readonly application?: string;
  readonly expiresAt?: number;
  readonly issuedAt?: number;
}

/** Reads the payload of a JSON Web Token, unverified: good for a display and a guess, never for a decision of trust. */
export function parseTokenClaims(token: string): TokenClaims {
  const payload = parseJwtPayload(token);
  if (payload === undefined) return {};
  const data = toRecord(payload["data"]) ?? {};
  const seconds = (value: unknown): number | undefined => {
    const number = toNumber(value);
    return number === undefined ? undefined : number * 1000;
  };
  const identity =
    toDisplayName(data["_IDENTITY"]) ??
    toDisplayName(payload["_IDENTITY"]) ??
    toDisplayName(payload["preferred_username"]) ??
    toDisplayName(payload["sub"]);
  const application = toDisplayName(data["_APPLICATION"]) ?? toDisplayName(payload["_APPLICATION"]);
  const expiresAt = toNumber(data["expires-at"]) ?? seconds(payload["exp"]);
  const issuedAt = toNumber(data["created-on"]) ?? seconds(payload["iat"]);
  return {
    ...(identity === undefined ? {} : { identity }),
    ...(application === undefined ? {} : { application }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(issuedAt === undefined ? {} : { issuedAt }),
  };
}

function parseJwtPayload(token: string): Readonly<Record<string, unknown>> | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    return toRecord(JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8")));
  } catch {
    return undefined;
  }
}

// Tolerant readers of answers whose shape the interface does not show.

/** An object of any keys, or undefined for everything else. */
export function toRecord(value: unknown): DataRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** A text that is not empty; numbers become text (identifiers come as either). */
export function toText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A name or its number, as one line that no terminal acts on: people are asked whether it is theirs. */
export function toDisplayName(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined ? undefined : toText(sanitizeLine(text).trim());
}

/** A finite number, also where it comes as text. */
export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The JSON of a body; undefined where it is none. */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

// Where secrets rest, as a type: the keychain and the plain file both look like this.

/** The secrets of a login; each is an entry of its own. */
export type SecretName = "access-token" | "refresh-token" | "client-secret" | "password";

/** All names, in the order in which they are written: what can't be got again comes first. */
export const secretNames: readonly SecretName[] = ["refresh-token", "client-secret", "password", "access-token"];

/** The two kinds of store that outlive a process. */
export type StoreName = "keychain" | "file";

/** A store of texts by account name. Every method rejects with a CalError that names the store and the ways out. */
export interface SecretStore {
  /** What is stored under the accounts; absent ones are missing in the answer. Rejects where a missing one may only be locked away. */
  read(accounts: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes in the order given, and resolves only when all of it can be read back. */
  write(entries: readonly (readonly [account: string, secret: string])[]): Promise<void>;
  /** Resolves when nothing is stored under the accounts any more. */
  remove(accounts: readonly string[]): Promise<void>;
}
