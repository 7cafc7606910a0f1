// Builds dist/ from src/: one minified ESM bundle, split where the program imports lazily, with the licences of what went in.

import { readFileSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundledPackages, licenceText } from "./licences.js";

/** Entries by their name in dist/. The keychain is asked in a child process, so it is a program of its own. */
const entries = { main: "src/main.ts", "keychain-child": "src/auth/keychain-child.ts" };

/** Packages that stay packages: one has a WebAssembly file beside it, the other a native library. */
const external = ["node-sqlite3-wasm", "keytar"];

/** CommonJS packages inside an ESM bundle still call `require` for Node's own modules. */
const requireBanner = 'import{createRequire as bundleRequire}from"node:module";const require=bundleRequire(import.meta.url);';

/**
 * Bundles a checkout into a folder, which is emptied first; resolves with esbuild's metafile.
 * @param {string} root
 * @param {string} outdir
 */
export async function buildProgram(root, outdir) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    legalComments: "none",
    metafile: true,
    external,
    define: { CAL_VERSION: JSON.stringify(version) },
    banner: { js: requireBanner },
    chunkNames: "[name]-[hash]",
    logLevel: "warning",
  });
  const packages = bundledPackages(Object.keys(metafile.inputs));
  await writeFile(join(outdir, "meta.json"), JSON.stringify(metafile));
  await writeFile(join(outdir, "THIRD-PARTY-LICENSES.txt"), licenceText(root, packages));
  // `open` looks for this script beside its own code before it trusts the system's.
  if (packages.includes("node_modules/open")) await copyFile(join(root, "node_modules/open/xdg-open"), join(outdir, "xdg-open"));
  return metafile;
}

const script = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === script) {
  const root = resolve(script, "../..");
  await buildProgram(root, join(root, "dist"));
}
