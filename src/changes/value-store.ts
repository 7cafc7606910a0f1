// Values that are kept until a command ends, such as the changes of a plan: the first ones in memory, the others in a file of the state folder.
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { CalError, messageOf } from "../errors.ts";
import type { Change } from "./change.ts";

/** A value that may be in a file: then each `read` makes it anew. */
export interface StoredValue<T> {
  read(): T;
}

/** Takes plain data. */
export type Keep = <T>(value: T) => StoredValue<T>;

export interface ValueStore {
  readonly keep: Keep;
  close(): void;
}

export const keepInMemory: Keep = (value) => ({ read: () => value });

/** Values in memory; the file is made for more. */
const maxInMemory = 1000;

/** Bytes that are written at once. */
const chunkSize = 65_536;

/** All values are in memory where the folder can't be written. Throws a CalError of kind `local` where the file fails later. */
export function createValueStore(folder: string): ValueStore {
  let count = 0;
  let file: ValueFile | undefined;
  return {
    keep: <T>(value: T): StoredValue<T> => {
      count += 1;
      if (count === maxInMemory + 1) {
        keepHeapSmall();
        file = openValueFile(folder);
      }
      const target = file;
      const text = target && formatValue(value);
      if (target === undefined || text === undefined) return keepInMemory(value);
      const [offset, size] = target.append(text);
      return { read: () => target.read(offset, size) as T };
    },
    close: () => {
      file?.close();
      file = undefined;
    },
  };
}

/** By default V8 lets the heap grow to four times of what is in it, and its young generation to 128 MB, where much of it stays for long. */
function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}

/** Undefined for values that JSON can't hold: they have a bigint. */
function formatValue(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The file has no name any more, so it is gone when the process ends, in whatever way. Undefined where it can't be made. */
function openValueFile(folder: string): ValueFile | undefined {
  const path = join(folder, `values-${crypto.randomUUID()}.ndjson`);
  let descriptor: number | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    descriptor = openSync(path, "wx+", 0o600);
    rmSync(path);
    return new ValueFile(descriptor);
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
}

/** One value a line. */
class ValueFile {
  readonly #descriptor: number;
  /** The lines that are not in the file yet. */
  readonly #chunk = Buffer.allocUnsafe(chunkSize);
  #waiting = 0;
  #written = 0;
  /** A part of the file: values are mostly read in their order. */
  #part = Buffer.alloc(0);
  #partStart = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** The offset and the size of its line, in bytes. */
  append(text: string): readonly [offset: number, size: number] {
    const line = `${text}\n`;
    const size = Buffer.byteLength(line);
    if (this.#waiting + size > chunkSize) this.#flush();
    const offset = this.#written + this.#waiting;
    if (size > chunkSize) this.#write(Buffer.from(line));
    else this.#waiting += this.#chunk.write(line, this.#waiting);
    return [offset, size];
  }

  read(offset: number, size: number): unknown {
    if (offset + size > this.#written) this.#flush();
    const end = offset + size;
    // Values are also read in the opposite order.
    if (offset < this.#partStart) this.#readPart(Math.max(0, Math.min(offset, end - chunkSize)), Math.max(size, chunkSize));
    else if (end > this.#partStart + this.#part.length) this.#readPart(offset, Math.max(size, chunkSize));
    const start = offset - this.#partStart;
    return JSON.parse(this.#part.toString("utf8", start, start + size));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #readPart(offset: number, size: number): void {
    const bytes = Buffer.allocUnsafe(Math.min(size, this.#written - offset));
    withStoreErrors(() => {
      for (let at = 0, count = -1; at < bytes.length && count !== 0; at += count)
        count = readSync(this.#descriptor, bytes, at, bytes.length - at, offset + at);
    });
    this.#part = bytes;
    this.#partStart = offset;
  }

  #flush(): void {
    this.#write(this.#chunk.subarray(0, this.#waiting));
    this.#waiting = 0;
  }

  #write(bytes: Buffer): void {
    withStoreErrors(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    });
    this.#written += bytes.length;
  }
}

function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CalError("local", `the plan can't be kept in the state folder: ${messageOf(error)}`, {
      code: "plan-file",
      cause: error,
      hint: { text: "use another folder", command: "CAL_STATE_DIR=<folder> cal ..." },
    });
  }
}

/** The same change, with its fields in a store. */
export function keepFields(change: Change, keep: Keep): Change {
  return keepProperties(change, ["fields"], keep);
}

/** The same object, with these properties in a store: they are read where they are asked for. */
export function keepProperties<T extends object>(object: T, names: readonly (keyof T & string)[], keep: Keep): T {
  const isKept = (name: string) => names.some((one) => one === name);
  const entries = Object.entries(object);
  const kept = {};
  storedProperties.set(kept, keep(Object.fromEntries(entries.filter(([name]) => isKept(name)))));
  for (const [name, value] of entries)
    Object.defineProperty(kept, name, isKept(name) ? getStoredProperty(name) : { value, enumerable: true });
  return kept as T;
}

const storedProperties = new WeakMap<object, StoredValue<Readonly<Record<string, unknown>>>>();
const storedProperty = new Map<string, PropertyDescriptor>();

/** One for each name: objects with the same properties take less memory then. */
function getStoredProperty(name: string): PropertyDescriptor {
  const get = function (this: object) {
    return storedProperties.get(this)?.read()[name];
  };
  const property = storedProperty.get(name) ?? { enumerable: true, get };
  storedProperty.set(name, property);
  return property;
}
