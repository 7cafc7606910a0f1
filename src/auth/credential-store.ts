// The logins of all profiles: logins.json lists them without secrets, and each names the store that holds its secrets.

import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { CalError } from "../errors.ts";
import { type AuthMethod, authMethods } from "../model/auth.ts";
import { createFileSecretStore, createLock, credentialFilePath, type Lock, readPrivateFile, writePrivateFile } from "./credential-file.ts";
import {
  type Clock,
  loginCommand,
  parseJsonBody,
  type SecretName,
  type SecretStore,
  type StoreName,
  secretNames,
  toNumber,
  toRecord,
  toText,
} from "./credentials.ts";
import { createKeychainSecretStore, type KeychainOptions, withChunkedSecrets } from "./keychain.ts";
import type { Endpoint, RefreshMethod } from "./password.ts";

/** A row of logins.json; the names are those of the file. Times are milliseconds since 1970. */
export interface Login {
  readonly profile: string;
  /** Part of the account names of its secrets, so that a new login never meets the secrets of an old one. */
  readonly id: string;
  readonly store: StoreName;
  readonly method: AuthMethod;
  /** Which secrets are stored. */
  readonly holds: readonly SecretName[];
  /** The origins that the secrets may be sent to: those of base_url and auth_url at login. */
  readonly base_origin?: string | undefined;
  readonly auth_origin?: string | undefined;
  readonly username?: string | undefined;
  readonly identity?: string | undefined;
  readonly identity_id?: string | undefined;
  readonly application?: string | undefined;
  readonly endpoint?: Endpoint | undefined;
  readonly refresh_way?: RefreshMethod | undefined;
  readonly expires_at?: number | undefined;
  readonly stored_at: number;
}

/** A login before it is saved. */
export type NewLogin = Omit<Login, "id" | "stored_at" | "holds">;

/** The secrets of a login by name. */
export type Secrets = Readonly<Partial<Record<SecretName, string | undefined>>>;

/** The only way to stored logins. Several processes may use the same state folder. */
export interface CredentialStore {
  /** The file with the secrets of logins in the `file` store. */
  readonly filePath: string;
  /** Why a store can't be used; undefined where it can. */
  findStoreError(store: StoreName): Promise<CalError | undefined>;
  listLogins(): Promise<readonly Login[]>;
  findLogin(profile: string): Promise<Login | undefined>;
  /** Reads those of the secrets that the login holds. Rejects with `unauthenticated` where the store lacks one. */
  readSecrets(login: Login, names: readonly SecretName[]): Promise<Secrets>;
  /** Saves a new login. Only then it removes what the profile had before. Call it under the login lock. */
  save(login: NewLogin, secrets: Secrets): Promise<{ readonly login: Login } & Cleanup>;
  /** Replaces secrets of a login, then its row. The old expiry belongs to the old token, so it is dropped. Call it under the login lock. */
  update(login: Login, changes: Partial<NewLogin>, secrets: Secrets): Promise<Login>;
  /**
   * Removes the secrets, then the row, and what earlier logins left. The row stays where its own secrets can't be removed. Call it under the
   * login lock.
   */
  remove(profile: string): Promise<{ readonly wasFound: boolean } & Cleanup>;
  /** One process at a time for a profile's login. */
  withLoginLock<T>(profile: string, work: () => Promise<T>): Promise<T>;
}

/** What became of secrets that earlier logins of a profile left. */
interface Cleanup {
  /** Why they could not be removed: the keychain that has them may be out of reach now. */
  readonly cleanupError?: CalError | undefined;
}

/** What identifies the secrets of a login. */
type SecretOwner = Pick<Login, "profile" | "id" | "store" | "holds">;

/** The content of logins.json. */
interface LoginList {
  readonly logins: readonly Login[];
  /**
   * Secrets that no login owns yet, or any more. They are listed before they are written, and until they are removed, so that an
   * interrupted process leaves no secret that nobody knows of.
   */
  readonly unowned: readonly SecretOwner[];
}

/** The logins of a state folder. Nothing is opened before it is used. */
export function openCredentialStore(options: {
  readonly folder: string;
  readonly clock: Clock;
  readonly keychain: KeychainOptions;
  /** Registers a callback for a signal that ends the process. */
  readonly atSignal?: (act: () => void) => void;
}): CredentialStore {
  const { folder, clock, keychain, atSignal } = options;
  const lock = createLock(join(folder, "locks"), { sleep: clock.sleep, ...(atSignal && { atSignal }) });
  const stores = { keychain: withChunkedSecrets(createKeychainSecretStore(keychain)), file: createFileSecretStore(folder, lock) };
  return createCredentialStore(folder, clock, lock, stores);
}

