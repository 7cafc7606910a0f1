// Files and folders that this user owns and nobody else can write: others must not decide where secrets go, or what a shell is offered.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { getuid } from "node:process";
import { CalError, codeOf } from "./errors.ts";
import { shellQuote } from "./text.ts";

/**
 * The text of a file; undefined where there is none. Throws `local` where another user owns the file or can write it, for root too, and
 * Node's own errors. `flags` are added to those of `open`. Synchronous: every command waits for it, and Node takes 2 ms to load its promises of files.
 */
export function readOwnFile(path: string, flags = 0): string | undefined {
  let file: number;
  try {
    // Without O_NONBLOCK, a FIFO in its place would block the process, and no signal could end it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    // The open file is checked, so that it can't be replaced between the check and the read.
    const stats = fstatSync(file);
    if (!isOwnAlone(stats)) throw createForeignFileError(path, stats);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Whether this user owns a file or folder, and nobody else can write to it. Windows has no such owners and modes: there it is always so. */
export function isOwnAlone({ uid, mode }: Stats): boolean {
  const user = getuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}

function createForeignFileError(path: string, { uid }: Stats): CalError {
  const isForeign = uid !== getuid?.();
  const why = isForeign ? `it belongs to another user (uid ${uid})` : "other users can write it";
  return new CalError("local", `${path} is not used: ${why}`, {
    code: "foreign-file",
    hint: {
      text: "look at what it holds; if that is yours",
      command: `${isForeign ? "sudo chown $(id -u)" : "chmod go-w"} ${shellQuote(path)}`,
    },
  });
}
