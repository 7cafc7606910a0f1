// A standard stream before Node opens it, which takes 1 to 2 ms for each: what its descriptor tells is often enough.
import { fstatSync, statSync, writeSync } from "node:fs";

/** What a descriptor leads to. Only Node's stream tells whether what is `unknown` is a terminal. */
export type DescriptorKind = "file" | "pipe" | "unknown";

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
