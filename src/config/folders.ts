// Where the program keeps its files. The names never depend on the name under which it is called.

import { posix, win32 } from "node:path";
import { usageError } from "../errors.ts";

/** Absolute paths of folders that need not exist yet. */
export interface Folders {
  /** Profiles. */
  readonly config: string;
  /** What must last but is not set by hand: the index of secrets, the sandbox, locks. */
  readonly state: string;
  /** What may be deleted at any time. */
  readonly cache: string;
}

/** What the folders depend on. */
interface FolderSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
}

/**
 * `CAL_CONFIG_DIR`, `CAL_STATE_DIR` and `CAL_CACHE_DIR`, else the XDG folders, else what the platform uses.
 * Throws a usage CalError for a CAL_*_DIR or a home that is not absolute: it would name another place in every working folder.
 */
export function findFolders({ env, home, platform }: FolderSources): Folders {
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const relative = ["CAL_CONFIG_DIR", "CAL_STATE_DIR", "CAL_CACHE_DIR"].filter((name) => env[name] && !isAbsolute(env[name]));
  if (relative.length > 0) {
    throw usageError(relative.map((name) => `${name} must be an absolute path, and "${env[name]}" is not`));
  }
  const usual = getDefaultFolders({ env, home, platform });
  const folders = {
    config: env["CAL_CONFIG_DIR"] || usual.config,
    state: env["CAL_STATE_DIR"] || usual.state,
    cache: env["CAL_CACHE_DIR"] || usual.cache,
  };
  if (Object.values(folders).every((folder) => isAbsolute(folder))) return folders;
  throw usageError(
    `the home folder must be an absolute path, and "${home}" is not: no settings are read from the working folder`,
    "set HOME",
  );
}

function getDefaultFolders({ env, home, platform }: FolderSources): Folders {
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local");
    return {
      config: win32.join(env["APPDATA"] || win32.join(home, "AppData", "Roaming"), "cal", "Config"),
      state: win32.join(local, "cal", "State"),
      cache: win32.join(local, "cal", "Cache"),
    };
  }
  const { join, isAbsolute } = posix;
  if (platform === "darwin") {
    const library = join(home, "Library");
    return {
      config: join(library, "Preferences", "cal"),
      state: join(library, "Application Support", "cal"),
      cache: join(library, "Caches", "cal"),
    };
  }
  // The XDG specification has relative paths passed over.
  const xdg = (name: string, fallback: readonly string[]) => {
    const folder = env[name] ?? "";
    return join(isAbsolute(folder) ? folder : join(home, ...fallback), "cal");
  };
  return {
    config: xdg("XDG_CONFIG_HOME", [".config"]),
    state: xdg("XDG_STATE_HOME", [".local", "state"]),
    cache: xdg("XDG_CACHE_HOME", [".cache"]),
  };
}
