// Pictures that are uploaded: what they are is read from their first bytes. Where those of this machine may be is checked.
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { UploadFile } from "../api/request.ts";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";

export interface ImageFile extends UploadFile {
  /** As a plan names it: relative to a folder of images, or the name alone. */
  readonly path: string;
}

/** What begins the value of an image that is a file: `@poster.jpg`. */
export const filePrefix = "@";

export const maxMegabytes = 20;

interface ImageType {
  readonly type: string;
  readonly extension: string;
  readonly matches: (start: string) => boolean;
}

/** The pictures that WordPress takes. Of the first bytes each character is one. */
const imageTypes: readonly ImageType[] = [
  { type: "image/jpeg", extension: "jpg", matches: (start) => start.startsWith("\xff\xd8\xff") },
  { type: "image/png", extension: "png", matches: (start) => start.startsWith("\x89PNG\r\n\x1a\n") },
  { type: "image/gif", extension: "gif", matches: (start) => /^GIF8[79]a/.test(start) },
  { type: "image/webp", extension: "webp", matches: (start) => start.startsWith("RIFF") && start.slice(8, 12) === "WEBP" },
  { type: "image/avif", extension: "avif", matches: (start) => start.slice(4, 12) === "ftypavif" },
];

/** Reads a picture. `path` names it in messages and plans. Throws a usage error for what is no picture, or too large. */
export function readImageFile(file: string, path = basename(file)): ImageFile {
  return describeImage(readBytes(file), { file, path, readAgain: async () => readBytes(file) });
}

interface ImageSource extends Pick<ImageFile, "path"> {
  /** For messages. */
  readonly file: string;
  readonly readAgain: () => Promise<Uint8Array>;
}

/** What a picture is, by its bytes, which are not kept: they are read again for the upload. Throws a usage error for what is no picture. */
export function describeImage(bytes: Uint8Array, { file, path, readAgain }: ImageSource): ImageFile {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const known = imageTypes.find(({ matches }) => matches(start));
  if (known === undefined) throw usageError(`${file} is no picture that a site takes: its content is not JPEG, PNG, GIF, WebP or AVIF`);
  const sha256 = hashBytes(bytes);
  return {
    path,
    name: createUploadName(path, known.extension),
    type: known.type,
    size: bytes.length,
    sha256,
    read: async () => {
      const now = await readAgain();
      if (hashBytes(now) !== sha256)
        throw new CalError("rejected", `${path} has changed since it was looked at; it was not uploaded`, { code: "stale" });
      return now;
    },
  };
}

const hashBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The name of the upload, which says the type of its content: ASCII, for it is part of a header. */
function createUploadName(path: string, extension: string): string {
  const stem = basename(path)
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z\d_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `${stem === "" ? "picture" : stem.slice(0, 80)}.${extension}`;
}

/** Throws a usage error where there is no such file, or where it is too large or no regular file. */
function readBytes(file: string): Uint8Array {
  let descriptor: number;
  try {
    // A FIFO in its place would block the process.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") throw usageError(`there is no file ${file}`);
    throw usageError(`${file} can't be read: ${messageOf(error)}`);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw usageError(`${file} is no file`);
    if (stats.size > maxMegabytes * 1_000_000)
      throw usageError(`${file} has ${Math.ceil(stats.size / 1_000_000)} MB: a picture may have ${maxMegabytes} MB`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The pictures of one folder, for paths that come from a file: nothing outside of the folder is read, and no symbolic link is followed. */
export interface ImageFolder {
  /** Reads a picture once. Throws a usage error. */
  take(path: string): ImageFile;
  /** A picture that was taken, by the hash of its content. */
  find(sha256: string): ImageFile | undefined;
}

/** `name` is what messages call the folder. */
export function openImageFolder(folder: string, name = "the folder of --images"): ImageFolder {
  let root: string;
  try {
    root = realpathSync(folder);
  } catch (error) {
    throw usageError(`--images: the folder ${folder} can't be read: ${messageOf(error)}`);
  }
  const byPath = new Map<string, ImageFile>();
  const byHash = new Map<string, ImageFile>();
  return {
    take: (path) => {
      const file = resolve(root, path);
      const inside = relative(root, file);
      if (isAbsolute(path) || inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
        throw usageError(`${JSON.stringify(path)} is not below ${name}`);
      assertNoLink(file, path, name);
      const known = byPath.get(file) ?? readImageFile(join(root, inside), inside.split(sep).join("/"));
      byPath.set(file, known);
      byHash.set(known.sha256, byHash.get(known.sha256) ?? known);
      return known;
    },
    find: (sha256) => byHash.get(sha256),
  };
}

function assertNoLink(file: string, path: string, folder: string): void {
  let real = file;
  try {
    real = realpathSync(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") throw usageError(`there is no file ${path} in ${folder}`);
    throw usageError(`${path} can't be read: ${messageOf(error)}`);
  }
  if (real !== file) throw usageError(`${JSON.stringify(path)} is, or is behind, a symbolic link, which is not followed`);
}
