// Builds dist/ from src/: minified files, split where the program imports lazily, with the licences of the packages in them.

import { readFileSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writePacks } from "./build/pack.js";
import { patchPlugin } from "./build/patches.js";
import { findBundledPackages, formatLicences } from "./licences.js";

/** Source files that are loaded together, with all that they import statically, by the file in dist/ that they go into. */
const packs = {
  main: ["src/main.ts"],
  // Changes of the configuration, logins and the sandbox need it, and nothing else in common.
  lock: ["src/lock.ts"],
  parser: ["node_modules/commander/esm.mjs"],
  completion: ["src/cli/completion/complete.ts"],
  known: ["src/cli/completion/value-cache.ts", "src/api/reply.ts", "src/api/client.ts", "src/auth/credentials.ts"],
  records: [
    "src/auth/credential-store.ts",
    "src/auth/session.ts",
    "src/commands/records/list.ts",
    "src/http/transport.ts",
    "src/http/retries.ts",
    "src/http/undici.ts",
    "src/output/render.ts",
  ],
  help: ["src/cli/help.ts"],
  problem: ["src/output/message.ts", "src/terminal/style.ts"],
  table: ["src/output/table.ts"],
};

/**
 * Bundles a checkout into a folder, which is emptied first; resolves with esbuild's metafile of the program before it was packed.
 * @param {string} root
 * @param {string} outdir
 */
export async function buildProgram(root, outdir) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  /** @satisfies {import("esbuild").BuildOptions} */
  const options = /** @type {const} */ ({
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    // Node 20 has these. Otherwise esbuild makes `new RegExp()` of every such literal, which is compiled again at every use.
    supported: { "regexp-unicode-property-escapes": true },
    legalComments: "none",
    metafile: true,
    // It has a native library beside it.
    external: ["keytar"],
    logLevel: "warning",
  });
  const program = await build({
    ...options,
    entryPoints: { main: "src/main.ts" },
    splitting: true,
    format: "esm",
    write: false,
    plugins: [patchPlugin],
    // Some packages choose one of two copies of themselves by it, and both would be bundled.
    define: { CAL_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
    chunkNames: "[name]-[hash]",
  });
  // Not earlier: a program that is running may still load files from it.
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await writePacks(program, packs, options);
  // The keychain is called in a child process (src/auth/keychain.ts).
  const child = await build({ ...options, entryPoints: ["src/auth/keychain-child.ts"], format: "cjs" });
  const metafile = {
    inputs: { ...program.metafile.inputs, ...child.metafile.inputs },
    outputs: { ...program.metafile.outputs, ...child.metafile.outputs },
  };
  const packages = findBundledPackages(Object.keys(metafile.inputs));
  await writeFile(join(outdir, "package.json"), '{"type":"commonjs"}\n');
  await writeFile(join(outdir, "meta.json"), JSON.stringify(metafile));
  await writeFile(join(outdir, "THIRD-PARTY-LICENSES.txt"), formatLicences(root, packages));
  // `open` looks for this script beside its own code.
  if (packages.includes("node_modules/open")) await copyFile(join(root, "node_modules/open/xdg-open"), join(outdir, "xdg-open"));
  return metafile;
}

const script = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === script) {
  const root = resolve(script, "../..");
  await buildProgram(root, join(root, "dist"));
}
