// A login as it is remembered: everything but the secrets. The list of them is a file that may be read by eye.
import { CalError } from "../../errors.ts";
import { type AuthMethod, authMethods } from "../../spec/auth.ts";
import type { Endpoint } from "../password.ts";
import { jsonOf, numberOf, recordOf, textOf } from "../reading.ts";
import type { RefreshWay } from "../refresh.ts";
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
  readonly refresh_way?: RefreshWay;
  readonly username?: string;
  readonly identity?: string;
  readonly identity_id?: string;
  readonly application?: string;
  readonly expires_at?: number;
  readonly stored_at: number;
}

/** The account name of a secret in a store. */
export function accountOf(login: Login, name: SecretName): string {
  return `${login.profile}/${login.id}/${name}`;
}

/** Reads the list. Throws `local` where the file is not ours. */
export function readLogins(text: string, path: string): readonly Login[] {
  const content = recordOf(jsonOf(Buffer.from(text)));
  const rows = content?.["logins"];
  if (!Array.isArray(rows)) {
    throw new CalError("local", `${path} is not the list of logins that cal wrote`, { hint: `delete it and log in again: rm ${path}` });
  }
  return rows.flatMap((row: unknown) => loginOf(row) ?? []);
}

/** The text of the list. */
export function writeLogins(logins: readonly Login[]): string {
  return `${JSON.stringify({ logins }, null, 2)}\n`;
}

function loginOf(row: unknown): Login | undefined {
  const read = recordOf(row) ?? {};
  const [profile, id] = [textOf(read["profile"]), textOf(read["id"])];
  const store = oneOf(read["store"], ["keychain", "file"] as const);
  const method = oneOf(read["method"], authMethods);
  if (profile === undefined || id === undefined || store === undefined || method === undefined) return undefined;
  const endpoint = oneOf(read["endpoint"], ["token", "app"] as const);
  const way = oneOf(read["refresh_way"], ["standard", "older"] as const);
  const expires = numberOf(read["expires_at"]);
  const held: readonly unknown[] = Array.isArray(read["holds"]) ? read["holds"] : [];
  const texts = ["base_origin", "auth_origin", "username", "identity", "identity_id", "application"].flatMap((name) => {
    const value = textOf(read[name]);
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
    stored_at: numberOf(read["stored_at"]) ?? 0,
  };
}

function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((one) => one === value);
}
