// Small programs that tests start as processes of their own, built from the sources with esbuild.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the keychain's program into a folder; answers with its path. keytar is found from the checkout. */
export async function buildKeychainProgram(path: string): Promise<string> {
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
export async function buildAuthHeaderProgram(path: string): Promise<string> {
  const outfile = join(path, "access.mjs");
  const source = `
    import { createHttpConnection } from "./src/http/undici.ts";
    import { createAuthHeaderProvider } from "./src/auth/session.ts";
    import { openCredentialStore } from "./src/auth/credential-store.ts";
    const [folder, program, settings, timeout] = process.argv.slice(2);
    const clock = { now: () => performance.timeOrigin + performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };
    const warn = async (text) => console.error(text);
    const keychain = { program, env: process.env, notice: warn, ...(timeout ? { timeouts: { timeout: Number(timeout) } } : {}) };
    const wire = createHttpConnection({ timeout: 20000, connections: 2 });
    const tokens = createAuthHeaderProvider({ settings: JSON.parse(settings), env: {}, clock, transport: async () => wire.send, credentialStore: async () => openCredentialStore({ folder, clock, keychain }), warn });
    try {
      console.log((await tokens.getAuthHeader())?.value);
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
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly durationMs: number;
}

/** Runs a Node program to its end. */
export function runNode(args: readonly string[], env: Readonly<Record<string, string | undefined>> = process.env): Promise<ProcessResult> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn("node", [...args], { stdio: ["ignore", "pipe", "pipe"], env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr, durationMs: performance.now() - start }));
  });
}
