// Files that only their owner may read: the credentials file of --insecure-storage, and the locks for all files of logins.

import { constants } from "node:fs";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../atomic-file.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import type { LockOptions } from "../lock.ts";
import { readOwnFile } from "../own-file.ts";
import { parseJsonBody, type SecretStore, toRecord, toText } from "./credentials.ts";

/**
 * The text of a file, or undefined where there is none. Refuses a symbolic link, and a file that another user owns or can write (exit 10).
 * Removes the permission of others to read it.
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) throw symbolicLinkError(path);
    const text = readOwnFile(path, constants.O_NOFOLLOW ?? 0);
    if ((stats.mode & 0o077) !== 0) await chmod(path, 0o600);
    return text;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileAccessError("read", path, error);
  }
}

/** Replaces a file (mode 0600, in a folder of 0700), never through a symbolic link. Call it under a lock. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) throw symbolicLinkError(path);
    writeFileAtomic(path, text);
  } catch (error) {
    throw fileAccessError("write", path, error);
  }
}

function symbolicLinkError(path: string): CalError {
  return new CalError("local", `${path} is a symbolic link; secrets are kept in plain files only`, {
    hint: { text: "remove the link", command: `rm ${path}` },
  });
}

function fileAccessError(verb: string, path: string, error: unknown): CalError {
  if (error instanceof CalError) return error;
  return new CalError("local", `cannot ${verb} ${path}: ${messageOf(error)}`, {
    cause: error,
    hint: "check the rights of its folder, or set CAL_STATE_DIR to another one",
  });
}

/** The file with the secrets of a state folder that are not in the keychain. */
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
    read: async (accounts) => new Map([...(await readAllSecrets(path))].filter(([account]) => accounts.includes(account))),
    write: (entries) =>
      change((secrets) => {
        for (const [account, secret] of entries) secrets.set(account, secret);
      }),
    remove: async (accounts) => {
      const stored = await readAllSecrets(path);
      if (!accounts.some((account) => stored.has(account))) return;
      await change((secrets) => {
        for (const account of accounts) secrets.delete(account);
      });
    },
  };
}

async function readAllSecrets(path: string): Promise<Map<string, string>> {
  const text = await readPrivateFile(path);
  if (text === undefined) return new Map();
  const content = toRecord(parseJsonBody(Buffer.from(text)));
  if (content === undefined)
    throw new CalError("local", `${path} is not the JSON that cal wrote`, {
      hint: { text: "delete it and log in again", command: `rm ${path}` },
    });
  const secrets = new Map<string, string>();
  for (const [account, value] of Object.entries(content)) {
    const secret = toText(value);
    if (secret !== undefined) secrets.set(account, secret);
  }
  return secrets;
}

/** Runs some work while no other process runs work of the same name. `timeout` is in milliseconds; 0 is for work that can be left out. */
export type Lock = <T>(name: string, work: () => Promise<T>, timeout?: number) => Promise<T>;

/** Milliseconds. The owner of a lock may be waiting for a reply of the authentication service. */
const lockTimeout = 60_000;

/** Locks in a folder, which is created when it is needed. */
export function createLock(folder: string, options: LockOptions): Lock {
  return async (name, work, timeout = lockTimeout) => {
    // Errors of the work itself are not changed.
    let isLocked = false;
    try {
      const { withLock } = await import("../lock.ts");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withLock(join(folder, encodeURIComponent(name)), { timeout, ...options }, () => {
        isLocked = true;
        return work();
      });
    } catch (error) {
      if (isLocked || error instanceof CalError) throw error;
      throw new CalError("local", `cannot lock in ${folder}: ${messageOf(error)}`, {
        cause: error,
        hint: "set CAL_STATE_DIR to a folder that can be written",
      });
    }
  };
}
