// The edge of the program: the only file that touches the process.

import { readlinkSync } from "node:fs";
import { homedir } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { System } from "./context.ts";
import { exitCodes } from "./errors.ts";
import { run } from "./run.ts";
import { createNodeIo, findSystemZone, releaseTerminal } from "./terminal/io.ts";
import { createPrompt, wrapPromptCalls } from "./terminal/prompt.ts";

let resolveStopPromise: () => void = () => undefined;
const stopPromise = new Promise<void>((resolve) => {
  resolveStopPromise = resolve;
});
let isStopAwaited = false;
let isEditorRunning = false;
let hasPrompted = false;
let isPromptActive = false;
let signalExitCode: number | undefined;
const signalCallbacks = [showCursor];

/** A command that waits to be stopped ends by itself, at the first signal; any other ends here and now. */
function handleSignal(signal: "SIGINT" | "SIGTERM", code: number): void {
  // While an editor has the terminal, Ctrl-C is meant for it.
  if (isEditorRunning && code === exitCodes.interrupted) return;
  for (const act of signalCallbacks) act();
  if (!isStopAwaited || signalExitCode !== undefined) {
    releaseTerminalOnExit();
    if (!hasPrompted && hasPendingFileRequest()) killOwnProcess(signal);
    process.exit(code);
  }
  signalExitCode = code;
  resolveStopPromise();
}

/** Node ends only after what is under way with a file, and a FIFO that nobody writes to is never opened. */
function hasPendingFileRequest(): boolean {
  return process.platform !== "win32" && process.getActiveResourcesInfo().some((resource) => resource.startsWith("FSReq"));
}

/** The system ends the process, without Node; shells see the same exit code. */
function killOwnProcess(signal: "SIGINT" | "SIGTERM"): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** A choice hides the cursor, and has no time to bring it back itself. */
function showCursor(): void {
  if (isPromptActive) process.stderr.write("\u001b[?25h\n");
}

/** Questions change the modes of the terminal, and Node puts them back. Not for an end by an exception, which Node tells last of all. */
function releaseTerminalOnExit(): void {
  if (!hasPrompted) process.once("exit", () => releaseTerminal(process.platform));
}

process.on("SIGINT", () => handleSignal("SIGINT", exitCodes.interrupted));
process.on("SIGTERM", () => handleSignal("SIGTERM", exitCodes.terminated));

let cachedTimeZone: string | undefined;

const system: System = {
  io: createNodeIo(process, process.env["COLUMNS"]),
  env: process.env,
  clock: { now: () => Date.now(), sleep: async (ms, signal) => setTimeout(ms, undefined, signal && { signal }) },
  machine: {
    home: homedir(),
    platform: process.platform,
    get zone() {
      cachedTimeZone ??= findSystemZone({
        variable: process.env["TZ"],
        readLocaltimeLink: () => readlinkSync("/etc/localtime"),
        getIntlZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      });
      return cachedTimeZone;
    },
    pid: process.pid,
    nodeVersion: process.versions.node,
    program: process.argv[1] ?? "",
    prompt: (style) => wrapPromptCalls(createPrompt(process, style), trackPrompt),
    openBrowser: async (url) => (await import("./terminal/programs.ts")).openBrowser(url),
    edit: runEditor,
    get keychainProgram() {
      return fileURLToPath(new URL("./keychain-child.js", import.meta.url));
    },
    startInterval,
    atSignal: (act) => {
      signalCallbacks.push(act);
    },
    waitForStop: () => {
      isStopAwaited = true;
      return stopPromise;
    },
  },
};

async function trackPrompt<T>(ask: () => Promise<T>): Promise<T> {
  hasPrompted = true;
  isPromptActive = true;
  try {
    return await ask();
  } finally {
    isPromptActive = false;
  }
}

async function runEditor(editor: string, file: string): Promise<number> {
  const { openEditor } = await import("./terminal/programs.ts");
  isEditorRunning = true;
  try {
    return await openEditor(editor, file, process.platform);
  } finally {
    isEditorRunning = false;
  }
}

function startInterval(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}

// What ends because nothing is left to wait for, and has not said how it went, has not gone well.
process.exitCode = exitCodes.internal;
// No await at the top: the bundle is CommonJS, which has none.
void run(process.argv.slice(2), system).then((code) => {
  process.exitCode = signalExitCode ?? code;
  releaseTerminalOnExit();
});
