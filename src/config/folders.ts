// The folders of the program's files. They do not depend on the name of the program (cal or calctl).

import { posix, win32 } from "node:path";
import { usageError } from "../errors.ts";

/** Absolute paths of folders that need not exist yet. */
export interface Folders {
  /** Profiles. */
  readonly config: string;
  /** Files that must last and that nobody edits: the index of secrets, the sandbox, locks. */
  readonly state: string;
  /** What may be deleted at any time. */
  readonly cache: string;
}

interface FolderSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** In Node's words: `linux`, `darwin`, `win32`. */
  readonly platform: string;
}

/**
 * `CAL_CONFIG_DIR`, `CAL_STATE_DIR` and `CAL_CACHE_DIR`, else the XDG folders, else those of the platform.
 * Throws a usage CalError for a CAL_*_DIR or a home that is not absolute: it would depend on the working folder.
 */
export function findFolders({ env, home, platform }: FolderSources): Folders {
  const { isAbsolute } = platform === "win32" ? win32 : posix;
  const relative = ["CAL_CONFIG_DIR", "CAL_STATE_DIR", "CAL_CACHE_DIR"].filter((name) => env[name] && !isAbsolute(env[name]));
  if (relative.length > 0) {
    throw usageError(relative.map((name) => `${name} must be an absolute path, and "${env[name]}" is not`));
  }
  const defaults = getDefaultFolders({ env, home, platform });
  const folders = {
    config: env["CAL_CONFIG_DIR"] || defaults.config,
    state: env["CAL_STATE_DIR"] || defaults.state,
    cache: env["CAL_CACHE_DIR"] || defaults.cache,
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
  // The XDG specification says to ignore relative paths.
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
