// Progress of what takes long, on the last line of the terminal: drawn on stderr, and gone before anything else is written.
import type { Io, Output } from "./io.ts";

/** Something that takes time. */
interface ProgressTask {
  /** So many more are done of many; the total where it is known. */
  step(by: number, total?: number): void;
  /** It has ended, well or not. */
  done(): void;
}

/** What a command tells its progress to. */
export interface Progress {
  startTask(label: string): ProgressTask;
  /** A task as long as the work takes; its label is made where it is shown. */
  trackWork<T>(label: string | (() => string), work: () => Promise<T>): Promise<T>;
  /** A task that steps as the items come by. */
  trackItems<T>(label: string, items: AsyncIterable<T>, sizeOf: (item: T) => readonly [by: number, total?: number]): AsyncGenerator<T>;
}

/** Progress on a terminal, and the terminal for everything else. */
export interface ProgressLine {
  readonly progress: Progress;
  /** The streams, of which each write clears the line first. */
  readonly io: Io;
  /** Draws nothing while the work has the terminal for itself: a question to the user. */
  suspendDuring<T>(work: () => Promise<T>): Promise<T>;
  /** Clears the line and draws nothing any more. */
  end(): void;
}

/** Time, as progress needs it. */
interface ProgressClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls again and again after so many milliseconds, until the function that it returns is called. */
  every(ms: number, tick: () => void): () => void;
}

/** What takes less is not shown. Milliseconds. */
const showDelayMs = 500;
const redrawIntervalMs = 100;
const clearLineSequence = "\r\u001b[K";

/** Whether progress is wanted: stderr is a terminal that can go back on its line, and a person looks at it. */
export function shouldShowProgress(isTTY: boolean, env: Readonly<Record<string, string | undefined>>, quiet: boolean): boolean {
  const ci = env["CI"] !== undefined && !/^(?:|0|false|no)$/i.test(env["CI"]);
  return isTTY && !quiet && env["TERM"] !== "dumb" && !ci;
}

/** The line of a terminal; where it is not shown, nothing is drawn and the streams are as they were. */
export function createProgress(io: Io, clock: ProgressClock, shown: boolean): ProgressLine {
  const line = new TerminalLine(io.stderr, clock);
  if (!shown) return { progress: noopProgress, io, suspendDuring: (work) => work(), end: () => undefined };
  const progress = createTaskProgress((label) => line.startTask(label));
  return {
    progress,
    io: { stdin: io.stdin, stdout: line.wrapOutput(io.stdout), stderr: line.wrapOutput(io.stderr) },
    suspendDuring: (work) => line.suspendDuring(work),
    end: () => line.end(),
  };
}

const noopTask: ProgressTask = { step: () => undefined, done: () => undefined };

/** Where nothing is drawn, nothing comes between the work and who waits for it. */
const noopProgress: Progress = {
  startTask: () => noopTask,
  trackWork: (_label, work) => work(),
  trackItems: async function* (_label, items) {
    yield* items;
  },
};

function createTaskProgress(startTask: (label: string) => ProgressTask): Progress {
  return {
    startTask,
    trackWork: async (label, work) => {
      const running = startTask(typeof label === "string" ? label : label());
      try {
        return await work();
      } finally {
        running.done();
      }
    },
    async *trackItems(label, items, sizeOf) {
      const running = startTask(label);
      try {
        for await (const item of items) {
          running.step(...sizeOf(item));
          yield item;
        }
      } finally {
        running.done();
      }
    },
  };
}

/** The line itself: what is under way, and whether it is drawn now. */
class TerminalLine {
  readonly #output: Output;
  readonly #clock: ProgressClock;
  readonly #states = new Set<ProgressState>();
  #stopTimer: (() => void) | undefined;
  /** Columns of the line that stands on the terminal; 0 is none. */
  #drawnColumns = 0;
  /** Why nothing may be drawn: a line that is not ended, a question, a pager that reads, the end of the command. */
  #blocked = false;
  #suspendCount = 0;
  #ended = false;
  #tickCount = 0;

  constructor(output: Output, clock: ProgressClock) {
    this.#output = output;
    this.#clock = clock;
  }

