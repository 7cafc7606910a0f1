// The logins of all profiles and their secrets: one list without secrets, and for each login the one store that it names.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { CalError } from "../errors.ts";
import { type AuthMethod, authMethods } from "../model/auth.ts";
import { credentialFilePath, type Lock, readPrivateFile, writePrivateFile } from "./credential-file.ts";
import {
  type AuthSettings,
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
import type { Endpoint, RefreshMethod } from "./password.ts";

/** Secrets by name; what a login does not have is absent. */
export type Secrets = Readonly<Partial<Record<SecretName, string>>>;

/** A login that is about to be kept: the vault gives it its id, its time and the list of what it holds. */
export type NewLogin = Omit<Login, "id" | "stored_at" | "holds">;

/** What is kept, and the only way to it. */
export interface CredentialStore {
  /** Where the secrets of logins in the `file` store are. */
  readonly filePath: string;
  /** Why a store can't be used; undefined where it can. */
  findStoreError(store: StoreName): Promise<CalError | undefined>;
  listLogins(): Promise<readonly Login[]>;
  findLogin(profile: string): Promise<Login | undefined>;
  /** Reads secrets that the login holds. Rejects with `unauthenticated` where the store lacks one: "not there" is then not "not logged in". */
  readSecrets(login: Login, names: readonly SecretName[]): Promise<Secrets>;
  /** Keeps a new login: writes, reads back, lists it, and only then removes what the profile had before; resolves with a warning where that failed. */
  save(login: NewLogin, secrets: Secrets): Promise<{ readonly login: Login; readonly cleanupError?: CalError }>;
  /** Replaces secrets of a login, then its row. The old expiry is never kept: it belonged to the old token. */
  update(login: Login, changes: Partial<NewLogin>, secrets: Secrets): Promise<Login>;
  /** Removes the secrets, makes sure, and then the row; false where there was none. Where the secrets can't be removed, the row stays. */
  remove(profile: string): Promise<boolean>;
  /** One process at a time for a profile's login. */
  withLoginLock<T>(profile: string, work: () => Promise<T>): Promise<T>;
}

/** What a vault is made of. */
interface CreateCredentialStoreOptions {
  /** The state folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly lock: Lock;
  readonly stores: Readonly<Record<StoreName, SecretStore>>;
}

/** The file that lists the logins of a state folder. */
function loginsPath(folder: string): string {
  return join(folder, "logins.json");
}

/** The list without secrets. `list` puts a row, or none, in the place of a profile's. */
function createLoginList(folder: string, lock: Lock) {
  const path = loginsPath(folder);
  const logins = async (): Promise<readonly Login[]> => {
    const text = await readPrivateFile(path);
    return text === undefined ? [] : parseLogins(text, path);
  };
  const find = async (profile: string): Promise<Login | undefined> => (await logins()).find((login) => login.profile === profile);
  const list = (profile: string, row: readonly Login[]): Promise<void> =>
    lock("logins", async () =>
      writePrivateFile(path, serializeLogins([...(await logins()).filter((login) => login.profile !== profile), ...row])),
    );
  return { logins, find, list };
}

/** The account name of a secret that no login has. */
const placeholderAccount = "none";

/** A vault over the stores given; several processes may each have one of the same folder. */
export function createCredentialStore({ folder, clock, lock, stores }: CreateCredentialStoreOptions): CredentialStore {
  const { logins: listLogins, find, list } = createLoginList(folder, lock);
  const clear = (login: Login): Promise<void> => stores[login.store].remove(login.holds.map((name) => formatAccountName(login, name)));

  return {
    filePath: credentialFilePath(folder),
    // To tell that nothing is there, a keychain must have answered and be unlocked.
    findStoreError: (store) => stores[store].read([placeholderAccount]).then(() => undefined, asCalError),
    listLogins,
    findLogin: find,
    readSecrets: async (login, names) => {
      const held = names.filter((name) => login.holds.includes(name));
      if (held.length === 0) return {};
      const found = await stores[login.store].read(held.map((name) => formatAccountName(login, name)));
      const missing = held.filter((name) => !found.has(formatAccountName(login, name)));
      if (missing.length > 0) throw missingSecretsError(login, missing);
      return Object.fromEntries(held.map((name) => [name, found.get(formatAccountName(login, name))]));
    },
    save: async (fresh, secrets) => {
      const before = await find(fresh.profile);
      const login: Login = { ...fresh, id: randomBytes(4).toString("hex"), stored_at: clock.now(), holds: listSecretNames(secrets) };
      await stores[login.store].write(toSecretEntries(login, secrets));
      await list(login.profile, [login]);
      if (before === undefined) return { login };
      const cleanupError = await clear(before).then(() => undefined, asCalError);
      return cleanupError === undefined ? { login } : { login, cleanupError };
    },
    update: async (login, changes, secrets) => {
      const holds = secretNames.filter((name) => login.holds.includes(name) || secrets[name] !== undefined);
      const { expires_at: _over, ...lasting } = login;
      const changed: Login = { ...lasting, ...changes, holds, stored_at: clock.now() };
      await stores[login.store].write(toSecretEntries(changed, secrets));
      await list(login.profile, [changed]);
      return changed;
    },
    remove: async (profile) => {
      const login = await find(profile);
      if (login === undefined) return false;
      await clear(login);
      await list(profile, []);
      return true;
    },
    withLoginLock: (profile, work) => lock(`login-${profile}`, work),
  };
}

function listSecretNames(secrets: Secrets): readonly SecretName[] {
  return secretNames.filter((name) => secrets[name] !== undefined);
}

function toSecretEntries(login: Login, secrets: Secrets): readonly (readonly [string, string])[] {
  return secretNames.flatMap((name) => {
    const secret = secrets[name];
    return secret === undefined ? [] : [[formatAccountName(login, name), secret] as const];
  });
}

function asCalError(error: unknown): CalError {
  if (error instanceof CalError) return error;
  throw error;
}

function missingSecretsError(login: Login, missing: readonly SecretName[]): CalError {
  const place = login.store === "keychain" ? "the keychain" : "the credentials file";
  return new CalError(
    "unauthenticated",
    `${place} no longer holds the ${missing.join(" and the ")} of profile ${login.profile}: removed by someone or something else`,
    {
      code: "login-lost",
      hint: loginCommand(login.profile),
    },
  );
}

// Secrets longer than an entry may be: Windows has room for 2,560 bytes, so longer ones are kept in pieces.

/** Bytes of an entry at most. */
export const maxEntryBytes = 2400;

const chunkHeaderPattern = /^cal-pieces:(\d{1,4}):([0-9a-f]{12})$/;

/** Wraps a store: a longer secret becomes a head that names its pieces. A new set of pieces has a new name, so no reader ever sees a mixture. */
export function withChunkedSecrets(inner: SecretStore): SecretStore {
  const piecesOf = async (accounts: readonly string[]): Promise<readonly string[]> => {
    const heads = await inner.read(accounts);
    return [...heads].flatMap(([account, value]) => formatChunkNames(account, value));
  };
  return {
    read: async (accounts) => {
      // Where another process replaces the pieces just now, the second look finds the new ones.
      return (
        (await readChunkedSecrets(inner, accounts)) ??
        (await readChunkedSecrets(inner, accounts)) ??
        Promise.reject(missingChunkError(accounts))
      );
    },
    write: async (entries) => {
      const old = await piecesOf(entries.map(([account]) => account));
      await inner.write(
        entries.flatMap(([account, secret]) => (needsChunks(secret) ? splitIntoChunks(account, secret) : [[account, secret] as const])),
      );
      if (old.length > 0) await inner.remove(old);
    },
    remove: async (accounts) => {
      const pieces = await piecesOf(accounts);
      await inner.remove([...accounts, ...pieces]);
    },
  };
}

function needsChunks(secret: string): boolean {
  return Buffer.byteLength(secret) > maxEntryBytes || chunkHeaderPattern.test(secret);
}

/** The pieces first, the head last: it is what makes them count. */
function splitIntoChunks(account: string, secret: string): readonly (readonly [string, string])[] {
  const text = Buffer.from(secret, "utf8").toString("base64");
  const count = Math.ceil(text.length / maxEntryBytes);
  const head = `cal-pieces:${count}:${randomBytes(6).toString("hex")}`;
  const pieces = formatChunkNames(account, head).map(
    (name, index) => [name, text.slice(index * maxEntryBytes, (index + 1) * maxEntryBytes)] as const,
  );
  return [...pieces, [account, head]];
}

function formatChunkNames(account: string, head: string): readonly string[] {
  const [, count, tag] = chunkHeaderPattern.exec(head) ?? [];
  return Array.from({ length: Number(count ?? 0) }, (_, index) => `${account}/${tag}/${index + 1}`);
}

/** Undefined where a piece is missing. */
async function readChunkedSecrets(inner: SecretStore, accounts: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
  const heads = await inner.read(accounts);
  const names = [...heads].flatMap(([account, value]) => formatChunkNames(account, value));
  const pieces = names.length === 0 ? new Map<string, string>() : await inner.read(names);
  if (pieces.size < names.length) return undefined;
  return new Map([...heads].map(([account, value]) => [account, joinChunks(formatChunkNames(account, value), value, pieces)]));
}

function joinChunks(names: readonly string[], value: string, pieces: ReadonlyMap<string, string>): string {
  if (names.length === 0) return value;
  return Buffer.from(names.map((name) => pieces.get(name) ?? "").join(""), "base64").toString("utf8");
}

function missingChunkError(accounts: readonly string[]): CalError {
  return new CalError("unauthenticated", `a part of a stored secret is missing: ${accounts.join(", ")}`, {
    hint: { command: "cal auth login" },
  });
}

// A login as it is remembered: everything but the secrets. The list of them is a file that may be read by eye.

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
function formatAccountName(login: Login, name: SecretName): string {
  return `${login.profile}/${login.id}/${name}`;
}

/** Reads the list. Throws `local` where the file is not ours. */
function parseLogins(text: string, path: string): readonly Login[] {
  const content = toRecord(parseJsonBody(Buffer.from(text)));
  const rows = content?.["logins"];
  if (!Array.isArray(rows)) {
    throw new CalError("local", `${path} is not the list of logins that cal wrote`, {
      hint: { text: "delete it and log in again", command: `rm ${path}` },
    });
  }
  return rows.flatMap((row: unknown) => parseLogin(row) ?? []);
}

/** The text of the list. */
function serializeLogins(logins: readonly Login[]): string {
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

// Stored secrets belong to the origins they were got for: nothing else is ever sent any of them.

/** The origin of an address, or undefined where there is none. */
export function parseOrigin(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Throws `unauthenticated` where base_url or auth_url now lead to another origin than at login. */
export function checkOrigin(login: Login, settings: AuthSettings): void {
  checkSettingOrigin("base_url", login.base_origin, settings, login);
  // An application password is presented to the site alone.
  if (login.method !== "application-password") checkSettingOrigin("auth_url", login.auth_origin, settings, login);
}

function checkSettingOrigin(name: "base_url" | "auth_url", recorded: string | undefined, settings: AuthSettings, login: Login): void {
  const setting = settings[name];
  const origin = parseOrigin(setting?.value);
  if (origin === undefined || origin === recorded) return;
  const known = recorded === undefined ? "without one" : `for ${recorded}`;
  throw new CalError(
    "unauthenticated",
    `nothing was sent: ${name} is at ${origin} (${setting?.origin ?? "unknown"}), but profile ${login.profile} was logged in ${known}, and its secrets go nowhere else`,
    { code: "origin-changed", hint: `log in there with a profile of its own, or again: ${loginCommand(login.profile)}` },
  );
}
