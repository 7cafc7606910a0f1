// The text that a person edits, in a file of the state folder: it is there until it has been sent.
import { join } from "node:path";
import type { Context } from "../../context.ts";
import { CalError, messageOf } from "../../errors.ts";

/** A text in a file of its own. */
export interface EditFile {
  readonly path: string;
  /** Opens it in the person's editor. Rejects with kind `declined` where the editor fails, and `local` where it can't be started. */
  edit(): Promise<void>;
  /** The text as it was left. */
  read(): Promise<string>;
  /** Puts another text in its place. */
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

const millisecondsPerDay = 86_400_000;

/** Days that a text which was not sent is kept after it was last touched. */
export const retentionDays = 30;

/** Writes a text where only its owner can read it. Rejects with kind `local` where that is not possible. */
export async function createEditFile(context: Context, name: string, text: string): Promise<EditFile> {
  const { folders, env, machine } = context;
  const { mkdir, mkdtemp, readFile, rm, writeFile } = await import("node:fs/promises");
  const onDisk = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw new CalError("local", `the text to edit can't be kept: ${messageOf(error)}`, { cause: error });
    });
  await onDisk(mkdir(folders.state, { recursive: true, mode: 0o700 }));
  await removeExpiredEditFiles(context);
  const folder = await onDisk(mkdtemp(join(folders.state, "edit-")));
  const path = join(folder, name);
  await onDisk(writeFile(path, text, { mode: 0o600, flag: "wx" }));
  const editor = env["VISUAL"] || env["EDITOR"] || (machine.platform === "win32" ? "notepad" : "vi");
  return {
    path,
    edit: async () => {
      const code = await machine.edit(editor, path);
      if (code !== 0)
        throw new CalError("declined", `the editor ended with exit code ${code}; nothing was sent`, { code: "editor-failed" });
    },
    read: () => onDisk(readFile(path, "utf8")),
    write: (other) => onDisk(writeFile(path, other, { mode: 0o600 })),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Removes the texts that were kept for so long, and says so. What can't be removed is tried again at the next edit. */
async function removeExpiredEditFiles({ folders, clock, notice }: Context): Promise<void> {
  const { readdir, rm, stat } = await import("node:fs/promises");
  const names = await readdir(folders.state).catch(() => []);
  for (const name of names.filter((one) => /^edit-\w{6}$/.test(one))) {
    const folder = join(folders.state, name);
    const files = (await readdir(folder).catch(() => [])).map((file) => join(folder, file));
    const touched = await Promise.all([folder, ...files].map(async (path) => (await stat(path)).mtimeMs)).catch(() => [clock.now()]);
    if (clock.now() - Math.max(...touched) < retentionDays * millisecondsPerDay) continue;
    const removed = await rm(folder, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (removed) await notice(`removed a text that was not sent for ${retentionDays} days: ${files.join(", ") || folder}`);
  }
}
