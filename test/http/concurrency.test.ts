// limitConcurrency: how many requests are sent at once, with a busy server and without.

import { expect, test } from "vitest";
import { limitConcurrency } from "../../src/http/retries.ts";
import { type HttpResponse, NetworkError } from "../../src/http/transport.ts";

interface PendingRequest {
  readonly url: string;
  readonly answer: (status: number) => void;
  readonly fail: () => void;
}

/** A transport whose requests wait until the test answers them. */
function createPendingTransport(limit: number) {
  const pending: PendingRequest[] = [];
  const limited = limitConcurrency(
    ({ url }) =>
      new Promise<HttpResponse>((resolve, reject) => {
        pending.push({
          url,
          answer: (status) => resolve({ status, headers: {}, body: new Uint8Array() }),
          fail: () => reject(new NetworkError("lost", true)),
        });
      }),
    limit,
  );
  const results: Promise<unknown>[] = [];
  const send = (...names: readonly string[]) => {
    for (const url of names) results.push(limited({ method: "GET", url, headers: {} }).catch((error: unknown) => error));
  };
  /** Answers the oldest pending request. */
  const answer = async (status: number) => {
    pending.shift()?.answer(status);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const fail = async () => {
    pending.shift()?.fail();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { send, answer, fail, urls: () => pending.map(({ url }) => url) };
}

test("no more than the limit are sent at once, and the others follow in order", async () => {
  const transport = createPendingTransport(2);
  transport.send("a", "b", "c", "d");
  expect(transport.urls()).toEqual(["a", "b"]);
  await transport.answer(200);
  expect(transport.urls()).toEqual(["b", "c"]);
  await transport.fail();
  expect(transport.urls()).toEqual(["c", "d"]);
});

test.each([429, 503])("%i halves the limit, down to one", async (status) => {
  const transport = createPendingTransport(4);
  transport.send(..."abcdefghijkl");
  expect(transport.urls().length).toBe(4);
  await transport.answer(status);
  expect(transport.urls()).toEqual(["b", "c", "d"]);
  await transport.answer(200);
  expect(transport.urls()).toEqual(["c", "d"]);
  await transport.answer(200);
  expect(transport.urls()).toEqual(["d", "e"]);
  for (let busy = 0; busy < 4; busy++) await transport.answer(status);
  expect(transport.urls().length).toBe(1);
});

test("twenty successes in a row raise the limit by one, up to the first limit", async () => {
  const transport = createPendingTransport(3);
  transport.send(...Array.from({ length: 120 }, (_none, index) => String(index)));
  await transport.answer(503);
  await transport.answer(200);
  expect(transport.urls().length).toBe(1);
  for (let count = 1; count < 20; count++) await transport.answer(200);
  expect(transport.urls().length).toBe(2);
  for (let count = 0; count < 60; count++) await transport.answer(200);
  expect(transport.urls().length).toBe(3);
});

test("other error statuses do not change the limit", async () => {
  const transport = createPendingTransport(2);
  transport.send("a", "b", "c", "d");
  await transport.answer(404);
  await transport.answer(500);
  expect(transport.urls()).toEqual(["c", "d"]);
});
