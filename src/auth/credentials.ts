// The header that authenticates a request, the names of the secrets behind it, and tolerant readers for tokens and replies.
import type { Settings } from "../config/settings.ts";
import { type DataRecord, isRecord } from "../data-record.ts";
import type { Hint } from "../errors.ts";
import { sanitizeLine } from "../text.ts";

/** A header that authenticates a request. */
export interface AuthHeader {
  /** Header name, lower case. */
  readonly header: string;
  /** The whole value of the header: a secret. */
  readonly value: string;
  /** For messages: `CAL_TOKEN`, `keychain`, `sandbox`. */
  readonly source: string;
}

/** One per process. It reads the keychain and asks the authentication service only when a header is needed. */
export interface AuthHeaderProvider {
  /** The header for requests now, refreshed where it is about to expire; undefined where nobody is logged in. */
  getAuthHeader(): Promise<AuthHeader | undefined>;
  /** After a 401: another header to try once, or undefined where there is none. */
  refreshAuthHeader(rejected: AuthHeader): Promise<AuthHeader | undefined>;
}

/** The same header for all requests; none for an anonymous visitor. */
export function createStaticAuthHeaderProvider(authHeader?: AuthHeader): AuthHeaderProvider {
  return { getAuthHeader: async () => authHeader, refreshAuthHeader: async () => undefined };
}

/** Base64 of `<name>:<secret>` in UTF-8 (section 4.2; the same form as HTTP's Basic). */
export function encodeBasicCredentials(name: string, secret: string): string {
  return Buffer.from(`${name}:${secret}`, "utf8").toString("base64");
}

/** `Authorization: Bearer <token>`, unless the profile sets another header or scheme (section 5 does not show them). */
export function bearerHeader({ auth_header, auth_scheme }: Settings, token: string, source: string): AuthHeader {
  const value = auth_scheme.value === "" ? token : `${auth_scheme.value} ${token}`;
  return { header: auth_header.value.toLowerCase(), value, source };
}

/** `Authorization: Basic`, as sites that run WordPress accept application passwords. */
export function basicHeader(username: string, password: string, source: string): AuthHeader {
  return { header: "authorization", value: `Basic ${encodeBasicCredentials(username, password)}`, source };
}

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Times and durations are milliseconds. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** What to do about a login that is not accepted. A variable that holds one takes precedence over a stored login. */
export function loginHint(profile: string, source: string | undefined): Hint {
  const command = loginCommand(profile);
  return source?.startsWith("CAL_") === true ? { text: `set another ${source}, or unset it and`, command } : { command };
}

/** The command that logs a profile in; it can be pasted. */
export function loginCommand(profile: string, ...flags: readonly string[]): string {
  return ["cal auth login", ...(profile === "default" ? [] : ["--profile", profile]), ...flags].join(" ");
}

/** Visible ASCII without spaces, at most 16 KiB: anything else can't be part of a header. */
export function isToken(text: string): boolean {
  return text.length <= 16_384 && /^[\x21-\x7e]+$/.test(text);
}

/**
 * Reads the payload of a JSON Web Token ("not shown" in the interface). It is not verified: no decision of trust may depend on it.
 * Times are milliseconds on the server's clock.
 */
export function parseTokenClaims(token: string) {
  const parts = token.split(".");
  const payload = (parts.length === 3 ? toRecord(parseJsonBody(Buffer.from(parts[1] ?? "", "base64url"))) : undefined) ?? {};
  const data = toRecord(payload["data"]) ?? {};
  const seconds = (value: unknown): number | undefined => {
    const number = toNumber(value);
    return number === undefined ? undefined : number * 1000;
  };
  return {
    identity:
      toDisplayName(data["_IDENTITY"]) ??
      toDisplayName(payload["_IDENTITY"]) ??
      toDisplayName(payload["preferred_username"]) ??
      toDisplayName(payload["sub"]),
    application: toDisplayName(data["_APPLICATION"]) ?? toDisplayName(payload["_APPLICATION"]),
    expiresAt: toNumber(data["expires-at"]) ?? seconds(payload["exp"]),
    issuedAt: toNumber(data["created-on"]) ?? seconds(payload["iat"]),
  };
}

// The interface does not show the shapes of replies: these readers accept any value.

export function toRecord(value: unknown): DataRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** A text that is not empty; numbers become text (identifiers are sent as either). */
export function toText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A name or its number, as one line that is safe on a terminal. */
export function toDisplayName(value: unknown): string | undefined {
  const text = toText(value);
  return text === undefined ? undefined : toText(sanitizeLine(text).trim());
}

/** A finite number, also where it is sent as text. */
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

/** The secrets of a login, in the order in which they are written: those that can't be requested again come first. */
export const secretNames = ["refresh-token", "client-secret", "password", "access-token"] as const;

export type SecretName = (typeof secretNames)[number];

/** The stores that outlive a process. */
export type StoreName = "keychain" | "file";

/** A store of texts by account name. Every method rejects with a CalError that names the store and the alternatives. */
export interface SecretStore {
  /** Accounts without a secret are absent in the result. Rejects where the store may only be locked. */
  read(accounts: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes in the given order, and resolves only when all of it can be read back. */
  write(entries: readonly (readonly [account: string, secret: string])[]): Promise<void>;
  /** Resolves when the store has no secret for these accounts. */
  remove(accounts: readonly string[]): Promise<void>;
}
