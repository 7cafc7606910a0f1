// The edge of the program: the only file that touches the process.
import { readlinkSync } from "node:fs";
import { homedir } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { System } from "./context.ts";
import { exitCodes } from "./errors.ts";
import { run } from "./run.ts";
import { createPrompt } from "./terminal/late-prompt.ts";
import { machineZone } from "./terminal/machine-zone.ts";
import { nodeIo } from "./terminal/node-io.ts";
import { askedWithin } from "./terminal/prompt.ts";
import { releaseTerminal } from "./terminal/release.ts";

let stop: () => void = () => undefined;
const stopped = new Promise<void>((resolve) => {
  stop = resolve;
});
let waits = false;
let edits = false;
let asks = false;
let asksNow = false;
let signalled: number | undefined;
const lastActs = [showCursor];

/** A command that waits to be stopped ends by itself, at the first signal; any other ends here and now. */
function onSignal(signal: "SIGINT" | "SIGTERM", code: number): void {
  // While an editor has the terminal, Ctrl-C is meant for it.
  if (edits && code === exitCodes.interrupted) return;
  for (const act of lastActs) act();
  if (!waits || signalled !== undefined) {
    atExit();
    if (!asks && waitsForFile()) endBy(signal);
    process.exit(code);
  }
  signalled = code;
  stop();
}

/** Node ends only after what is under way with a file, and a FIFO that nobody writes to is never opened. */
function waitsForFile(): boolean {
  return process.platform !== "win32" && process.getActiveResourcesInfo().some((resource) => resource.startsWith("FSReq"));
}

/** The system ends the process, without Node; shells see the same exit code. */
function endBy(signal: "SIGINT" | "SIGTERM"): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** A choice hides the cursor, and has no time to bring it back itself. */
function showCursor(): void {
  if (asksNow) process.stderr.write("\u001b[?25h\n");
}

/** Questions change the modes of the terminal, and Node puts them back. Not for an end by an exception, which Node tells last of all. */
function atExit(): void {
  if (!asks) process.once("exit", () => releaseTerminal(process.platform));
}

process.on("SIGINT", () => onSignal("SIGINT", exitCodes.interrupted));
process.on("SIGTERM", () => onSignal("SIGTERM", exitCodes.terminated));

let zone: string | undefined;

const system: System = {
  io: nodeIo(process, process.env["COLUMNS"]),
  env: process.env,
  clock: { now: () => Date.now(), sleep: async (ms, signal) => setTimeout(ms, undefined, signal && { signal }) },
  machine: {
    home: homedir(),
    platform: process.platform,
    get zone() {
      zone ??= machineZone({
        variable: process.env["TZ"],
        link: () => readlinkSync("/etc/localtime"),
        asked: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      });
      return zone;
    },
    pid: process.pid,
    node: process.versions.node,
    program: process.argv[1] ?? "",
    prompt: (style) => askedWithin(createPrompt(process, style), asking),
    openBrowser: async (url) => (await import("./terminal/browser.ts")).openBrowser(url),
    edit,
    get keychainProgram() {
      return fileURLToPath(new URL("./keychain-child.js", import.meta.url));
    },
    every,
    atSignal: (act) => {
      lastActs.push(act);
    },
    stopped: () => {
      waits = true;
      return stopped;
    },
  },
};

async function asking<T>(ask: () => Promise<T>): Promise<T> {
  asks = true;
  asksNow = true;
  try {
    return await ask();
  } finally {
    asksNow = false;
  }
}

async function edit(editor: string, file: string): Promise<number> {
  const { openEditor } = await import("./terminal/editor.ts");
  edits = true;
  try {
    return await openEditor(editor, file, process.platform);
  } finally {
    edits = false;
  }
}

function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}

// What ends because nothing is left to wait for, and has not said how it went, has not gone well.
process.exitCode = exitCodes.internal;
// No await at the top: the bundle is CommonJS, which has none.
void run(process.argv.slice(2), system).then((code) => {
  process.exitCode = signalled ?? code;
  atExit();
});
