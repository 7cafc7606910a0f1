// Builds dist/ from src/: a minified bundle, split where the program imports lazily, with the licences of what went in.

import { readFileSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { lighter } from "./build/lighter.js";
import { pack } from "./build/packing.js";
import { bundledPackages, licenceText } from "./licences.js";

/** What is loaded together, by the file in dist/ that it goes into; see packing.js. */
const groups = {
  program: ["src/main.ts", "src/cli/completion/value-cache.ts"],
  // Wanted by settings that change, by logins and by the sandbox, which want nothing else of each other.
  lock: ["src/lock.ts"],
  parser: ["node_modules/commander/esm.mjs"],
  completion: ["src/cli/completion/complete.ts"],
  known: ["src/api/reply.ts", "src/api/client.ts", "src/auth/credentials.ts"],
  records: [
    "src/auth/session.ts",
    "src/commands/records/list.ts",
    "src/http/transport.ts",
    "src/http/retries.ts",
    "src/http/undici.ts",
    "src/output/render.ts",
  ],
  help: ["src/cli/help.ts"],
  problem: ["src/output/message.ts", "src/terminal/style.ts"],
  table: ["src/output/table.ts", "src/output/draw-table.ts"],
};

/** The keychain is asked in a child process, so it is a program of its own. */
const child = { "keychain-child": "src/auth/keychain-child.ts" };

/** What Node itself loads first; it loads the rest. It begins here, where it is known where the files are. */
const loader = { main: "src/start/loader.ts" };
const begin = "module.exports.start(__dirname,process,require);";

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
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    // Node 20 knows all that are used. Else each would be made anew from a text wherever it is used, for every record.
    supported: { "regexp-unicode-property-escapes": true },
    legalComments: "none",
    metafile: true,
    // One has a WebAssembly file beside it, the other a native library.
    external: ["node-sqlite3-wasm", "keytar"],
    logLevel: "warning",
  });
  const split = await build({
    ...options,
    entryPoints: { program: "src/main.ts" },
    outdir,
    splitting: true,
    format: "esm",
    write: false,
    plugins: [lighter],
    define: { CAL_VERSION: JSON.stringify(version) },
    chunkNames: "[name]-[hash]",
  });
  // Only now: whoever runs the program meanwhile should not find it gone for longer than must be.
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await pack(split, groups, options);
  const others = [
    await build({ ...options, entryPoints: child, outdir, format: "cjs" }),
    await build({ ...options, entryPoints: loader, outdir, format: "cjs", footer: { js: begin } }),
  ].map(({ metafile }) => metafile);
  const metafile = {
    inputs: Object.assign({}, ...[split.metafile, ...others].map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...[split.metafile, ...others].map(({ outputs }) => outputs)),
  };
  const packages = bundledPackages(Object.keys(metafile.inputs));
  await writeFile(join(outdir, "package.json"), '{"type":"commonjs"}\n');
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