export function createCredentialStore(
  folder: string,
  clock: Clock,
  lock: Lock,
  stores: Readonly<Record<StoreName, SecretStore>>,
): CredentialStore {
  const path = join(folder, "logins.json");
  const readList = async (): Promise<LoginList> => {
    const text = await readPrivateFile(path);
    return text === undefined ? { logins: [], unowned: [] } : parseLoginList(text, path);
  };
  const changeList = (change: (list: LoginList) => LoginList): Promise<void> =>
    lock("logins", async () => {
      const { logins, unowned } = change(await readList());
      await writePrivateFile(path, `${JSON.stringify({ logins, ...(unowned.length > 0 && { unowned }) }, null, 2)}\n`);
    });
  const removeUnowned = async (rows: readonly SecretOwner[]): Promise<void> => {
    for (const row of rows) {
      const owned = (await readList()).logins.find(({ id }) => id === row.id)?.holds ?? [];
      const names = row.holds.filter((name) => !owned.includes(name));
      await stores[row.store].remove(names.map((name) => formatAccountName(row, name)));
      await changeList(({ logins, unowned }) => ({ logins, unowned: unowned.filter(({ id }) => id !== row.id) }));
    }
  };
  /** Reads the list, and removes what interrupted processes left in these stores. A login that is just being written has its lock. */
  const readSweptList = async (...swept: readonly StoreName[]): Promise<LoginList> => {
    const list = await readList();
    for (const row of list.unowned)
      if (swept.includes(row.store)) await lock(`login-${row.profile}`, () => removeUnowned([row]), 0).catch(() => undefined);
    return list;
  };
  const write = async (login: Login, secrets: Secrets, owned: readonly SecretName[]): Promise<void> => {
    const entries = secretNames.flatMap((name) => {
      const secret = secrets[name];
      return secret === undefined ? [] : [[formatAccountName(login, name), secret] as const];
    });
    const added = { ...toSecretOwner(login), holds: login.holds.filter((name) => !owned.includes(name)) };
    if (added.holds.length > 0) await changeList(({ logins, unowned }) => ({ logins, unowned: [...unowned, added] }));
    try {
      await stores[login.store].write(entries);
    } catch (error) {
      // What can't be removed now, a later command removes.
      if (added.holds.length > 0) await removeUnowned([added]).catch(() => undefined);
      throw error;
    }
    await changeList(({ logins, unowned }) => {
      const replaced = logins.filter(({ profile, id }) => profile === login.profile && id !== login.id);
      return {
        logins: [...logins.filter(({ profile }) => profile !== login.profile), login],
        unowned: [...unowned.filter(({ id }) => id !== login.id), ...replaced.map(toSecretOwner)],
      };
    });
  };

  return {
    filePath: credentialFilePath(folder),
    // No login has this account: to say so, a keychain must answer and be unlocked.
    findStoreError: (store) => stores[store].read(["none"]).then(() => undefined, asCalError),
    listLogins: async () => (await readSweptList("file", "keychain")).logins,
    // Every command calls this. A keychain may ask its user something, so it is not swept here.
    findLogin: async (profile) => (await readSweptList("file")).logins.find((login) => login.profile === profile),
    readSecrets: async (login, names) => {
      const held = names.filter((name) => login.holds.includes(name));
      if (held.length === 0) return {};
      const secrets = await stores[login.store].read(held.map((name) => formatAccountName(login, name)));
      const missing = held.filter((name) => !secrets.has(formatAccountName(login, name)));
      if (missing.length > 0) throw missingSecretsError(login, missing);
      return Object.fromEntries(held.map((name) => [name, secrets.get(formatAccountName(login, name))]));
    },
    save: async (newLogin, secrets) => {
      const holds = secretNames.filter((name) => secrets[name] !== undefined);
      // Otherwise the secrets of a login that fails here would be listed as left over, without being anywhere.
      await stores[newLogin.store].read(["none"]);
      const login: Login = { ...newLogin, id: crypto.randomUUID().slice(0, 8), stored_at: clock.now(), holds };
      await write(login, secrets, []);
      const { unowned } = await readList();
      const left = unowned.filter(({ profile }) => profile === login.profile);
      return { login, cleanupError: await removeUnowned(left).then(() => undefined, asCalError) };
    },
    update: async (login, changes, secrets) => {
      const holds = secretNames.filter((name) => login.holds.includes(name) || secrets[name] !== undefined);
      const updated: Login = { ...login, expires_at: undefined, ...changes, holds, stored_at: clock.now() };
      await write(updated, secrets, login.holds);
      return updated;
    },
    remove: async (profile) => {
      const { logins, unowned } = await readList();
      const login = logins.find((one) => one.profile === profile);
      const left = unowned.filter((one) => one.profile === profile);
      if (login !== undefined) {
        await stores[login.store].remove(login.holds.map((name) => formatAccountName(login, name)));
        await changeList((list) => ({ ...list, logins: list.logins.filter((one) => one.profile !== profile) }));
      }
      const cleanupError = await removeUnowned(left).then(() => undefined, asCalError);
      return { wasFound: login !== undefined || left.length > 0, cleanupError };
    },
    withLoginLock: (profile, work) => lock(`login-${profile}`, work),
  };
}

