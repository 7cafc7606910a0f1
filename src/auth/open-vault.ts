// The vault as the program uses it: a list and a file in the state folder, the keychain through its own program, locks of our own.
import { join } from "node:path";
import { createKeychain, type KeychainParts } from "./keychain.ts";
import type { Clock } from "./parts.ts";
import { createLock } from "./vault/lock.ts";
import { withLongSecrets } from "./vault/long-secrets.ts";
import { createSecretFile } from "./vault/secret-file.ts";
import { createVault, type Vault } from "./vault/vault.ts";

/** Where the vault is and what it is reached with; nothing is opened before it is used. */
export interface VaultPlace {
  /** The state folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly keychain: KeychainParts;
  /** Has something done when a signal ends the process. */
  readonly atSignal?: (act: () => void) => void;
}

/** The vault of a state folder. */
export function openVault({ folder, clock, keychain, atSignal }: VaultPlace): Vault {
  const lock = createLock(join(folder, "locks"), { sleep: clock.sleep, ...(atSignal === undefined ? {} : { atSignal }) });
  const stores = { keychain: withLongSecrets(createKeychain(keychain)), file: createSecretFile(folder, lock) };
  return createVault({ folder, clock, lock, stores });
}
