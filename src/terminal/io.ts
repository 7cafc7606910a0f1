// The three standard streams as values, so that a test can stand in for the terminal.

import { closeSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { ReadStream, WriteStream } from "node:tty";
import { CalError, codeOf, messageOf } from "../errors.ts";

/** A stream that text goes out on. */
export interface Output {
  /** Resolves when the text is taken; waits where the reader is slow. A closed pipe is no error: `closed` turns true. */
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Width in columns; undefined where it is not a terminal. */
  readonly columns: number | undefined;
  readonly closed: boolean;
  /** Another program reads it. */
  readonly isPipe?: true;
}

/** The stream that text comes in on. */
interface Input {
  readonly isTTY: boolean;
  /** Everything up to its end, as UTF-8. */
  text(): Promise<string>;
}

/** All three. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

// The standard streams of Node as our Io: back-pressure is waited for, a closed pipe is no error. None is opened before it is needed.

/** What Node's streams are to us: a terminal's, or plain ones. */
interface NodeStreams {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
}

/** So many characters are no more than what every pipe takes at once. */
const maxDirectWriteLength = 4096;

/** Wraps the streams. `columns` overrides the width of a terminal (the environment's COLUMNS). */
export function createNodeIo(streams: NodeStreams, columns: string | undefined): Io {
  const width = columns !== undefined && /^\d+$/.test(columns) ? Number(columns) : undefined;
  return {
    stdin: createInput(streams),
    stdout: createOutput(1, () => streams.stdout, width),
    stderr: createOutput(2, () => streams.stderr, width),
  };
}

/** Node opens stdin when it is first looked at; most commands never do. */
function createInput(streams: NodeStreams): Input {
  return {
    get isTTY() {
      return getDescriptorKind(0) === "unknown" && streams.stdin.isTTY === true;
    },
    text: async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of streams.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

function createOutput(descriptor: number, open: () => NodeStreams["stdout"], width: number | undefined): Output {
  const kind = getDescriptorKind(descriptor);
  let stream: NodeStreams["stdout"] | undefined;
  let begun = false;
  let closed = false;
  const opened = (): NodeStreams["stdout"] => {
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
      return width ?? (isTTY() ? opened().columns : undefined);
    },
    get closed() {
      return closed;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) return resolve();
        // Only what is written first, and is all that many commands write: nothing waits in the pipe yet, so that nothing waits for its reader.
        const atOnce = !begun && kind !== "unknown" && text.length <= maxDirectWriteLength;
        begun = true;
        const rest = atOnce ? writeToDescriptor(descriptor, Buffer.from(text)) : text;
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

// A standard stream before Node opens it, which takes 1 to 2 ms for each: what its descriptor tells is often enough.

/** What a descriptor leads to. Only Node's stream tells whether what is `unknown` is a terminal. */
type DescriptorKind = "file" | "pipe" | "unknown";

/** Looks at a descriptor; what is thrown away counts as a file, and a socket as a pipe. */
export function getDescriptorKind(descriptor: number): DescriptorKind {
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO() || found.isSocket()) return "pipe";
    if (found.isFile()) return "file";
    return found.isCharacterDevice() && found.rdev === statSync("/dev/null").rdev ? "file" : "unknown";
  } catch {
    return "unknown";
  }
}

/** Writes what is taken at once and answers with the rest: all of it where something is wrong, which Node's stream then tells. */
export function writeToDescriptor(descriptor: number, bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(descriptor, bytes));
  } catch {
    return bytes;
  }
}

// The terminal at our end, where another program may have it by then: a pager that we write to, or whatever the user began meanwhile.

/**
 * Gives the terminal up, as the very last act of a process that has not changed its modes. Node would put them back as it found them when it
 * started, under a pager that reads keys since; what it does not hold any more it leaves alone. Nothing can be written to it after this.
 */
export function releaseTerminal(platform: string): void {
  if (platform === "win32") return;
  for (const descriptor of [0, 1, 2]) {
    if (getDescriptorKind(descriptor) !== "unknown" || !isCharacterDevice(descriptor)) continue;
    closeSync(descriptor);
    // The lowest free number is taken, so none of Node's own files can come to stand there.
    openSync("/dev/null", "r+");
  }
}

/** A terminal, or a device that nothing is written to any more either. Node's own `isatty` loads its network streams, 3 ms. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

// The time zone of this machine.

/** What tells it. */
interface SystemZoneSources {
  /** The variable TZ. */
  readonly variable: string | undefined;
  /** Where the link /etc/localtime leads; throws where it is none. */
  readonly readLocaltimeLink: () => string;
  /** Node's own answer, for which it loads its tables of zones and languages: that takes 5 ms and more. */
  readonly getIntlZone: () => string;
}

/** The IANA name: as the system's link spells it, else what Node makes of variable and files. */
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
