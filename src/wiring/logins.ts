// The logins of a command, put together: the stores of secrets, and which token is presented now.
import { join } from "node:path";
import type { Access, Tokens } from "../auth/access.ts";
import type { Vault } from "../auth/vault.ts";
import type { Context } from "../context.ts";

/** The stored logins in a state folder. */
export async function openVault({
  folders,
  clock,
  machine,
  env,
  notice,
}: Pick<Context, "folders" | "clock" | "machine" | "env" | "notice">): Promise<Vault> {
  const [{ createVault }, { createLock }, { createKeychain }, { createSecretFile }] = await Promise.all([
    import("../auth/vault.ts"),
    import("../auth/lock.ts"),
    import("../auth/keychain.ts"),
    import("../auth/secret-file.ts"),
  ]);
  const lock = createLock(join(folders.state, "locks"), clock);
  const keychain = createKeychain({ program: machine.keychainProgram, env, notice });
  return createVault({ folder: folders.state, clock, lock, stores: { keychain, file: createSecretFile(folders.state, lock) } });
}

/** One access for all calls: the sandbox's own. */
export function fixedAccess(access: Access): Tokens {
  return { current: async () => access, renewed: async () => undefined };
}
