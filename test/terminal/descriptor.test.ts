// What is known of a standard stream before Node opens it, and writing without Node's stream.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { getDescriptorKind, writeToDescriptor } from "../../src/terminal/io.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-descriptor-"));
const file = join(folder, "file");
afterAll(() => rmSync(folder, { recursive: true }));

function withFile<T>(path: string, flags: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

test("a file is one, and so is /dev/null; the kind of a folder or of a closed descriptor is unknown", () => {
  expect(withFile(file, "w", getDescriptorKind)).toBe("file");
  expect(withFile("/dev/null", "w", getDescriptorKind)).toBe("file");
  expect(withFile("/dev/zero", "w", getDescriptorKind)).toBe("unknown");
  expect(withFile(folder, "r", getDescriptorKind)).toBe("unknown");
  expect(getDescriptorKind(987_654)).toBe("unknown");
});

test("what is taken is gone, and where nothing is taken all is left", () => {
  const text = Buffer.from("Müller\n");
  expect(withFile(file, "w", (descriptor) => writeToDescriptor(descriptor, text))).toHaveLength(0);
  expect(readFileSync(file, "utf8")).toBe("Müller\n");
  expect(withFile(file, "r", (descriptor) => writeToDescriptor(descriptor, text))).toEqual(text);
});
