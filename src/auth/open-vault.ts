// The vault as the program uses it: a list and a file in the state folder, the keychain through its own program, locks of our own.
import { join } from "node:path";
import { createKeychainSecretStore, type KeychainOptions } from "./keychain.ts";
import type { Clock } from "./parts.ts";
import { createLock } from "./vault/lock.ts";
import { withChunkedSecrets } from "./vault/long-secrets.ts";
import { createFileSecretStore } from "./vault/secret-file.ts";
import { type CredentialStore, createCredentialStore } from "./vault/vault.ts";

/** Where the vault is and what it is reached with; nothing is opened before it is used. */
export interface OpenCredentialStoreOptions {
  /** The state folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly keychain: KeychainOptions;
  /** Has something done when a signal ends the process. */
  readonly atSignal?: (act: () => void) => void;
}

/** The vault of a state folder. */
export function openCredentialStore({ folder, clock, keychain, atSignal }: OpenCredentialStoreOptions): CredentialStore {
  const lock = createLock(join(folder, "locks"), { sleep: clock.sleep, ...(atSignal === undefined ? {} : { atSignal }) });
  const stores = { keychain: withChunkedSecrets(createKeychainSecretStore(keychain)), file: createFileSecretStore(folder, lock) };
  return createCredentialStore({ folder, clock, lock, stores });
}
