// The only file that touches the process: its signals, streams, environment and exit code.

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

type SignalKind = "interrupted" | "terminated";

let timeZone: string | undefined;
let isEditorRunning = false;
let isPagerRunning = false;
let isPromptActive = false;
let hasPrompted = false;
let signalListener: ((kind: SignalKind) => void) | undefined;
let signalExitCode: number | undefined;
const signalCallbacks: (() => void)[] = [];

const env = { ...process.env };
// The browser, the editor and the pager inherit the environment of the process: it keeps no secrets, and no names of files with secrets.
for (const name of ["TOKEN", "PASSWORD", "CLIENT_SECRET"])
  for (const variable of [`CAL_${name}`, `CAL_TO_${name}`]) {
    delete process.env[variable];
    delete process.env[`${variable}_FILE`];
  }

const system: System = {
  io: createNodeIo(process, env["COLUMNS"]),
  env,
  clock: { now: () => Date.now(), sleep: async (ms, signal) => setTimeout(ms, undefined, signal && { signal }) },
  machine: {
    home: homedir(),
    platform: process.platform,
    get zone() {
      timeZone ??= findSystemZone({
        variable: process.env["TZ"],
        readLocaltimeLink: () => readlinkSync("/etc/localtime"),
        getIntlZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      });
      return timeZone;
    },
    pid: process.pid,
    nodeVersion: process.versions.node,
    program: process.argv[1] ?? "",
    prompt: (style) =>
      wrapPromptCalls(createPrompt(process, style), async (ask) => {
        hasPrompted = true;
        isPromptActive = true;
        try {
          return await ask();
        } finally {
          isPromptActive = false;
        }
      }),
    openBrowser: async (url) => (await import("./terminal/programs.ts")).openBrowser(url),
    edit: async (editor, file) => {
      const { openEditor } = await import("./terminal/programs.ts");
      isEditorRunning = true;
      try {
        return await openEditor(editor, file, process.platform);
      } finally {
        isEditorRunning = false;
      }
    },
    openPager: async (command) => {
      const { openPager } = await import("./terminal/programs.ts");
      const pager = openPager(command, process.env, process.platform);
      isPagerRunning = true;
      void pager.ended.then(() => {
        isPagerRunning = false;
      });
      return pager;
    },
    runProgram: async (program, input, signal) => (await import("./terminal/programs.ts")).runProgram(program, input, process.env, signal),
    get keychainProgram() {
      return fileURLToPath(new URL("./keychain-child.js", import.meta.url));
    },
    startInterval: (ms, tick) => {
      const timer = setInterval(tick, ms);
      timer.unref();
      return () => clearInterval(timer);
    },
    atSignal: (callback) => void signalCallbacks.push(callback),
    waitForStop: () =>
      new Promise((resolve) => {
        const release = onSignal(() => {
          release();
          resolve();
        });
      }),
    onSignal,
  },
};

process.on("SIGINT", () => handleSignal("SIGINT", "interrupted"));
process.on("SIGTERM", () => handleSignal("SIGTERM", "terminated"));

// The exit code if the event loop becomes empty before the command has ended.
process.exitCode = exitCodes.internal;
// Not `await`: the bundle is CommonJS.
void run(process.argv.slice(2), system).then((code) => {
  process.exitCode = signalExitCode ?? code;
  releaseTerminalOnExit();
});

function onSignal(act: (kind: SignalKind) => void): () => void {
  signalListener = act;
  return () => {
    signalListener = undefined;
  };
}

/** Ends the process, or leaves that to the command that listens. */
function handleSignal(signal: "SIGINT" | "SIGTERM", kind: SignalKind): void {
  // While an editor or a pager has the terminal, Ctrl-C is meant for it.
  if ((isEditorRunning || isPagerRunning) && signal === "SIGINT") return;
  if (signalListener !== undefined) {
    signalExitCode ??= exitCodes[kind];
    signalListener(kind);
    return;
  }
  // A list of choices hides the cursor.
  if (isPromptActive) process.stderr.write("\u001b[?25h\n");
  for (const callback of signalCallbacks) callback();
  releaseTerminalOnExit();
  // Node does not exit while a file operation is pending, and opening a FIFO that nobody writes to never ends. The system can end the process.
  // Shells see the same exit code.
  const isFilePending = process.getActiveResourcesInfo().some((resource) => resource.startsWith("FSReq"));
  if (!hasPrompted && isFilePending && process.platform !== "win32") {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(exitCodes[kind]);
}

/** After a prompt Node restores the modes of the terminal itself. After an exception Node still has to print it. */
function releaseTerminalOnExit(): void {
  if (!hasPrompted) process.once("exit", () => releaseTerminal(process.platform));
}
