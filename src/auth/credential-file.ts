// Files that only their owner may read, replaced as a whole or not at all.

import { constants } from "node:fs";
import { chmod, lstat, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../atomic-file.ts";
import { CalError, codeOf, messageOf } from "../errors.ts";
import type { LockOptions } from "../lock.ts";
import { parseJsonBody, type SecretStore, toRecord, toText } from "./credentials.ts";

/** The text of a file, or undefined where there is none. Refuses a symbolic link and takes rights of others away (exit 10). */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const seen = await lstat(path);
    if (seen.isSymbolicLink()) throw symbolicLinkError(path);
    if ((seen.mode & 0o077) !== 0) await chmod(path, 0o600);
    return await readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileAccessError("read", path, error);
  }
}

/** Replaces a file: a temporary file (0600, in a folder of 0700), flushed, then renamed over it. Never through a symbolic link. Call it under a lock. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await isSymbolicLink(path)) throw symbolicLinkError(path);
    writeFileAtomic(path, text);
  } catch (error) {
    throw fileAccessError("write", path, error);
  }
}

async function isSymbolicLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (seen) => seen.isSymbolicLink(),
    () => false,
  );
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

// The plain file that --insecure-storage asks for: the same secrets without a keychain, readable by their owner only.

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
    throw new CalError("local", `${path} is not the JSON that cal wrote`, {
      hint: { text: "delete it and log in again", command: `rm ${path}` },
    });
  return new Map(
    Object.entries(content).flatMap(([account, value]) => {
      const secret = toText(value);
      return secret === undefined ? [] : [[account, secret] as const];
    }),
  );
}

// Locks by name in a folder of the state: for the list of logins, for the file of secrets, and for each profile's login.

/** Does some work while no other process does work of the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Milliseconds: who holds a login may be waiting for the service's answer. */
const lockTimeout = 60_000;

/** Locks in a folder, which need not exist yet. */
export function createLock(folder: string, waiting: LockOptions): Lock {
  return async (name, work) => {
    // What the work itself rejects with is its own affair.
    let begun = false;
    try {
      const { withLock } = await import("../lock.ts");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await withLock(join(folder, encodeURIComponent(name)), { timeout: lockTimeout, ...waiting }, () => {
        begun = true;
        return work();
      });
    } catch (error) {
      if (begun || error instanceof CalError) throw error;
      throw new CalError("local", `cannot lock in ${folder}: ${messageOf(error)}`, {
        cause: error,
        hint: "set CAL_STATE_DIR to a folder that can be written",
      });
    }
  };
}
