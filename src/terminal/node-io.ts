// The standard streams of Node as our Io: back-pressure is waited for, a closed pipe is no error.
import type { ReadStream, WriteStream } from "node:tty";
import { CalError, codeOf, messageOf } from "../errors.ts";
import type { Input, Io, Output } from "./io.ts";

/** What Node's streams are to us: a terminal's, or plain ones. */
export interface NodeStreams {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;
}

/** Wraps the streams. `columns` overrides the width of a terminal (the environment's COLUMNS). */
export function nodeIo(streams: NodeStreams, columns: string | undefined): Io {
  const width = columns !== undefined && /^\d+$/.test(columns) ? Number(columns) : undefined;
  return { stdin: inputOf(streams), stdout: outputOf(streams.stdout, width), stderr: outputOf(streams.stderr, width) };
}

/** Node opens stdin when it is first looked at; most commands never do. */
function inputOf(streams: NodeStreams): Input {
  return {
    get isTTY() {
      return streams.stdin.isTTY === true;
    },
    text: async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of streams.stdin) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

function outputOf(stream: NodeStreams["stdout"], width: number | undefined): Output {
  let closed = false;
  stream.on("error", (error) => {
    closed ||= codeOf(error) === "EPIPE";
  });
  return {
    isTTY: stream.isTTY === true,
    // A socket, as Node takes every pipe to be.
    ...(stream.isTTY !== true && "connecting" in stream ? { isPipe: true } : {}),
    get columns() {
      return width ?? (stream.isTTY === true ? stream.columns : undefined);
    },
    get closed() {
      return closed;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (closed) return resolve();
        stream.write(text, (error) => {
          if (error === null || error === undefined) return resolve();
          if (codeOf(error) !== "EPIPE")
            return reject(new CalError("local", `the output can't be written: ${messageOf(error)}`, { cause: error }));
          closed = true;
          resolve();
        });
      }),
  };
}
