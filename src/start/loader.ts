// Loads the files of the built program. The build makes each a function with the parameters of a CommonJS module (scripts/build/packing.js);
// Node's own loader would look for each at several places, and on Node 20 compile it anew at every start.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { findFolders } from "../config/folders.ts";
import { type CodeCache, openCodeCache } from "./code-cache.ts";

/** What is needed of Node's process. */
type StartProcess = Pick<NodeJS.Process, "arch" | "env" | "once" | "platform" | "version"> & Partial<Pick<NodeJS.Process, "getuid">>;

type Require = (name: string) => unknown;
type Pack = (exports: unknown, require: Require, module: { exports: unknown }, filename: string, folder: string) => void;

/** Runs the program in a folder; `outside` loads what is not in it: Node's modules and the packages that are no part of the bundle. */
export function start(folder: string, node: StartProcess, outside: Require): void {
  const cache = cacheFor(node);
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const filename = join(folder, name);
    // The files are in ASCII, and this is how Node reads that fastest.
    const source = readFileSync(filename, "latin1");
    // Only packs are kept: the small files beside them have other names in every version.
    const script = cache === undefined || name.includes("-") ? new Script(source, { filename }) : cache.compile(name, source, filename);
    const pack = script.runInThisContext() as Pack;
    try {
      pack(module.exports, require, module, filename, folder);
    } catch (error) {
      // Half a module is none: whoever asks again is told the same.
      loaded.delete(name);
      throw error;
    }
    return module.exports;
  };
  const require: Require = (name) => (name.startsWith("./") ? load(name.slice(2)) : outside(name));
  load("program.js");
  if (cache !== undefined) node.once("exit", () => cache.keep());
}

/** The cache of this user; none where it is not wanted, by Node's own variable for that, or has no place. */
function cacheFor({ arch, env, getuid, platform, version }: StartProcess): CodeCache | undefined {
  if (env["NODE_DISABLE_COMPILE_CACHE"]) return undefined;
  try {
    const { cache } = findFolders({ env, home: homedir(), platform });
    return openCodeCache(join(cache, "code"), { node: `${version}-${arch}`, uid: getuid?.() });
  } catch {
    // The command itself says what is wrong with the folders.
    return undefined;
  }
}
