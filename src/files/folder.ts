// A folder with one file for each record. It can come from a repository of others: nothing outside it is read or written, and no symbolic link is followed.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../atomic-file.ts";
import { CalError, codeOf, messageOf, type Problem, usageError } from "../errors.ts";
import type { ResourceName } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { shellQuote } from "../text.ts";
import { extension, foldName } from "./names.ts";

/** Holds the ledger. */
const ownFolder = ".calendar";

/** Bytes of one file at most. */
const maxBytes = 1_000_000;

/** A file of a record as it was read. */
export interface RecordFile {
  readonly resource: ResourceName;
  /** Names the record in plans and in the ledger: the path below the folder without its extension, `events/2027-01-16-jazz-night`. */
  readonly key: string;
  /** The path below the folder, for messages. */
  readonly path: string;
  /** Undefined where it can't be read: then there is a problem. */
  readonly text?: string;
  readonly problem?: Problem;
}

export interface RecordFolder {
  /** As the user typed it. */
  readonly path: string;
  readonly ledgerPath: string;
  /** Whether there is a folder for these records. */
  has(resource: ResourceName): boolean;
  /** All files of a resource in the order of their names. */
  read(resource: ResourceName): readonly RecordFile[];
  /** Throws a CalError of kind `local`. */
  write(key: string, text: string): void;
  remove(key: string): void;
}

export const toPath = (key: string): string => `${key}${extension}`;

/** Opens a folder of records; `.` only where `.calendar/` is there, unless the folder may be a new one. Throws a usage error. */
export function openRecordFolder(path: string, { mayBeNew = false } = {}): RecordFolder {
  if (!mayBeNew) assertFolder(path);
  else if (existsSync(path) && !isFolder(path)) throw usageError(`${path} is no folder`);
  for (const name of [ownFolder, ...Object.keys(resources)]) assertRealFolder(path, name);
  const ledgerPath = join(path, ownFolder, "ledger.ndjson");
  if (existsNoFollow(ledgerPath) && !lstatSync(ledgerPath).isFile())
    throw usageError(`${join(ownFolder, "ledger.ndjson")} is no file, or a symbolic link, which is not followed`);
  // A system can write the accents of a name on their own: the file keeps this name.
  const paths = new Map<string, string>();
  const pathOf = (key: string) => paths.get(key) ?? toPath(key);
  return {
    path,
    ledgerPath,
    has: (resource) => existsNoFollow(join(path, resource)),
    read: (resource) => {
      const files = existsNoFollow(join(path, resource)) ? readFiles(path, resource) : [];
      for (const file of files) if (file.problem === undefined) paths.set(file.key, file.path);
      return files;
    },
    write: (key, text) => {
      const [folder = ""] = key.split("/");
      runLocally(toPath(key), () => {
        assertRealFolder(path, folder);
        mkdirSync(join(path, folder), { recursive: true });
        writeFileAtomic(join(path, pathOf(key)), text, { hasLock: false });
      });
    },
    remove: (key) => runLocally(toPath(key), () => rmSync(join(path, pathOf(key)), { force: true })),
  };
}

function assertFolder(path: string): void {
  const names = isFolder(path) ? readdirSync(path) : undefined;
  const hint = { text: "write the records of a site into a folder", command: `cal pull ${shellQuote(path)}` };
  if (names === undefined) throw usageError(`there is no folder ${path}`, hint);
  const isOwn = names.includes(ownFolder);
  if (!isOwn && path === ".")
    throw usageError(`there is no ${ownFolder} in this folder, so it does not hold a calendar`, [hint, "or name the folder"]);
  if (!isOwn && !Object.keys(resources).some((name) => names.includes(name)))
    throw usageError(`${path} does not hold a calendar: there is no ${ownFolder}, and none of ${Object.keys(resources).join(", ")}`, hint);
}

/** The folder itself may be named by a symbolic link. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function existsNoFollow(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function assertRealFolder(path: string, name: string): void {
  const stats = lstatSync(join(path, name), { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw usageError(`${name} is ${stats.isSymbolicLink() ? "a symbolic link, which is not followed" : "no folder"}`);
}

function readFiles(folder: string, resource: ResourceName): readonly RecordFile[] {
  const entries = readdirSync(join(folder, resource), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const seen = new Map<string, string>();
  return entries.flatMap((entry): readonly RecordFile[] => {
    const { name } = entry;
    const path = `${resource}/${name}`;
    const refuse = (message: string): readonly RecordFile[] => [
      { resource, key: path.replace(/\.ya?ml$/, "").normalize("NFC"), path, problem: { message } },
    ];
    if (entry.isDirectory()) return refuse(`${path} is a folder: only files right below ${resource} are read`);
    if (/\.yml$/i.test(name)) return refuse(`${path}: the name must end in ${extension}`);
    if (!name.endsWith(extension)) return [];
    const stem = name.slice(0, -extension.length);
    const same = seen.get(foldName(stem));
    seen.set(foldName(stem), path);
    if (same !== undefined) return refuse(`${path} and ${same} are one file on some systems: rename one`);
    const key = `${resource}/${stem.normalize("NFC")}`;
    try {
      return [{ resource, key, path, text: readFile(join(folder, path)) }];
    } catch (error) {
      const isLink = ["ELOOP", "EMLINK"].includes(codeOf(error) ?? "");
      return refuse(`${path}: ${isLink ? "it is a symbolic link, which is not followed" : messageOf(error)}`);
    }
  });
}

/** Throws Node's own errors, and an Error that says what is wrong with the file. */
function readFile(path: string): string {
  // Windows has no such flag: there the kind of the name is asked first.
  if (constants.O_NOFOLLOW === undefined && lstatSync(path).isSymbolicLink())
    throw new Error("it is a symbolic link, which is not followed");
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("it is no file");
    if (stats.size > maxBytes) throw new Error("it is larger than 1 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw codeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA" ? new Error("it is not UTF-8") : error;
  } finally {
    closeSync(file);
  }
}

function runLocally(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof CalError) throw error;
    throw new CalError("local", `${path} can't be written: ${messageOf(error)}`, { code: "record-file", cause: error });
  }
}
