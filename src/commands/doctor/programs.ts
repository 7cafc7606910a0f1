// Which programs of a name there are on PATH, and which of them are this one.
import { open, realpath, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import type { Env } from "../../context.ts";

/** A program that the shell could start. */
export interface Program {
  readonly path: string;
  /** Whether it is this program, by a link or by a small script that names its file, as package managers and people write them. */
  readonly isThisProgram: boolean;
  /** Whether it is a script, which the month printer is nowhere. */
  readonly isScript: boolean;
}

/** Where a shell looks, and the file that was started. */
export interface ProgramLookup {
  readonly env: Env;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly program: string;
}

/** All programs of that name, in the order in which the shell looks for them. */
export async function findPrograms(name: string, { env, platform, program }: ProgramLookup): Promise<readonly Program[]> {
  const { join, delimiter } = platform === "win32" ? win32 : posix;
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat", ".ps1"] : [""];
  const files = [...new Set(folders)].flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const own = [...new Set([program, await resolveRealPath(program)])];
  const found = await Promise.all(
    files.map(async (path) => ((await isExecutable(path, platform)) ? [await inspectProgram(path, own)] : [])),
  );
  return found.flat();
}

async function isExecutable(path: string, platform: string): Promise<boolean> {
  try {
    const file = await stat(path);
    return file.isFile() && (platform === "win32" || (file.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

/** `own` is the file that was started, by each of its paths. */
async function inspectProgram(path: string, own: readonly string[]): Promise<Program> {
  const start = await readFirstBytes(path);
  const namesUs = /[\\/]calctl[\\/]bin[\\/]cal\.js\b/.test(start) || own.some((name) => start.includes(name));
  return { path, isThisProgram: namesUs || own.includes(await resolveRealPath(path)), isScript: start.startsWith("#!") };
}

async function resolveRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** The first bytes: a script names what it starts there. */
async function readFirstBytes(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
