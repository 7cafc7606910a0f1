// Programs as processes of their own: what they print, how they end, and the environment of a user.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The environment of a user who is logged in to the calendar at `url`, with the files of cal in `folder`. */
export function createUserEnvironment(url: string, folder: string) {
  return {
    PATH: process.env["PATH"],
    CAL_BASE_URL: url,
    CAL_TOKEN: "t0k3n",
    CAL_CONFIG_DIR: join(folder, "config"),
    CAL_STATE_DIR: join(folder, "state"),
    CAL_CACHE_DIR: join(folder, "cache"),
  };
}

export interface RunningProgram {
  /** What was printed so far. */
  readonly text: { stdout: string; stderr: string };
  /** The exit code, and the signal that has ended the program. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly kill: (signal: "SIGINT" | "SIGTERM") => void;
}

export function startProgram(
  file: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): RunningProgram {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk) => {
      text[name] += chunk;
    });
  }
  const ended = new Promise<Awaited<RunningProgram["ended"]>>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  return { text, ended, kill: (signal) => child.kill(signal) };
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5);
}
