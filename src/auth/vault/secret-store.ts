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
