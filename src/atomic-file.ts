// Replaces a file as a whole: afterwards it is the old file or the new one, never a part. Every file that cal keeps is written this way.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a temporary file beside the path, flushes it, and renames it over the path. Throws Node's own errors.
 * Synchronous: a signal is handled before or after it, so that no temporary file is left. Call it under the lock of the file.
 */
export function writeFileAtomic(path: string, content: string | Uint8Array, mode = 0o600): void {
  removeTempFiles(path);
  // The global `crypto` is loaded when it is used. An import of node:crypto takes 4 ms of every list.
  const temp = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(-12)}`);
  try {
    const file = openSync(temp, "wx", mode);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** Removes the temporary files that a killed process or a power cut left. */
function removeTempFiles(path: string): void {
  const prefix = `.${basename(path)}.`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length))) rmSync(join(dirname(path), name), { force: true });
}
