// What V8 compiled at an earlier start, kept in the user's cache folder: Node 20 has no such cache, and compiling takes as long as the work.
// Code in a cache is code that will be run, so it is only taken from a folder that nobody else can write to.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/** What the cache has to know of the machine. */
interface CodeMachine {
  /** Tells Node's versions and processors apart: each has its own files. */
  readonly node: string;
  /** The user; undefined where the platform has no such number. */
  readonly uid: number | undefined;
}

/** Compiles source text, sooner where it was compiled before. */
export interface CodeCache {
  /** The script of a pack. Its text begins with `//` and the 16 digits that tell its content: V8 itself looks at the length alone. */
  compile(name: string, source: string, filename: string): Script;
  /** Stores what had to be compiled anew, with every function that was used meanwhile; to be called last. Never throws. */
  keep(): void;
}

const idLength = 16;

/** A cache in a folder, which need not exist yet. */
export function openCodeCache(folder: string, { node, uid }: CodeMachine): CodeCache {
  const usable = isOurs(folder, uid);
  const fresh: { readonly file: string; readonly id: string; readonly script: Script }[] = [];
  return {
    compile: (name, source, filename) => {
      const file = join(folder, `${name}-${node}`);
      const id = source.slice(2, 2 + idLength);
      const cachedData = usable ? kept(file, id, uid) : undefined;
      const script = new Script(source, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
      if (cachedData === undefined || script.cachedDataRejected === true) fresh.push({ file, id, script });
      return script;
    },
    keep: () => {
      if (fresh.length === 0) return;
      try {
        if (!mayMake(folder, uid)) return;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOurs(folder, uid)) return;
        for (const { file, id, script } of fresh) replace(file, () => [Buffer.from(id), script.createCachedData(), Buffer.from(id)]);
        dropDrafts(folder);
      } catch {
        // The next start is as slow as this one, and nothing is lost.
      }
    },
  };
}

/** Whether a folder is there, and only this user can change what is in it. A link is none: its target may be anybody's. */
function isOurs(folder: string, uid: number | undefined): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return false;
  return uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0);
}

/** Root makes nothing in a folder of somebody else, who could not use a folder of root's. */
function mayMake(folder: string, uid: number | undefined): boolean {
  if (uid !== 0) return true;
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? mayMake(dirname(folder), uid) : stat.uid === uid;
}

/** The compiled code of just this text; undefined where there is none. V8 refuses what another V8 made, but runs what is broken. */
function kept(file: string, id: string, uid: number | undefined): Buffer | undefined {
  try {
    const content = ownContent(file, uid);
    if (content === undefined) return undefined;
    const end = content.length - idLength;
    if (end < idLength || content.toString("latin1", 0, idLength) !== id || content.toString("latin1", end) !== id) return undefined;
    return content.subarray(idLength, end);
  } catch {
    return undefined;
  }
}

/** The content of a file of this user alone: it is looked at as it is read, for another may have come into its place. */
function ownContent(file: string, uid: number | undefined): Buffer | undefined {
  const opened = openSync(file, "r");
  try {
    const stat = fstatSync(opened);
    const own = stat.isFile() && (uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0));
    return own ? readFileSync(opened) : undefined;
  } finally {
    closeSync(opened);
  }
}

/** Puts a whole file in the place of another. It is on the disk before it has its name, so that a power cut leaves no half of it. */
function replace(file: string, parts: () => readonly Buffer[]): void {
  // No process id: in containers that share a folder several processes have the same.
  const draft = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    const opened = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(opened, Buffer.concat(parts()));
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Takes away what processes left that were killed as they wrote: drafts a day older than what was written just now. */
function dropDrafts(folder: string): void {
  const files = readdirSync(folder).map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
  const now = Math.max(...files.map(({ at }) => at));
  for (const { path, at } of files) if (/-v\d[^.]*(?:\.\d+)*-[^.]+\.[a-z0-9]+$/.test(path) && at < now - 86_400_000) rmSync(path);
}
