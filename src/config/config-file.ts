// The config file: read as plain JSON, written through conf under a lock of our own.
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CalError, codeOf, messageOf } from "../errors.ts";
import type { LockOptions } from "../lock/lock.ts";
import { type ConfigData, emptyConfig, parseConfig } from "./data.ts";

/** The stored profiles. Secrets are never in it. */
export interface ConfigFile {
  readonly path: string;
  /** What it holds now; the same as an empty one where there is no file. Rejects with a `local` CalError where it can't be used. */
  read(): Promise<ConfigData>;
  /** Replaces what it holds by the answer of `change`, which is called with the newest data and may throw: then nothing is written. */
  update(change: (data: ConfigData) => ConfigData): Promise<void>;
}

/** The config file of a folder, which need not exist yet. */
export function openConfigFile(folder: string, waiting: LockOptions): ConfigFile {
  const path = join(folder, "config.json");
  const read = async () => {
    const text = readConfigText(path);
    return text === undefined ? emptyConfig : parseConfig(text, path);
  };
  const update = async (change: (data: ConfigData) => ConfigData) => {
    const [{ replaceJson }, { withLock }] = await Promise.all([import("./conf-store.ts"), import("../lock/lock.ts")]);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withLock(`${path}.lock`, waiting, async () => replaceJson(folder, { ...change(await read()) }));
    } catch (error) {
      throw error instanceof CalError ? error : createConfigFileError("write", path, error);
    }
  };
  return { path, read, update };
}

/** Read at once: every command waits for it, and Node takes 2 ms to load its promises of files. */
function readConfigText(path: string): string | undefined {
  try {
    // A FIFO in its place would be waited for, and no signal could end that.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw createConfigFileError("read", path, error);
  }
}

function createConfigFileError(doing: "read" | "write", path: string, cause: unknown): CalError {
  return new CalError("local", `cannot ${doing} the config file ${path}: ${messageOf(cause)}`, {
    hint: "check its owner and mode, or use another folder: CAL_CONFIG_DIR=<folder>",
    cause,
  });
}
