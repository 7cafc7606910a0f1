// A user at the keyboard, in process: the real program, the real wire, a real sandbox, and folders of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect } from "vitest";
import type { System } from "../../src/context.ts";
import { run } from "../../src/run.ts";
import type { Output } from "../../src/terminal/io.ts";
import type { Prompt } from "../../src/terminal/prompt.ts";

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

export interface SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The moment it is; the sandbox is seeded around its day. */
  readonly now?: string;
  /** A terminal of that width; absent is a pipe. */
  readonly columns?: number;
  /** A prompt that answers; then stdin is a terminal too. */
  readonly prompt?: Prompt;
  /** The user's editor: may change the file, and answers with its exit code. */
  readonly edit?: (file: string) => Promise<number>;
  /** The user's browser; absent is none. */
  readonly onOpenUrl?: (url: string) => void;
  /** The program that speaks to the keychain, as a JavaScript file; absent is a file that is not there. */
  readonly keychainProgram?: string;
  /** The system's zone. */
  readonly zone?: string;
  /** Signals and intervals that the test causes, and programs that it plays. */
  readonly machine?: Partial<Pick<System["machine"], "onSignal" | "runProgram" | "startInterval">>;
  /** A clock that the test moves. */
  readonly clock?: System["clock"];
  /** Moves on between two looks at it; absent is a clock that stands. */
  readonly tickMs?: number;
}

export interface Session {
  /** Types a command line; quotes work as in a shell. */
  (line: string, stdin?: string): Promise<CommandResult>;
  /** Types arguments as they are. */
  runArgs(argv: readonly string[], stdin?: string): Promise<CommandResult>;
  /** Types arguments as they are; another program is at both ends. */
  runStreams(argv: readonly string[], stdin: AsyncIterable<Uint8Array>, stdout: NodeJS.WritableStream): Promise<CommandResult>;
  readonly folder: string;
}

/** The day that sessions and the documentation are fixed on: a Friday. */
export const fixedNow = "2027-01-15T12:00:00Z";

interface Streams {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: NodeJS.WritableStream;
}

/** Starts a session on a sandbox of its own. */
export function createSession(options: SessionOptions = {}): Session {
  const folder = mkdtempSync(join(tmpdir(), "cal-session-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    CAL_SANDBOX: "1",
    CAL_CONFIG_DIR: join(folder, "config"),
    CAL_STATE_DIR: join(folder, "state"),
    CAL_CACHE_DIR: join(folder, "cache"),
    ...options.env,
  };
  let elapsed = 0;
  const args = async (argv: readonly string[], stdin = "", streams?: Streams): Promise<CommandResult> => {
    const stdout = createOutputCapture(options.columns, streams?.stdout);
    // Who answers questions sees them, on a terminal so wide that a message is one line.
    const stderr = createOutputCapture(options.columns ?? (options.prompt === undefined ? undefined : 1000));
    const system: System = {
      io: {
        stdin: { isTTY: options.prompt !== undefined, text: async () => stdin, ...(streams && { bytes: () => streams.stdin }) },
        stdout,
        stderr,
      },
      env,
      clock: options.clock ?? {
        now: () => {
          elapsed += options.tickMs ?? 0;
          return Date.parse(options.now ?? fixedNow) + elapsed;
        },
        sleep: async (ms, signal) => sleep(Math.min(ms, 20), undefined, { signal }),
      },
      machine: {
        home: folder,
        platform: "linux",
        zone: options.zone ?? "America/New_York",
        pid: process.pid,
        nodeVersion: process.versions.node,
        program: join(folder, "cal.js"),
        startInterval: () => () => undefined,
        atSignal: () => undefined,
        waitForStop: async () => undefined,
        onSignal: () => () => undefined,
        prompt: () => options.prompt ?? noPrompt,
        openBrowser: async (url) => {
          options.onOpenUrl?.(url);
          return options.onOpenUrl !== undefined;
        },
        edit: async (_editor, file) => options.edit?.(file) ?? 127,
        runProgram: async () => {
          throw new Error("a program was started where none was expected");
        },
        openPager: async () => {
          throw new Error("a pager was opened where the terminal has no height");
        },
        keychainProgram: options.keychainProgram ?? join(folder, "no-keychain.js"),
        ...options.machine,
      },
    };
    const code = await run(argv, system);
    return { stdout: stdout.text(), stderr: stderr.text(), code };
  };
  return Object.assign((line: string, stdin?: string) => args(splitCommandLine(line), stdin), {
    runArgs: args,
    runStreams: (argv: readonly string[], stdin: Streams["stdin"], stdout: Streams["stdout"]) => args(argv, "", { stdin, stdout }),
    folder,
  });
}

/** Fails with the whole session where the command did not end with this code. */
export async function expectExitCode(outcome: Promise<CommandResult>, code: number): Promise<CommandResult> {
  const result = await outcome;
  expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(code);
  return result;
}

const rejectPrompt = async (): Promise<never> => {
  throw new Error("a question was asked where nobody was expected to be asked");
};

/** A user at a terminal for whom no prompt may be shown. */
export const noPrompt: Prompt = { text: rejectPrompt, secret: rejectPrompt, confirm: rejectPrompt, choose: rejectPrompt };

function createOutputCapture(columns: number | undefined, stream?: NodeJS.WritableStream): Output & { text(): string } {
  let text = "";
  return {
    isTTY: columns !== undefined,
    columns,
    closed: false,
    write: async (more) => {
      if (stream === undefined) text += more;
      else stream.write(more);
    },
    text: () => text,
  };
}

/** Splits a line as a shell does: blanks, single and double quotes. */
export function splitCommandLine(line: string): readonly string[] {
  return [...line.matchAll(/(?:'([^']*)'|"([^"]*)"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single?: string, double?: string) => single ?? double ?? ""),
  );
}
