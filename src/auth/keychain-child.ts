// A program of its own, and the only importer of keytar: it does one task at the keychain and ends.
// It is a process because a call that the keychain never answers can't be given up in any other way than by killing.

import process from "node:process";
import { type KeychainResult, type KeychainTask, keychainService as service } from "./keychain.ts";

const probeAccount = "probe";

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

process.once("message", (task: KeychainTask) => {
  // Not ended from here: an end may be seen before the answer that was sent first.
  void executeTask(task).then((answer) => process.send?.(answer));
});
// The parent has its answer, or has gone itself: a call that still hangs must not keep this process.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function executeTask(task: KeychainTask): Promise<KeychainResult> {
  let keychain: Keychain;
  try {
    keychain = (await import("keytar")).default;
  } catch (error) {
    return { ok: false, stage: "load", message: String(error) };
  }
  try {
    return { ok: true, secrets: await executeOperation(task, keychain) };
  } catch (error) {
    return { ok: false, stage: "call", message: error instanceof Error ? error.message : String(error) };
  }
}

async function executeOperation(task: KeychainTask, keychain: Keychain): Promise<readonly (string | null)[]> {
  if (task.operation === "get") return getSecrets(task.accounts, keychain);
  if (task.operation === "set") return setSecrets(task.entries, keychain);
  let missed = false;
  for (const account of task.accounts) missed = !(await deleteSecret(account, keychain)) || missed;
  if (missed) await assertUnlocked(keychain);
  return [];
}

async function getSecrets(accounts: readonly string[], keychain: Keychain): Promise<readonly (string | null)[]> {
  const secrets = [];
  for (const account of accounts) secrets.push(await keychain.getPassword(service, account));
  if (secrets.includes(null)) await assertUnlocked(keychain);
  return secrets;
}

/** Some keychains take a secret and keep nothing of it: each is read back. */
async function setSecrets(entries: readonly (readonly [string, string])[], keychain: Keychain): Promise<readonly (string | null)[]> {
  for (const [account, secret] of entries) {
    await keychain.setPassword(service, account, secret);
    if ((await keychain.getPassword(service, account)) !== secret) throw new Error("what was written could not be read back");
  }
  return [];
}

/** A locked keychain says "nothing there" of everything; only writing tells the two apart. */
async function assertUnlocked(keychain: Keychain): Promise<void> {
  await keychain.setPassword(service, probeAccount, probeAccount);
  await deleteSecret(probeAccount, keychain);
}

/** Whether it was there. Another process that deletes at the same time makes the service complain of what is then already done. */
async function deleteSecret(account: string, keychain: Keychain): Promise<boolean> {
  try {
    return await keychain.deletePassword(service, account);
  } catch (error) {
    if (error instanceof Error && /no such|does not exist/i.test(error.message)) return false;
    throw error;
  }
}
