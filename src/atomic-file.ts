// Replaces a file as a whole: afterwards it is the old file or the new one, never a part. Every file that cal keeps is written this way.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const millisecondsPerDay = 86_400_000;

/**
 * Writes a temporary file beside the path, flushes it, and renames it over the path. Throws Node's own errors. Texts are written one after the
 * other.
 * Synchronous: a signal is handled before or after it, so that no temporary file is left. A killed process can leave one: the next write
 * removes it at once where the caller holds the lock of the file, else after a day, because it can be in use.
 */
export function writeFileAtomic(path: string, content: string | Uint8Array | Iterable<string>, { hasLock = true } = {}): void {
  const folder = dirname(path);
  const own = basename(path);
  const findTempFiles = () =>
    readdirSync(folder).flatMap((name) => {
      const target = /^\.(.+)\.[0-9a-f]{12}$/.exec(name)?.[1];
      return target === undefined ? [] : [{ target, temp: join(folder, name) }];
    });
  if (hasLock) for (const { target, temp } of findTempFiles()) if (target === own) rmSync(temp, { force: true });
  // The global `crypto` is loaded when it is used. An import of node:crypto takes 4 ms of every list.
  const temp = join(folder, `.${own}.${crypto.randomUUID().slice(-12)}`);
  try {
    const file = openSync(temp, "wx", 0o600);
    try {
      for (const part of toParts(content)) writeFileSync(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  // The file is written: what fails from here on must not make the write look failed. Another process can remove files at the same time.
  try {
    const limit = statSync(path).mtimeMs - millisecondsPerDay;
    for (const { temp: left } of findTempFiles()) if (statSync(left).mtimeMs < limit) rmSync(left, { force: true });
  } catch {
    // The next write removes them.
  }
}

/** Characters that are written at once. */
const partSize = 65_536;

function* toParts(content: string | Uint8Array | Iterable<string>): Generator<string | Uint8Array> {
  if (typeof content === "string" || content instanceof Uint8Array) return yield content;
  let part = "";
  for (const text of content) {
    part += text;
    if (part.length < partSize) continue;
    yield part;
    part = "";
  }
  yield part;
}
