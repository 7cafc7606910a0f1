// Small programs that tests start as processes of their own, built from the sources with esbuild.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the keychain's program into a folder; answers with its path. keytar is found from the checkout. */
export async function keychainProgram(path: string): Promise<string> {
  const outfile = join(path, "keychain-child.mjs");
  const banner = {
    js: `import { createRequire } from "node:module"; const require = createRequire(${JSON.stringify(`${root}/package.json`)});`,
  };
  await build({
    entryPoints: [join(root, "src/auth/keychain-child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner,
    plugins: [keytarFromHere],
  });
  return outfile;
}

/** The built program stays outside the checkout, where no package is found by its name. */
const keytarFromHere = {
  name: "keytar-from-here",
  setup: (building: import("esbuild").PluginBuild): void => {
    building.onResolve({ filter: /^keytar$/ }, () => ({ path: join(root, "node_modules/keytar/lib/keytar.js"), external: true }));
  },
};

/** Builds a program that asks for the access of a stored login and prints `<header value>` or the error, and what it took. */
export async function accessProgram(path: string): Promise<string> {
  const outfile = join(path, "access.mjs");
  const source = `
    import { createWire } from "./src/http/undici.ts";
    import { createTokens } from "./src/auth/session.ts";
    import { openVault } from "./src/auth/open-vault.ts";
    const [folder, program, settings, patience] = process.argv.slice(2);
    const clock = { now: () => performance.timeOrigin + performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };
    const warn = async (text) => console.error(text);
    const keychain = { program, env: process.env, notice: warn, ...(patience ? { patience: { end: Number(patience) } } : {}) };
    const wire = createWire({ timeout: 20000, connections: 2 });
    const tokens = createTokens({ settings: JSON.parse(settings), env: {}, clock, transport: async () => wire.send, vault: openVault({ folder, clock, keychain }), warn });
    try {
      console.log((await tokens.current())?.value);
    } catch (error) {
      console.log(error.kind + " " + error.details.code + ": " + error.message);
      process.exitCode = error.exitCode;
    }
    await wire.close();
  `;
  const banner = { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` };
  await build({
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner,
  });
  return outfile;
}

/** What a process left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Runs a Node program to its end. */
export function run(args: readonly string[], env: Readonly<Record<string, string | undefined>> = process.env): Promise<Ended> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn("node", [...args], { stdio: ["ignore", "pipe", "pipe"], env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr, took: performance.now() - start }));
  });
}
