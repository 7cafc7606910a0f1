// So many requests at once and no more; fewer where the server is busy; more again when it is calm.

import { expect, test } from "vitest";
import { limitConcurrency } from "../../src/http/retries.ts";
import { type HttpResponse, NetworkError } from "../../src/http/transport.ts";

interface Held {
  readonly url: string;
  readonly answer: (status: number) => void;
  readonly lose: () => void;
}

/** A transport whose answers the test gives. */
function heldTransport(most: number) {
  const held: Held[] = [];
  const send = limitConcurrency(
    ({ url }) =>
      new Promise<HttpResponse>((resolve, reject) => {
        held.push({
          url,
          answer: (status) => resolve({ status, headers: {}, body: new Uint8Array() }),
          lose: () => reject(new NetworkError("lost", true)),
        });
      }),
    most,
  );
  const settled: Promise<unknown>[] = [];
  const ask = (...names: readonly string[]) => {
    for (const url of names) settled.push(send({ method: "GET", url, headers: {} }).catch((error: unknown) => error));
  };
  /** Answers the oldest request under way. */
  const answer = async (status: number) => {
    held.shift()?.answer(status);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const lose = async () => {
    held.shift()?.lose();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, answer, lose, under: () => held.map(({ url }) => url) };
}

test("no more than allowed are under way, and the others follow in their order", async () => {
  const wire = heldTransport(2);
  wire.ask("a", "b", "c", "d");
  expect(wire.under()).toEqual(["a", "b"]);
  await wire.answer(200);
  expect(wire.under()).toEqual(["b", "c"]);
  await wire.lose();
  expect(wire.under()).toEqual(["c", "d"]);
});

test.each([429, 503])("%i halves what is allowed, down to one at a time", async (status) => {
  const wire = heldTransport(4);
  wire.ask(..."abcdefghijkl");
  expect(wire.under().length).toBe(4);
  await wire.answer(status);
  expect(wire.under()).toEqual(["b", "c", "d"]);
  await wire.answer(200);
  expect(wire.under()).toEqual(["c", "d"]);
  await wire.answer(200);
  expect(wire.under()).toEqual(["d", "e"]);
  for (let busy = 0; busy < 4; busy++) await wire.answer(status);
  expect(wire.under().length).toBe(1);
});

test("twenty calm answers in a row allow one more, up to what was allowed first", async () => {
  const wire = heldTransport(3);
  wire.ask(...Array.from({ length: 120 }, (_none, index) => String(index)));
  await wire.answer(503);
  await wire.answer(200);
  expect(wire.under().length).toBe(1);
  for (let good = 1; good < 20; good++) await wire.answer(200);
  expect(wire.under().length).toBe(2);
  for (let good = 0; good < 60; good++) await wire.answer(200);
  expect(wire.under().length).toBe(3);
});

test("other refusals are no reason to slow down", async () => {
  const wire = heldTransport(2);
  wire.ask("a", "b", "c", "d");
  await wire.answer(404);
  await wire.answer(500);
  expect(wire.under()).toEqual(["c", "d"]);
});
