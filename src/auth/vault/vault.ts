// The logins of all profiles and their secrets: one list without secrets, and for each login the one store that it names.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { CalError } from "../../errors.ts";
import { type Clock, loginCommand } from "../parts.ts";
import type { Lock } from "./lock.ts";
import { formatAccountName, type Login, parseLogins, serializeLogins } from "./login.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";
import { credentialFilePath } from "./secret-file.ts";
import { type SecretName, type SecretStore, type StoreName, secretNames } from "./secret-store.ts";

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
export interface CreateCredentialStoreOptions {
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
