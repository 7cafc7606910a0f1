// The stored logins of a command, put together from its folders and its machine.
import type { CredentialStore } from "../auth/vault/vault.ts";
import type { Context } from "../context.ts";

/** The stored logins in a state folder. */
export async function openCredentialStore({
  folders,
  clock,
  machine,
  env,
  notice,
}: Pick<Context, "folders" | "clock" | "machine" | "env" | "notice">): Promise<CredentialStore> {
  const keychain = {
    get program() {
      return machine.keychainProgram;
    },
    env,
    notice,
  };
  return (await import("../auth/open-vault.ts")).openCredentialStore({
    folder: folders.state,
    clock,
    keychain,
    atSignal: machine.atSignal,
  });
}
