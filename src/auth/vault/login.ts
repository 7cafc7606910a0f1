// A login as it is remembered: everything but the secrets. The list of them is a file that may be read by eye.
import { CalError } from "../../errors.ts";
import { type AuthMethod, authMethods } from "../../spec/auth.ts";
import type { Endpoint } from "../password.ts";
import { parseJsonBody, toNumber, toRecord, toText } from "../reading.ts";
import type { RefreshMethod } from "../refresh.ts";
import { type SecretName, type StoreName, secretNames } from "./secret-store.ts";

/** One row of the list; the names are those of the file. Times are milliseconds since 1970. */
export interface Login {
  readonly profile: string;
  /** Makes the names of this login's secrets its own, so that a new login never meets the leftovers of an old one. */
  readonly id: string;
  readonly store: StoreName;
  readonly method: AuthMethod;
  /** Which secrets are stored. */
  readonly holds: readonly SecretName[];
  /** The origins that the secrets may be sent to, as they were at login. */
  readonly base_origin?: string;
  readonly auth_origin?: string;
  readonly endpoint?: Endpoint;
  readonly refresh_way?: RefreshMethod;
  readonly username?: string;
  readonly identity?: string;
  readonly identity_id?: string;
  readonly application?: string;
  readonly expires_at?: number;
  readonly stored_at: number;
}

/** The account name of a secret in a store. */
export function formatAccountName(login: Login, name: SecretName): string {
  return `${login.profile}/${login.id}/${name}`;
}

/** Reads the list. Throws `local` where the file is not ours. */
export function parseLogins(text: string, path: string): readonly Login[] {
  const content = toRecord(parseJsonBody(Buffer.from(text)));
  const rows = content?.["logins"];
  if (!Array.isArray(rows)) {
    throw new CalError("local", `${path} is not the list of logins that cal wrote`, { hint: `delete it and log in again: rm ${path}` });
  }
  return rows.flatMap((row: unknown) => parseLogin(row) ?? []);
}

/** The text of the list. */
export function serializeLogins(logins: readonly Login[]): string {
  return `${JSON.stringify({ logins }, null, 2)}\n`;
}

function parseLogin(row: unknown): Login | undefined {
  const read = toRecord(row) ?? {};
  const [profile, id] = [toText(read["profile"]), toText(read["id"])];
  const store = parseEnumValue(read["store"], ["keychain", "file"] as const);
  const method = parseEnumValue(read["method"], authMethods);
  if (profile === undefined || id === undefined || store === undefined || method === undefined) return undefined;
  const endpoint = parseEnumValue(read["endpoint"], ["token", "app"] as const);
  const way = parseEnumValue(read["refresh_way"], ["standard", "older"] as const);
  const expires = toNumber(read["expires_at"]);
  const held: readonly unknown[] = Array.isArray(read["holds"]) ? read["holds"] : [];
  const texts = ["base_origin", "auth_origin", "username", "identity", "identity_id", "application"].flatMap((name) => {
    const value = toText(read[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    profile,
    id,
    store,
    method,
    holds: secretNames.filter((name) => held.includes(name)),
    ...Object.fromEntries(texts),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(way === undefined ? {} : { refresh_way: way }),
    ...(expires === undefined ? {} : { expires_at: expires }),
    stored_at: toNumber(read["stored_at"]) ?? 0,
  };
}

function parseEnumValue<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((one) => one === value);
}
