// Measures the built program against bare Node and bare scripts, on servers of its own, and prints a table of ratios of medians.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createCases } from "./bench/cases.js";
import { compare, runOnce } from "./bench/measure.js";

const usageText = `npm run bench -- [--node <file>] [--program <file>] [--pairs <n>] [--only <pattern>] [--inherit] [--keychain]

Prints a table for docs/performance.md. The programs get PATH alone, or the whole environment with --inherit.
--keychain also measures a login that is stored in the keychain of this session.`;

/** @param {string} path */
const fileAt = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Starts a server, which ends when its stdin is closed.
 * @param {number} events
 * @param {number} latency
 */
async function serve(events, latency) {
  const child = spawn(process.execPath, [fileAt("bench/server.js"), String(events), String(latency)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) => child.stdout.once("data", (chunk) => resolve(String(chunk).trim())));
  return { url: String(url), end: () => void child.stdin.end() };
}

async function main() {
  const { values } = parseArgs({
    options: {
      node: { type: "string", default: process.execPath },
      program: { type: "string", default: fileAt("../bin/cal.js") },
      pairs: { type: "string", default: "21" },
      only: { type: "string", default: "" },
      inherit: { type: "boolean", default: false },
      keychain: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(usageText);
  const folder = await mkdtemp(join(tmpdir(), "cal-bench-"));
  const servers = await Promise.all([serve(0, 0), serve(50, 0), serve(50_000, 0), serve(50_000, 20), serve(1000, 0)]);
  const [none = "", few = "", many = "", slow = "", thousand = ""] = servers.map(({ url }) => url);
  try {
    const env = { CAL_CONFIG_DIR: folder, CAL_STATE_DIR: folder, CAL_CACHE_DIR: join(folder, "cache") };
    if (!values.inherit)
      for (const name of Object.keys(process.env)) if (name !== "PATH" && name !== "DBUS_SESSION_BUS_ADDRESS") delete process.env[name];
    const keychain = values.keychain ? await logIn(values, env, few) : undefined;
    const options = { program: values.program, env, pairs: Number(values.pairs), keychain };
    await printTable(values, createCases({ none, few, many, slow, thousand }, options));
  } finally {
    for (const { end } of servers) end();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Logs in at a server, so that the token is in the keychain; resolves with the environment that selects this login.
 * @param {{ readonly node: string, readonly program: string }} programs
 * @param {Readonly<Record<string, string>>} env
 * @param {string} site
 */
async function logIn({ node, program }, env, site) {
  const user = { CAL_CLIENT_ID: "bench", CAL_USERNAME: "bench", CAL_AUTH_URL: site };
  const args = [program, "auth", "login", "--method", "password", "--password-stdin"];
  await runOnce(node, { args, env: { ...env, ...user, CAL_CLIENT_SECRET: "s", CAL_BASE_URL: site }, input: "p\n" });
  return user;
}

/**
 * @param {{ readonly node: string, readonly only: string }} options
 * @param {readonly import("./bench/cases.js").Case[]} cases
 */
async function printTable({ node, only }, cases) {
  const version = execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  print(`Node ${version}; ${cpus()[0]?.model.trim()}, ${cpus().length} processors; ${process.platform} ${process.arch}\n`);
  print("| measure | against | ours | theirs | ratio | at most |\n|---|---|---|---|---|---|");
  for (const one of cases.filter(({ name }) => new RegExp(only).test(name))) {
    const { ours, theirs } = await compare(node, one);
    /** @param {number} value */
    const format = (value) => (one.peak ? `${(value / 1024).toFixed(0)} MiB` : `${value.toFixed(value < 1000 ? 1 : 0)} ms`);
    const atMost = one.atMost[Number(version.split(".")[0]) < 24 ? 0 : 1];
    const ratio = ours / theirs;
    print(
      `| ${one.name} | ${one.against} | ${format(ours)} | ${format(theirs)} | ${ratio.toFixed(2)}${ratio > atMost ? " (over)" : ""} | ${atMost} |`,
    );
  }
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
}

await main();
