// The edge of the program: the only file that touches the process.
import { homedir } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { System } from "./context.ts";
import { exitCodes } from "./errors.ts";
import { run } from "./run.ts";
import { nodeIo } from "./terminal/node-io.ts";
import { createPrompt } from "./terminal/prompt.ts";

let stop: () => void = () => undefined;
const stopped = new Promise<void>((resolve) => {
  stop = resolve;
});
let waits = false;
let signalled: number | undefined;

/** A command that waits to be stopped ends by itself, at the first signal; any other ends here and now. */
function onSignal(code: number): void {
  if (!waits || signalled !== undefined) process.exit(code);
  signalled = code;
  stop();
}

process.on("SIGINT", () => onSignal(exitCodes.interrupted));
process.on("SIGTERM", () => onSignal(exitCodes.terminated));

const system: System = {
  io: nodeIo(process, process.env["COLUMNS"]),
  env: process.env,
  clock: { now: () => Date.now(), sleep: async (ms) => setTimeout(ms) },
  machine: {
    home: homedir(),
    platform: process.platform,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    pid: process.pid,
    node: process.versions.node,
    program: process.argv[1] ?? "",
    alive,
    prompt: createPrompt({ input: process.stdin, output: process.stderr }),
    openBrowser: async (url) => (await import("./terminal/browser.ts")).openBrowser(url),
    keychainProgram: fileURLToPath(new URL("./keychain-child.js", import.meta.url)),
    stopped: () => {
      waits = true;
      return stopped;
    },
  },
};

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const code = await run(process.argv.slice(2), system);
process.exitCode = signalled ?? code;
