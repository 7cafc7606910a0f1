// A terminal that remembers what was written to it, and a clock that is moved by hand.
import type { Io, Output } from "../../src/terminal/io.ts";
import { createProgress, type ProgressLine } from "../../src/terminal/progress.ts";

export interface TestTerminal extends ProgressLine {
  /** Everything that was written since the last call, on both streams together, as on one terminal. */
  takeOutput(): string;
  /** Lets time pass in steps of 100 ms. */
  advance(ms: number): void;
  /** Whether a timer runs. */
  isTimerActive(): boolean;
  /** Gives the window another width. */
  resize(columns: number): void;
}

export interface TestTerminalOptions {
  readonly shown?: boolean;
  readonly columns?: number;
  /** What stdout is; by default a terminal. */
  readonly stdout?: "terminal" | "file" | "pipe";
}

export function createTestTerminal({ shown = true, columns = 80, stdout = "terminal" }: TestTerminalOptions = {}): TestTerminal {
  let text = "";
  let width = columns;
  let now = 1_000_000;
  let timer: (() => void) | undefined;
  const output = (kind: "terminal" | "file" | "pipe"): Output => ({
    isTTY: kind === "terminal",
    ...(kind === "pipe" ? { isPipe: true } : {}),
    get columns() {
      return kind === "terminal" ? width : undefined;
    },
    closed: false,
    write: async (more) => {
      if (kind === "terminal") text += more;
    },
  });
  const io: Io = { stdin: { isTTY: true, text: async () => "" }, stdout: output(stdout), stderr: output("terminal") };
  const every = (_ms: number, tick: () => void) => {
    timer = tick;
    return () => {
      timer = undefined;
    };
  };
  return {
    ...createProgress(io, { now: () => now, every }, shown),
    takeOutput: () => {
      const all = text;
      text = "";
      return all;
    },
    advance: (ms) => {
      for (let left = ms; left > 0; left -= 100) {
        now += 100;
        timer?.();
      }
    },
    isTimerActive: () => timer !== undefined,
    resize: (to) => {
      width = to;
    },
  };
}

/** What a terminal of one line shows after these bytes: carriage return, erase to the end of the line, line ends. */
export function renderScreen(bytes: string): readonly string[] {
  const lines = [""];
  let column = 0;
  for (const [part] of bytes.matchAll(/\r|\n|\u001b\[K|[^\r\n\u001b]/g)) {
    const last = lines.length - 1;
    const line = lines[last] ?? "";
    if (part === "\r") column = 0;
    else if (part === "\n") {
      lines.push("");
      column = 0;
    } else if (part === "\u001b[K") lines[last] = line.slice(0, column);
    else {
      lines[last] = line.slice(0, column) + part + line.slice(column + 1);
      column += 1;
    }
  }
  return lines;
}