  startTask(label: string): ProgressTask {
    let standing: ProgressState = { label, startedAt: this.#clock.now(), count: 0, total: undefined };
    this.#states.add(standing);
    this.#stopTimer ??= this.#clock.every(redrawIntervalMs, () => this.#tick());
    return {
      step: (by, total) => {
        if (!this.#states.delete(standing)) return;
        standing = { ...standing, count: standing.count + by, total: total ?? standing.total };
        this.#states.add(standing);
      },
      done: () => {
        this.#states.delete(standing);
        if (this.#states.size > 0) return;
        this.#stopTimer?.();
        this.#stopTimer = undefined;
        this.#clear();
      },
    };
  }

  wrapOutput(stream: Output): Output {
    const write = (text: string) => {
      this.#clear();
      // Drawn over, the beginning of an unfinished line would be lost; and who reads a pipe may be a pager on this very terminal.
      if (stream.isTTY) this.#blocked = text === "" ? this.#blocked : !text.endsWith("\n");
      else if (stream.isPipe === true) this.#ended = true;
      return stream.write(text);
    };
    return {
      write,
      isTTY: stream.isTTY,
      ...(stream.isPipe === true ? { isPipe: true } : {}),
      get columns() {
        return stream.columns;
      },
      get closed() {
        return stream.closed;
      },
    };
  }

  async suspendDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#clear();
    this.#suspendCount += 1;
    try {
      return await work();
    } finally {
      this.#suspendCount -= 1;
    }
  }

  end(): void {
    this.#ended = true;
    this.#stopTimer?.();
    this.#clear();
  }

  #tick(): void {
    this.#tickCount += 1;
    if (this.#blocked || this.#suspendCount > 0 || this.#ended) return;
    const now = this.#clock.now();
    const waiting = [...this.#states].filter(({ startedAt }) => now - startedAt >= showDelayMs);
    // What counts many says more than the request that is under way for it.
    const told = waiting.find(({ count }) => count > 0) ?? waiting[0];
    if (told === undefined) {
      this.#clear();
      return;
    }
    const text = formatProgress(told, now, this.#tickCount, this.#getColumns());
    this.#write(`${this.#getEraseSequence()}${text}`);
    this.#drawnColumns = text.length;
  }

  #clear(): void {
    if (this.#drawnColumns === 0) return;
    this.#write(this.#getEraseSequence());
    this.#drawnColumns = 0;
  }

  /** Clears what is drawn, also where the window has become narrower and the terminal has broken the line into several. */
  #getEraseSequence(): string {
    const above = Math.ceil(this.#drawnColumns / this.#getColumns()) - 1;
    return above > 0 ? `\r\u001b[${above}A\u001b[J` : clearLineSequence;
  }

  #getColumns(): number {
    return this.#output.columns || 80;
  }

  /** A terminal that can't be written to is told by the command's own writes. */
  #write(text: string): void {
    this.#output.write(text).catch(() => undefined);
  }
}

// What a line of progress says: a spinner while one thing is awaited, a bar with count, rate and time left for many.

/** How far something is. Times are milliseconds since 1970. */
interface ProgressState {
  readonly label: string;
  readonly startedAt: number;
  /** What is done of many; 0 is not begun, or not counted. */
  readonly count: number;
  readonly total: number | undefined;
}

const spinnerFrames = ["|", "/", "-", "\\"] as const;
const barWidth = 20;

/** The line, in less columns than the terminal has, so that it never wraps. `tick` turns the spinner. */
export function formatProgress(standing: ProgressState, now: number, tick: number, columns: number): string {
  const seconds = Math.max(0, now - standing.startedAt) / 1000;
  const spinner = spinnerFrames[tick % spinnerFrames.length] ?? "";
  const text =
    standing.count === 0 ? `${spinner} ${standing.label}, ${Math.floor(seconds)} s` : `${spinner} ${formatProgressBar(standing, seconds)}`;
  return text.slice(0, Math.max(0, columns - 1));
}

function formatProgressBar({ label, count, total }: ProgressState, seconds: number): string {
  const rate = count / Math.max(seconds, 0.001);
  const speed = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`;
  if (total === undefined || total < count) return `${label} ${count}, ${speed}`;
  const filled = Math.round((count / total) * barWidth);
  const bar = `[${"#".repeat(filled)}${".".repeat(barWidth - filled)}]`;
  return `${label} ${bar} ${count} of ${total}, ${speed}, ${formatRemainingTime((total - count) / rate)} left`;
}

function formatRemainingTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 100 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
