// How many refs are in progress at the same time, and in which groups their outcomes come.

import { expect, test } from "vitest";
import { runConcurrently } from "../../../src/commands/records/refs.ts";
import { CalError } from "../../../src/errors.ts";

const refs = Array.from({ length: 40 }, (_none, index) => ({ text: String(index), ref: { by: "id", id: String(index) } as const }));

/** Work that ends when the test ends it, and how much of it was under way. */
function bench(atOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: CalError) => void>();
  let most = 0;
  const outcomes = runConcurrently(refs, atOnce, async ({ text }) => {
    begun.push(text);
    await new Promise<void>((resolve, reject) => {
      ends.set(text, (error) => (error === undefined ? resolve() : reject(error)));
      most = Math.max(most, ends.size);
    });
    ends.delete(text);
    return text;
  });
  const end = async (text: string, error?: CalError) => {
    ends.get(text)?.(error);
    await new Promise(setImmediate);
  };
  return { outcomes, begun, end, most: () => most, open: () => [...ends.keys()] };
}

const texts = async (next: Promise<IteratorResult<readonly { readonly ref: string }[]>>) =>
  ((await next).value ?? []).map(({ ref }: { readonly ref: string }) => ref);

test("a slow one keeps the others waiting to be reported, not to be done, up to four times as many as may be under way", async () => {
  const { outcomes, begun, end, most, open } = bench(3);
  const first = outcomes.next();
  await new Promise(setImmediate);
  for (let quick = open().find((text) => text !== "0"); quick !== undefined; quick = open().find((text) => text !== "0")) await end(quick);
  expect({ begun: begun.length, most: most() }).toEqual({ begun: 12, most: 3 });
  await end("0");
  expect(await texts(first)).toEqual(Array.from({ length: 12 }, (_none, index) => String(index)));
});

test("where nobody reads on, nothing more is begun", async () => {
  const { outcomes, begun, end } = bench(2);
  const first = outcomes.next();
  await end("0");
  expect(await texts(first)).toEqual(["0"]);
  await outcomes.return(undefined);
  for (const text of [...begun]) await end(text);
  expect(begun).toEqual(["0", "1", "2"]);
});

test("without access none is begun after the one that reported it", async () => {
  const { outcomes, begun, end } = bench(2);
  const rest = (async () => {
    const all: boolean[] = [];
    for await (const group of outcomes) all.push(...group.map(({ ok }) => ok));
    return all;
  })();
  await new Promise(setImmediate);
  await end("1", new CalError("unauthenticated", "log in"));
  await end("0");
  expect(await rest).toEqual([true, ...Array.from({ length: 39 }, () => false)]);
  expect(begun).toEqual(["0", "1"]);
});
