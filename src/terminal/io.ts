// The three standard streams as values, so that a test can replace the terminal. None is opened before it is needed.

import { closeSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { ReadStream, WriteStream } from "node:tty";
import { CalError, codeOf, messageOf } from "../errors.ts";

/** A stream for output. */
export interface Output {
  /** Resolves when the text is taken; waits where the reader is slow. A closed pipe is no error: `closed` becomes true. */
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Width of the terminal; undefined where it is none. */
  readonly columns: number | undefined;
  /** Height of the terminal; absent where it is none or not known. */
  readonly rows?: number | undefined;
  readonly closed: boolean;
  /** Another program reads it. */
  readonly isPipe?: true;
}

interface Input {
  readonly isTTY: boolean;
  /** Everything up to its end, as UTF-8. */
  text(): Promise<string>;
  /** The same as it comes, until the signal closes it. Absent where there is only a text. */
  bytes?(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

type NodeOutput = NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

/** The streams of Node's `process`. */
interface NodeStreams {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY" | "destroy">>;
  readonly stdout: NodeOutput;
  readonly stderr: NodeOutput;
}

/** An empty pipe takes so many bytes at once on each system. A character has 3 at most. */
const pipeSize = 16_384;

/** Wraps the streams. `columns` overrides the width of a terminal (the environment's COLUMNS). A width of 0 is unknown. */
export function createNodeIo(streams: NodeStreams, columns: string | undefined): Io {
  const width = columns !== undefined && /^\d+$/.test(columns) ? Number(columns) || undefined : undefined;
  return {
    stdin: {
      // Node opens stdin when the property is first read.
      get isTTY() {
        return getDescriptorKind(0) === "unknown" && streams.stdin.isTTY === true;
      },
      text: async () => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of streams.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        return Buffer.concat(chunks).toString("utf8");
      },
      bytes: async function* (signal) {
        signal?.addEventListener("abort", () => void streams.stdin.destroy?.(), { once: true });
        try {
          for await (const chunk of streams.stdin) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        } catch (error) {
          if (signal?.aborted !== true) throw error;
        }
      },
    },
    stdout: createOutput(1, () => streams.stdout, width),
    stderr: createOutput(2, () => streams.stderr, width),
  };
}

function createOutput(descriptor: number, open: () => NodeOutput, width: number | undefined): Output {
  const kind = getDescriptorKind(descriptor);
  let stream: NodeOutput | undefined;
  let started = false;
  let closed = false;
  const opened = (): NodeOutput => {
    stream ??= open().on("error", (error) => {
      closed ||= codeOf(error) === "EPIPE";
    });
    return stream;
  };
  const isTTY = () => kind === "unknown" && opened().isTTY === true;
  return {
    get isTTY() {
      return isTTY();
    },
    ...(kind === "pipe" ? { isPipe: true } : {}),
    get columns() {
      return width ?? (isTTY() ? opened().columns || undefined : undefined);
    },
    get rows() {
      return (isTTY() ? opened().rows : undefined) || undefined;
    },
    get closed() {
      return closed;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) return resolve();
        // Only for the first write, which is the only one of many commands: the pipe is empty, so that this does not block.
        const direct = !started && (kind === "file" || (kind === "pipe" && text.length * 3 <= pipeSize));
        started = true;
        const rest = direct ? writeToDescriptor(descriptor, Buffer.from(text)) : text;
        if (rest.length === 0) return resolve();
        opened().write(rest, (error) => {
          if (error === null || error === undefined) return resolve();
          if (codeOf(error) !== "EPIPE")
            return reject(new CalError("local", `the output can't be written: ${messageOf(error)}`, { cause: error }));
          closed = true;
          resolve();
        });
      }),
  };
}

/**
 * The kind of file that a descriptor refers to; /dev/null counts as a file, and a socket as a pipe. Only Node's stream says whether an
 * `unknown` one is a terminal; opening that takes 1 to 2 ms.
 */
export function getDescriptorKind(descriptor: number): "file" | "pipe" | "unknown" {
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO() || found.isSocket()) return "pipe";
    if (found.isFile()) return "file";
    return found.isCharacterDevice() && found.rdev === statSync("/dev/null").rdev ? "file" : "unknown";
  } catch {
    return "unknown";
  }
}

/** Writes what is taken at once and returns the rest: all of it after an error, which Node's stream then reports. */
export function writeToDescriptor(descriptor: number, bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(descriptor, bytes));
  } catch {
    return bytes;
  }
}

/**
 * Closes the terminal, as the last act of a process that has not changed its modes. Otherwise Node would restore the modes that it found at
 * its start, although a pager that still reads keys has changed them since. Nothing can be written to the terminal after this.
 */
export function releaseTerminal(platform: string): void {
  if (platform === "win32") return;
  for (const descriptor of [0, 1, 2]) {
    if (getDescriptorKind(descriptor) !== "unknown" || !isCharacterDevice(descriptor)) continue;
    closeSync(descriptor);
    // The lowest free number is used, so that none of Node's own files can get it.
    openSync("/dev/null", "r+");
  }
}

/** True also for devices other than terminals, to which nothing is written any more. Node's own `isatty` loads its network streams, 3 ms. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

interface SystemZoneSources {
  /** The variable TZ. */
  readonly variable: string | undefined;
  /** The target of the link /etc/localtime; throws where it is none. */
  readonly readLocaltimeLink: () => string;
  /** Node's own answer; loading its tables of zones and languages takes 5 ms and more. */
  readonly getIntlZone: () => string;
}

/** The IANA name of the time zone of this machine: as the system's link spells it, else by Node. */
export function findSystemZone({ variable, readLocaltimeLink, getIntlZone }: SystemZoneSources): string {
  if (variable !== undefined) return getIntlZone();
  try {
    const [, name] =
      /\/zoneinfo\/((?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/.+)$/.exec(readLocaltimeLink()) ?? [];
    return name === undefined ? getIntlZone() : name.replace(/^Etc\/(?:UTC|UCT|Universal|Zulu)$/, "UTC");
  } catch {
    return getIntlZone();
  }
}
