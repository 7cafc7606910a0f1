// The standard streams of Node as our Io: back-pressure is waited for, a closed pipe is no error. None is opened before it is needed.
import type { ReadStream, WriteStream } from "node:tty";
import { CalError, codeOf, messageOf } from "../errors.ts";
import { getDescriptorKind, writeToDescriptor } from "./descriptor.ts";
import type { Input, Io, Output } from "./io.ts";

/** What Node's streams are to us: a terminal's, or plain ones. */
export interface NodeStreams {
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
