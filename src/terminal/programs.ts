// Starts the user's browser, editor or pager. The only importer of `open`.

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import open from "open";
import type { ProgramEnd } from "../context.ts";
import { CalError, messageOf } from "../errors.ts";
import type { PagerProcess } from "./pager.ts";

/** Opens an address; false where no browser could be started. Other users can read the address in the list of processes: it must not be secret. */
export async function openBrowser(url: string): Promise<boolean> {
  try {
    const child = await open(url);
    child.on("error", () => undefined);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a file in an editor and resolves with its exit code, 128 and more where a signal ended it. The editor is a command line as in
 * EDITOR (`code --wait`), so a shell reads it. Rejects with kind `local` where it can't be started.
 */
export async function openEditor(editor: string, file: string, platform: string): Promise<number> {
  const code = await new Promise<number>((resolve, reject) => {
    // Ctrl-C is for the editor: the shell must survive it, and must not make the editor ignore it.
    // Stdout may be a pipe that waits for data, so the editor draws on stderr, as questions do.
    const stdio = [0, 2, 2];
    const child =
      platform === "win32"
        ? spawn(`${editor} "${file}"`, { shell: true, stdio })
        : spawn("/bin/sh", ["-c", `trap : INT; ${editor} "$@"`, editor, file], { stdio });
    child.on("error", (error) => reject(createEditorError(editor, messageOf(error))));
    child.on("exit", (status, signal) => resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  if (code === 126 || code === 127) throw createEditorError(editor, "there is no such program");
  return code;
}

/**
 * Starts a pager: a command line, which a shell reads. LESS gets its usual value where it is not set, so that `less` alone shows colours and ends by itself where the text fits on the screen.
 */
export function openPager(command: string, env: NodeJS.ProcessEnv, platform: string): PagerProcess {
  const options = { stdio: ["pipe", "inherit", "inherit"] as ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } };
  const child = platform === "win32" ? spawn(command, { ...options, shell: true }) : spawn("/bin/sh", ["-c", command], options);
  const ended = new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(false));
    // A shell ends with these where there is no such program.
    child.on("exit", (status) => resolve(status !== 126 && status !== 127));
  });
  // The user may leave the pager before it has read everything.
  child.stdin.on("error", () => undefined);
  return {
    write: (text) => Promise.race([new Promise<void>((resolve) => child.stdin.write(text, () => resolve())), ended.then(() => undefined)]),
    end: () => child.stdin.end(),
    ended,
  };
}

/** Variables of a login that are no secrets: a program that is started for a change of the site does not get them either. */
const loginVariables = /^CAL_(?:TO_)?(?:TOKEN|PASSWORD|CLIENT_SECRET|CLIENT_ID|USERNAME|AUTH_METHOD)(?:_FILE)?$/;

/** After the signal a program has so long to end by itself. Milliseconds. */
const killGraceMs = 2000;

/**
 * Starts a program without a shell and without arguments; resolves when it has ended. It gets the text on stdin, and writes to our streams.
 * Rejects with kind `local` where it can't be started.
 */
export async function runProgram(program: string, input: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<ProgramEnd> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !loginVariables.test(name)));
  const createError = (error: unknown) =>
    new CalError("local", `${program} can't be started: ${messageOf(error)}`, { code: "no-program", cause: error });
  let child: ChildProcess;
  try {
    child = spawn(program, [], { shell: false, env: own, stdio: ["pipe", "inherit", "inherit"] });
  } catch (error) {
    throw createError(error);
  }
  let isKilled = false;
  let killer: NodeJS.Timeout | undefined;
  const kill = () => {
    isKilled = true;
    child.kill("SIGTERM");
    killer = setTimeout(() => child.kill("SIGKILL"), killGraceMs);
  };
  signal.addEventListener("abort", kill, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      child.on("error", (error) => reject(createError(error)));
      child.on("exit", (status, by) =>
        resolve(isKilled ? { kind: "killed" } : { kind: "exit", code: status ?? 128 + (by === null ? 0 : constants.signals[by]) }),
      );
      // The program need not read it.
      child.stdin?.on("error", () => undefined).end(input);
    });
  } finally {
    clearTimeout(killer);
    signal.removeEventListener("abort", kill);
  }
}

function createEditorError(editor: string, why: string): CalError {
  return new CalError("local", `the editor ${JSON.stringify(editor)} can't be started: ${why}`, {
    code: "no-editor",
    hint: { text: "name another one in VISUAL or EDITOR", command: `export EDITOR=${/\bnano\b/.test(editor) ? "vi" : "nano"}` },
  });
}
