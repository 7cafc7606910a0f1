// Where a source is read from: a file, a URL, or stdin.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { CalError, codeOf, messageOf, usageError } from "../errors.ts";
import type { SourceOptions } from "./source-options.ts";

export interface Input {
  readonly name: string;
  readonly label: string;
  /** Without the dot, in lower case; `""` where there is none. */
  readonly extension: string;
  /** Of a URL, without parameters; `""` where there is none. */
  readonly contentType: string;
  /** The first bytes, at most 64 kB. They are not used up. */
  readHead(): Promise<Uint8Array>;
  /** All bytes, once. */
  chunks(): AsyncIterable<Uint8Array>;
}

const headSize = 65_536;

/** Rejects with kind `local` where a file can't be read, and with a usage error for an address that is not allowed. */
export async function openInput(options: SourceOptions): Promise<Input> {
  const address = options.urlFile === undefined ? options.location : await readAddress(options.urlFile);
  if (options.urlFile === undefined && address === "-") return createInput("stdin", "stdin", "", "", options.stdin);
  if (options.urlFile === undefined && !/^(?:https?|webcals?):/i.test(address)) {
    return createInput(basename(address), address, extensionOf(address), "", readFileChunks(address));
  }
  const { openUrl } = await import("./url.ts");
  const { url, contentType, body } = await openUrl(address, options);
  const hash = createHash("sha256").update(`${url.pathname}${url.search}`).digest("hex").slice(0, 8);
  return createInput(`${url.origin}#${hash}`, url.origin, extensionOf(url.pathname), contentType, body);
}

/** The first line of the file that is not empty. */
async function readAddress(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => Promise.reject(fileError(file, error)));
  const [address, ...others] = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (address === undefined || others.length > 0 || !/^(?:https?|webcals?):\/\//i.test(address))
    throw usageError(`--url-file ${JSON.stringify(file)} must have one line: the address`, "it begins with https:// or webcal://");
  return address;
}

function extensionOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: headSize }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fileError(path, error);
  }
}

function fileError(path: string, error: unknown): CalError {
  const file = JSON.stringify(path);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `there is no file ${file}`,
    EISDIR: `${file} is a folder`,
    EACCES: `this user may not read ${file}`,
  };
  return new CalError("local", reasons[codeOf(error) ?? ""] ?? messageOf(error), { code: "unreadable-file" });
}

function createInput(name: string, label: string, extension: string, contentType: string, body: AsyncIterable<Uint8Array>): Input {
  const iterator = body[Symbol.asyncIterator]();
  let head: Uint8Array | undefined;
  const readHead = async (): Promise<Uint8Array> => {
    if (head !== undefined) return head;
    const parts: Uint8Array[] = [];
    for (let length = 0; length < headSize; ) {
      const { value, done } = await iterator.next();
      if (done === true) break;
      parts.push(value);
      length += value.length;
    }
    head = Buffer.concat(parts);
    return head;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      const first = await readHead();
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { name, label, extension, contentType, readHead: async () => (await readHead()).subarray(0, headSize), chunks };
}
