// Files that only their owner may read, replaced as a whole or not at all.
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomBytes } from "node:crypto";
import { CalError, codeOf, messageOf } from "../errors.ts";

/** The text of a file, or undefined where there is none. Refuses a symbolic link and takes rights of others away (exit 10). */
export async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const seen = await lstat(path);
    if (seen.isSymbolicLink()) throw symbolicLink(path);
    if ((seen.mode & 0o077) !== 0) await chmod(path, 0o600);
    return await readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable("read", path, error);
  }
}

/** Replaces a file: a temporary file (0600, in a folder of 0700), flushed, then renamed over it. Never through a symbolic link. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await isSymbolicLink(path)) throw symbolicLink(path);
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw unusable("write", path, error);
  }
}

async function isSymbolicLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (seen) => seen.isSymbolicLink(),
    () => false,
  );
}

function symbolicLink(path: string): CalError {
  return new CalError("local", `${path} is a symbolic link; secrets are kept in plain files only`, { hint: `remove the link: rm ${path}` });
}

function unusable(verb: string, path: string, error: unknown): CalError {
  if (error instanceof CalError) return error;
  return new CalError("local", `cannot ${verb} ${path}: ${messageOf(error)}`, { cause: error, hint: "check the rights of its folder, or set CAL_STATE_DIR to another one" });
}