/** The secret that is part of the header. */
export function getHeaderSecretName({ method }: Login): SecretName {
  return method === "application-password" ? "password" : "access-token";
}

function toSecretOwner({ profile, id, store, holds }: SecretOwner): SecretOwner {
  return { profile, id, store, holds };
}

/** The account name of a secret in a store. */
function formatAccountName(login: SecretOwner, name: SecretName): string {
  return `${login.profile}/${login.id}/${name}`;
}

function asCalError(error: unknown): CalError {
  if (error instanceof CalError) return error;
  throw error;
}

function missingSecretsError({ store, profile }: Login, missing: readonly SecretName[]): CalError {
  const place = store === "keychain" ? "the keychain" : "the credentials file";
  const message = `${place} no longer holds the ${missing.join(" and the ")} of profile ${profile}: removed by someone or something else`;
  return new CalError("unauthenticated", message, { code: "login-lost", hint: { command: loginCommand(profile) } });
}

/** Reads logins.json. Throws `local` where cal did not write it. */
function parseLoginList(text: string, path: string): LoginList {
  const content = toRecord(parseJsonBody(Buffer.from(text)));
  const rows = content?.["logins"];
  if (!Array.isArray(rows)) {
    throw new CalError("local", `${path} is not the list of logins that cal wrote`, {
      hint: { text: "delete it and log in again", command: `rm ${path}` },
    });
  }
  const unowned: readonly unknown[] = Array.isArray(content?.["unowned"]) ? content["unowned"] : [];
  return { logins: rows.flatMap((row: unknown) => parseLogin(row) ?? []), unowned: unowned.flatMap((row) => parseSecretOwner(row) ?? []) };
}

function parseSecretOwner(row: unknown): SecretOwner | undefined {
  const read = toRecord(row) ?? {};
  const [profile, id] = [toText(read["profile"]), toText(read["id"])];
  const store = parseEnumValue(read["store"], ["keychain", "file"] as const);
  if (profile === undefined || id === undefined || store === undefined) return undefined;
  const holds: readonly unknown[] = Array.isArray(read["holds"]) ? read["holds"] : [];
  return { profile, id, store, holds: secretNames.filter((name) => holds.includes(name)) };
}

function parseLogin(row: unknown): Login | undefined {
  const read = toRecord(row) ?? {};
  const owner = parseSecretOwner(row);
  const method = parseEnumValue(read["method"], authMethods);
  if (owner === undefined || method === undefined) return undefined;
  return {
    ...owner,
    method,
    base_origin: toText(read["base_origin"]),
    auth_origin: toText(read["auth_origin"]),
    username: toText(read["username"]),
    identity: toText(read["identity"]),
    identity_id: toText(read["identity_id"]),
    application: toText(read["application"]),
    endpoint: parseEnumValue(read["endpoint"], ["token", "app"] as const),
    refresh_way: parseEnumValue(read["refresh_way"], ["standard", "older"] as const),
    expires_at: toNumber(read["expires_at"]),
    stored_at: toNumber(read["stored_at"]) ?? 0,
  };
}

function parseEnumValue<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((one) => one === value);
}

/** The origin of an address, or undefined where there is none. */
export function parseOrigin(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Secrets are sent to no other origins than at login: throws `unauthenticated` where base_url or auth_url now has another one. */
export function checkOrigin(login: Login, settings: Settings): void {
  const recorded = [
    ["base_url", login.base_origin],
    // An application password is sent to the site only.
    ...(login.method === "application-password" ? [] : [["auth_url", login.auth_origin] as const]),
  ] as const;
  for (const [name, loginOrigin] of recorded) {
    const setting = settings[name];
    const origin = parseOrigin(setting?.value);
    if (origin === undefined || origin === loginOrigin) continue;
    const known = loginOrigin === undefined ? "without one" : `for ${loginOrigin}`;
    const message = `nothing was sent: ${name} is at ${origin} (${setting?.origin ?? "unknown"}), but profile ${login.profile} was logged in ${known}, and its secrets go nowhere else`;
    throw new CalError("unauthenticated", message, {
      code: "origin-changed",
      hint: { text: "log in there again, or with another profile", command: loginCommand(login.profile) },
    });
  }
}
