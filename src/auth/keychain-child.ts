// A program of its own, and the only importer of keytar: it runs one task at the keychain and ends.
// It is a process because a call that the keychain never answers can be ended only by killing.

import process from "node:process";
import { type KeychainResult, type KeychainTask, keychainService as service } from "./keychain.ts";

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

process.once("message", (task: KeychainTask) => {
  // The parent ends this process: if it ended itself, the parent might see the end before the result.
  void executeTask(task).then((result) => process.send?.(result));
});
// The parent has the result, or has ended itself: a call that still hangs must not keep this process.
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
  if (task.operation === "set") {
    for (const [account, secret] of task.entries) {
      await keychain.setPassword(service, account, secret);
      // Some keychains accept a secret and do not store it.
      if ((await keychain.getPassword(service, account)) !== secret) throw new Error("what was written could not be read back");
    }
    return [];
  }
  const secrets: (string | null)[] = [];
  let isMissing = false;
  for (const account of task.accounts) {
    if (task.operation === "get") secrets.push(await keychain.getPassword(service, account));
    else isMissing = !(await deleteSecret(account, keychain)) || isMissing;
  }
  if (isMissing || secrets.includes(null)) {
    // A locked keychain reports every secret as missing. Only a write fails there.
    await keychain.setPassword(service, "probe", "probe");
    await deleteSecret("probe", keychain);
  }
  return secrets;
}

/** Whether it was there. Where another process deletes it at the same time, the keychain reports an error. */
async function deleteSecret(account: string, keychain: Keychain): Promise<boolean> {
  try {
    return await keychain.deletePassword(service, account);
  } catch (error) {
    if (error instanceof Error && /no such|does not exist/i.test(error.message)) return false;
    throw error;
  }
}
