// The logins of a command, put together: the stores of secrets, and which token is presented now.
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
  const keychain = {
    get program() {
      return machine.keychainProgram;
    },
    env,
    notice,
  };
  return (await import("../auth/open-vault.ts")).openVault({ folder: folders.state, clock, keychain, atSignal: machine.atSignal });
}

/** One access for all calls: the sandbox's own. */
export function fixedAccess(access: Access): Tokens {
  return { current: async () => access, renewed: async () => undefined };
}
