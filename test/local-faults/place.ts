// The built program in a folder that everybody may read, run by somebody who is not root, with folders of their own.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { CommandResult } from "../helpers/session.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isRoot = process.getuid?.() === 0;
/** The user `nobody`, whom every Unix knows by this number; without root's rights, the user who runs the tests. */
const unprivilegedUserId = 65_534;

export interface TestInstallation {
  /** Belongs to the user that the program runs as. */
  readonly folder: string;
  /** Runs a command line; HOME is `folder`/home unless set. */
  cal(args: readonly string[], env?: Readonly<Record<string, string>>): CommandResult;
  /** Makes a folder of that user's in `folder`. */
  createFolder(name: string, mode?: number): string;
  /** Takes rights away from the user; where root runs the tests, by giving the folder or file to root. */
  revokeAccess(path: string): void;
}

/** Lays out the place; it is removed after the test file. */
export function createTestInstallation(): TestInstallation {
  const folder = mkdtempSync(join(tmpdir(), "cal-place-"));
  afterAll(() => {
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o700);
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o755);
  const installed = join(folder, "program");
  for (const part of ["bin", "dist", "package.json"]) cpSync(join(root, part), join(installed, part), { recursive: true });
  const createFolder = (name: string, mode = 0o700) => {
    const path = join(folder, name);
    mkdirSync(path);
    grantOwnership(path);
    chmodSync(path, mode);
    return path;
  };
  createFolder("home");
  return {
    folder,
    createFolder,
    cal: (args, env = {}) => {
      const identity = isRoot ? { uid: unprivilegedUserId, gid: unprivilegedUserId } : {};
      const { stdout, stderr, status } = spawnSync(process.execPath, [join(installed, "bin/cal.js"), ...args], {
        cwd: folder,
        env: { HOME: join(folder, "home"), CAL_RETRIES: "0", ...env },
        encoding: "utf8",
        ...identity,
      });
      return { stdout, stderr, code: status ?? -1 };
    },
    revokeAccess: (path) => {
      chmodSync(path, isRoot ? 0o700 : 0o000);
      if (isRoot) chownSync(path, 0, 0);
    },
  };
}

/** Gives a file or folder to the user that the program runs as. */
export function grantOwnership(path: string): void {
  if (isRoot) chownSync(path, unprivilegedUserId, unprivilegedUserId);
}
