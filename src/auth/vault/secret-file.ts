// The plain file that --insecure-storage asks for: the same secrets without a keychain, readable by their owner only.
import { join } from "node:path";
import { CalError } from "../../errors.ts";
import { parseJsonBody, toRecord, toText } from "../reading.ts";
import type { Lock } from "./lock.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";
import type { SecretStore } from "./secret-store.ts";

/** Where the secrets of a state folder are when they are not in the keychain. */
export function credentialFilePath(folder: string): string {
  return join(folder, "credentials.json");
}

/** A store in one JSON file of mode 0600, changed under a lock. */
export function createFileSecretStore(folder: string, lock: Lock): SecretStore {
  const path = credentialFilePath(folder);
  const change = (edit: (secrets: Map<string, string>) => void): Promise<void> =>
    lock("credentials", async () => {
      const secrets = await readAllSecrets(path);
      edit(secrets);
      await writePrivateFile(path, `${JSON.stringify(Object.fromEntries(secrets), null, 2)}\n`);
    });
  return {
    read: async (accounts) => {
      const secrets = await readAllSecrets(path);
      return new Map([...secrets].filter(([account]) => accounts.includes(account)));
    },
    write: (entries) => change((secrets) => entries.forEach(([account, secret]) => void secrets.set(account, secret))),
    remove: async (accounts) => {
      const secrets = await readAllSecrets(path);
      if (!accounts.some((account) => secrets.has(account))) return;
      await change((current) => accounts.forEach((account) => void current.delete(account)));
    },
  };
}

async function readAllSecrets(path: string): Promise<Map<string, string>> {
  const text = await readPrivateFile(path);
  if (text === undefined) return new Map();
  const content = toRecord(parseJsonBody(Buffer.from(text)));
  if (content === undefined)
    throw new CalError("local", `${path} is not the JSON that cal wrote`, { hint: `delete it and log in again: rm ${path}` });
  return new Map(
    Object.entries(content).flatMap(([account, value]) => {
      const secret = toText(value);
      return secret === undefined ? [] : [[account, secret] as const];
    }),
  );
}
