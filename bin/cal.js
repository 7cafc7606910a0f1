#!/usr/bin/env node
// Checks the version of Node, turns on Node's compile cache, and loads the program. Uses only syntax that old versions can read.
"use strict";
const needed = [20, 18, 1];
const running = process.versions.node.split(".").map(Number);
const first = needed.findIndex((part, index) => running[index] !== part);

if (first !== -1 && running[first] < needed[first]) {
  console.error(`cal: needs Node ${needed.join(".")} or newer; this is Node ${process.versions.node}`);
  process.exitCode = 2;
} else {
  try {
    turnOnCompileCache();
  } catch (_error) {
    // The program runs without it, only slower.
  }
  require("../dist/main.js");
}

/**
 * Node 22.8 and later can keep compiled code: by default in a folder that all users share, here in the cache folder of src/config/folders.ts.
 * Node runs what it finds there, so only this user may be able to write it.
 */
function turnOnCompileCache() {
  const { enableCompileCache } = require("node:module");
  const { CAL_CACHE_DIR, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (enableCompileCache === undefined || NODE_DISABLE_COMPILE_CACHE) return;
  const { mkdirSync, statSync } = require("node:fs");
  const { homedir } = require("node:os");
  const { isAbsolute, join } = require("node:path");
  const cacheDir =
    CAL_CACHE_DIR ||
    (process.platform === "win32" && join(LOCALAPPDATA || join(homedir(), "AppData", "Local"), "cal", "Cache")) ||
    (process.platform === "darwin" && join(homedir(), "Library", "Caches", "cal")) ||
    join(XDG_CACHE_HOME || join(homedir(), ".cache"), "cal");
  if (!isAbsolute(cacheDir)) return;
  const folder = join(cacheDir, "code");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(folder);
  if (process.platform === "win32" || (uid === process.getuid() && (mode & 0o022) === 0)) enableCompileCache(folder);
}
