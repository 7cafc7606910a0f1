// Progress of what takes long, on the last line of the terminal: drawn on stderr, and gone before anything else is written.
import type { Io, Output } from "./io.ts";
import { progressText, type Standing } from "./progress-text.ts";

/** Something that takes time. */
export interface Task {
  /** So many more are done of many; the total where it is known. */
  step(by: number, total?: number): void;
  /** It has ended, well or not. */
  done(): void;
}

/** What a command tells its progress to. */
export interface Progress {
  task(label: string): Task;
  /** A task as long as the work takes; its label is made where it is shown. */
  during<T>(label: string | (() => string), work: () => Promise<T>): Promise<T>;
  /** A task that steps as the items come by. */
  counted<T>(label: string, items: AsyncIterable<T>, sizeOf: (item: T) => readonly [by: number, total?: number]): AsyncGenerator<T>;
}

/** Progress on a terminal, and the terminal for everything else. */
export interface ProgressLine {
  readonly progress: Progress;
  /** The streams, of which each write clears the line first. */
  readonly io: Io;
  /** Draws nothing while the work has the terminal for itself: a question to the user. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Clears the line and draws nothing any more. */
  end(): void;
}

/** Time, as progress needs it. */
export interface ProgressClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls again and again after so many milliseconds, until the function that it returns is called. */
  every(ms: number, tick: () => void): () => void;
}

/** What takes less is not shown. Milliseconds. */
const patience = 500;
const interval = 100;
const clearLine = "\r\u001b[K";

/** Whether progress is wanted: stderr is a terminal that can go back on its line, and a person looks at it. */
export function showsProgress(isTTY: boolean, env: Readonly<Record<string, string | undefined>>, quiet: boolean): boolean {
  const ci = env["CI"] !== undefined && !/^(?:|0|false|no)$/i.test(env["CI"]);
  return isTTY && !quiet && env["TERM"] !== "dumb" && !ci;
}

/** The line of a terminal; where it is not shown, nothing is drawn and the streams are as they were. */
export function createProgress(io: Io, clock: ProgressClock, shown: boolean): ProgressLine {
  const line = new Line(io.stderr, clock);
  if (!shown) return { progress: unseen, io, hold: (work) => work(), end: () => undefined };
  const progress = progressOver((label) => line.begin(label));
  return {
    progress,
    io: { stdin: io.stdin, stdout: line.before(io.stdout), stderr: line.before(io.stderr) },
    hold: (work) => line.hold(work),
    end: () => line.end(),
  };
}

const idle: Task = { step: () => undefined, done: () => undefined };

/** Where nothing is drawn, nothing comes between the work and who waits for it. */
const unseen: Progress = {
  task: () => idle,
  during: (_label, work) => work(),
  counted: async function* (_label, items) {
    yield* items;
  },
};

function progressOver(task: (label: string) => Task): Progress {
  return {
    task,
    during: async (label, work) => {
      const running = task(typeof label === "string" ? label : label());
      try {
        return await work();
      } finally {
        running.done();
      }
    },
    async *counted(label, items, sizeOf) {
      const running = task(label);
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
class Line {
  readonly #output: Output;
  readonly #clock: ProgressClock;
  readonly #running = new Set<Standing>();
  #stop: (() => void) | undefined;
  /** Columns of the line that stands on the terminal; 0 is none. */
  #drawn = 0;
  /** Why nothing may be drawn: a line that is not ended, a question, a pager that reads, the end of the command. */
  #blocked = false;
  #held = 0;
  #ended = false;
  #ticks = 0;

  constructor(output: Output, clock: ProgressClock) {
    this.#output = output;
    this.#clock = clock;
  }

  begin(label: string): Task {
    let standing: Standing = { label, since: this.#clock.now(), count: 0, total: undefined };
    this.#running.add(standing);
    this.#stop ??= this.#clock.every(interval, () => this.#tick());
    return {
      step: (by, total) => {
        if (!this.#running.delete(standing)) return;
        standing = { ...standing, count: standing.count + by, total: total ?? standing.total };
        this.#running.add(standing);
      },
      done: () => {
        this.#running.delete(standing);
        if (this.#running.size > 0) return;
        this.#stop?.();
        this.#stop = undefined;
        this.#clear();
      },
    };
  }

  before(stream: Output): Output {
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

  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#clear();
    this.#held += 1;
    try {
      return await work();
    } finally {
      this.#held -= 1;
    }
  }

  end(): void {
    this.#ended = true;
    this.#stop?.();
    this.#clear();
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#blocked || this.#held > 0 || this.#ended) return;
    const now = this.#clock.now();
    const waiting = [...this.#running].filter(({ since }) => now - since >= patience);
    // What counts many says more than the request that is under way for it.
    const told = waiting.find(({ count }) => count > 0) ?? waiting[0];
    if (told === undefined) {
      this.#clear();
      return;
    }
    const text = progressText(told, now, this.#ticks, this.#columns());
    this.#write(`${this.#erasure()}${text}`);
    this.#drawn = text.length;
  }

  #clear(): void {
    if (this.#drawn === 0) return;
    this.#write(this.#erasure());
    this.#drawn = 0;
  }

  /** Clears what is drawn, also where the window has become narrower and the terminal has broken the line into several. */
  #erasure(): string {
    const above = Math.ceil(this.#drawn / this.#columns()) - 1;
    return above > 0 ? `\r\u001b[${above}A\u001b[J` : clearLine;
  }

  #columns(): number {
    return this.#output.columns || 80;
  }

  /** A terminal that can't be written to is told by the command's own writes. */
  #write(text: string): void {
    this.#output.write(text).catch(() => undefined);
  }
}
