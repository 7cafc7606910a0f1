// Progress of long work on the last line of the terminal. It is drawn on stderr and cleared before anything else is written.
import type { Io, Output } from "./io.ts";

interface ProgressTask {
  /** So many more have ended; the total where it is known; how many of them have failed. */
  step(by: number, total?: number, failed?: number): void;
  /** It has ended, with success or not. */
  done(): void;
}

/** The arguments of a step. */
export type StepSize = Readonly<Parameters<ProgressTask["step"]>>;

/** What a command reports its progress to. */
export interface Progress {
  startTask(label: string): ProgressTask;
  /** A task as long as the work takes; its label is made only where it is shown. */
  trackWork<T>(label: string | (() => string), work: () => Promise<T>): Promise<T>;
  /** A task with a step for each item that is read. */
  trackItems<T>(label: string, items: AsyncIterable<T>, sizeOf: (item: T) => StepSize): AsyncGenerator<T>;
}

/** Progress on a terminal, and the terminal for everything else. */
export interface ProgressLine {
  readonly progress: Progress;
  /** The streams; each write clears the line first. */
  readonly io: Io;
  /** Draws nothing while the work uses the terminal: a question to the user. */
  suspendDuring<T>(work: () => Promise<T>): Promise<T>;
  /** Clears the line and draws nothing any more. */
  end(): void;
}

interface ProgressClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `tick` every `ms` milliseconds, until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

/** How far a task is. */
interface ProgressState {
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** 0 is not started, or not counted. */
  readonly count: number;
  /** How many of them have failed. */
  readonly failed: number;
  readonly total: number | undefined;
}

/** Shorter tasks are not shown. Milliseconds. */
const showDelayMs = 500;
const redrawIntervalMs = 100;
const clearLineSequence = "\r\u001b[K";

/** Whether progress is shown: stderr is a terminal that can go back on its line, and a person reads it. */
export function shouldShowProgress(isTTY: boolean, env: Readonly<Record<string, string | undefined>>, quiet: boolean): boolean {
  const ci = env["CI"] !== undefined && !/^(?:|0|false|no)$/i.test(env["CI"]);
  return isTTY && !quiet && env["TERM"] !== "dumb" && !ci;
}

/** The progress line of a terminal. If it is not shown, nothing is drawn and the streams stay as they are. */
export function createProgress(io: Io, clock: ProgressClock, shown: boolean): ProgressLine {
  if (!shown) return { progress: noProgress, io, suspendDuring: (work) => work(), end: () => undefined };
  const states = new Set<ProgressState>();
  let stopTimer: (() => void) | undefined;
  /** Columns of the line on the terminal; 0 is none. */
  let drawnColumns = 0;
  /** The cursor is in a line of other output that is not ended. */
  let inOutputLine = false;
  let suspendCount = 0;
  let ended = false;
  let tickCount = 0;

  const getColumns = () => io.stderr.columns || 80;
  // A write error of the terminal is reported by the command's own writes.
  const write = (text: string) => void io.stderr.write(text).catch(() => undefined);
  /** Clears what is drawn, also where the window has become narrower and the terminal has wrapped the line. */
  const getEraseSequence = () => {
    const linesAbove = Math.ceil(drawnColumns / getColumns()) - 1;
    return linesAbove > 0 ? `\r\u001b[${linesAbove}A\u001b[J` : clearLineSequence;
  };
  const clear = () => {
    if (drawnColumns > 0) write(getEraseSequence());
    drawnColumns = 0;
  };
  const tick = () => {
    tickCount += 1;
    if (inOutputLine || suspendCount > 0 || ended) return;
    const now = clock.now();
    const visible = [...states].filter(({ startedAt }) => now - startedAt >= showDelayMs);
    // A task that counts items says more than the request that it waits for.
    const state = visible.find(({ count }) => count > 0) ?? visible[0];
    if (state === undefined) return clear();
    const text = formatProgress(state, now, tickCount, getColumns());
    write(`${getEraseSequence()}${text}`);
    drawnColumns = text.length;
  };
  const startTask = (label: string): ProgressTask => {
    let state: ProgressState = { label, startedAt: clock.now(), count: 0, failed: 0, total: undefined };
    states.add(state);
    stopTimer ??= clock.every(redrawIntervalMs, tick);
    return {
      step: (by, total, failed = 0) => {
        if (!states.delete(state)) return;
        state = { ...state, count: state.count + by, failed: state.failed + failed, total: total ?? state.total };
        states.add(state);
      },
      done: () => {
        states.delete(state);
        if (states.size > 0) return;
        stopTimer?.();
        stopTimer = undefined;
        clear();
      },
    };
  };
  const wrapOutput = (stream: Output): Output => ({
    write: (text) => {
      clear();
      if (stream.isTTY) inOutputLine = text === "" ? inOutputLine : !text.endsWith("\n");
      // The reader of a pipe may be a pager on this terminal.
      else if (stream.isPipe === true) ended = true;
      return stream.write(text);
    },
    isTTY: stream.isTTY,
    ...(stream.isPipe === true ? { isPipe: true } : {}),
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    get closed() {
      return stream.closed;
    },
  });
  return {
    progress: createTaskProgress(startTask),
    io: { stdin: io.stdin, stdout: wrapOutput(io.stdout), stderr: wrapOutput(io.stderr) },
    suspendDuring: async (work) => {
      clear();
      suspendCount += 1;
      try {
        return await work();
      } finally {
        suspendCount -= 1;
      }
    },
    end: () => {
      ended = true;
      stopTimer?.();
      clear();
    },
  };
}

const noProgress: Progress = {
  startTask: () => ({ step: () => undefined, done: () => undefined }),
  trackWork: (_label, work) => work(),
  trackItems: async function* (_label, items) {
    yield* items;
  },
};

function createTaskProgress(startTask: Progress["startTask"]): Progress {
  return {
    startTask,
    trackWork: async (label, work) => {
      const task = startTask(typeof label === "string" ? label : label());
      try {
        return await work();
      } finally {
        task.done();
      }
    },
    async *trackItems(label, items, sizeOf) {
      const task = startTask(label);
      try {
        for await (const item of items) {
          task.step(...sizeOf(item));
          yield item;
        }
      } finally {
        task.done();
      }
    },
  };
}

const spinnerFrames = ["|", "/", "-", "\\"] as const;
const barWidth = 20;

/**
 * A spinner for a single task, a bar with count, rate and time left for many items; in fewer columns than the terminal has, so that it
 * never wraps. `tick` turns the spinner.
 */
export function formatProgress(
  { label, startedAt, count, failed, total }: ProgressState,
  now: number,
  tick: number,
  columns: number,
): string {
  const seconds = Math.max(0, now - startedAt) / 1000;
  const rate = count / Math.max(seconds, 0.001);
  const speed = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  let text = `${label}, ${Math.floor(seconds)} s`;
  if (count > 0 && (total === undefined || total < count)) text = `${label} ${count}${failures}, ${speed}`;
  else if (count > 0 && total !== undefined) {
    const filled = Math.round((count / total) * barWidth);
    const bar = `[${"#".repeat(filled)}${".".repeat(barWidth - filled)}]`;
    const left = Math.ceil((total - count) / rate);
    text = `${label} ${bar} ${count} of ${total}${failures}, ${speed}, ${left < 100 ? `${left} s` : `${Math.ceil(left / 60)} min`} left`;
  }
  return `${spinnerFrames[tick % spinnerFrames.length] ?? ""} ${text}`.slice(0, Math.max(0, columns - 1));
}
