// Files that only their owner may read, replaced as a whole or not at all.

import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CalError, codeOf, messageOf } from "../../errors.ts";

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
    removeTempFiles(path);
    replaceFile(path, join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}`), text);
  } catch (error) {
    throw fileAccessError("write", path, error);
  }
}

/** In one go: a signal that ends the process is heard before or after it, and so leaves no draft with a secret in it. */
function replaceFile(path: string, draft: string, text: string): void {
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A process that was killed, or a power cut, may have left one with secrets in it. Only the holder of the lock comes here. */
function removeTempFiles(path: string): void {
  const prefix = `.${basename(path)}.`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length))) rmSync(join(dirname(path), name), { force: true });
}

async function isSymbolicLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (seen) => seen.isSymbolicLink(),
    () => false,
  );
}

function symbolicLinkError(path: string): CalError {
  return new CalError("local", `${path} is a symbolic link; secrets are kept in plain files only`, { hint: `remove the link: rm ${path}` });
}

function fileAccessError(verb: string, path: string, error: unknown): CalError {
  if (error instanceof CalError) return error;
  return new CalError("local", `cannot ${verb} ${path}: ${messageOf(error)}`, {
    cause: error,
    hint: "check the rights of its folder, or set CAL_STATE_DIR to another one",
  });
}
