import { expect, test } from "vitest";
import { release } from "../../src/http/release.ts";

test("bytes with memory of their own are given back, where Node can", () => {
  const body = new Uint8Array(1000);
  release(body);
  expect(body.length).toBe("transfer" in ArrayBuffer.prototype ? 0 : 1000);
});

test("bytes that share their memory stay as they are, and so do their neighbours", () => {
  const memory = new Uint8Array([1, 2, 3, 4]).buffer;
  const body = new Uint8Array(memory, 1, 2);
  release(body);
  expect([body, new Uint8Array(memory)]).toEqual([new Uint8Array([2, 3]), new Uint8Array([1, 2, 3, 4])]);
});
