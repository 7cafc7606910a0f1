// How many changes are in progress at the same time, in which groups their results come, and what a signal leaves.

import { describe, expect, test } from "vitest";
import type { InterruptionKind } from "../../src/changes/result.ts";
import { runConcurrently } from "../../src/changes/run-concurrently.ts";
import { CalError } from "../../src/errors.ts";
import { NetworkError } from "../../src/http/transport.ts";

const changes = Array.from({ length: 40 }, (_none, index) => ({ key: String(index) }));

/** Work that ends when the test ends it, how much of it was under way, and the signal of a user. */
function createBench(concurrency: number) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: CalError) => void>();
  let most = 0;
  let kind: InterruptionKind | undefined;
  let giveUp: (kind: InterruptionKind) => void = () => undefined;
  let isReleased = false;
  const results = runConcurrently(
    changes,
    concurrency,
    async ({ key }, attempt) => {
      begun.push(key);
      // Even ones have sent their write, odd ones are still reading.
      attempt.isSent = Number(key) % 2 === 0;
      await new Promise<void>((resolve, reject) => {
        ends.set(key, (error) => (error === undefined ? resolve() : reject(error)));
        most = Math.max(most, ends.size);
      });
      ends.delete(key);
      return { status: "done", record: key };
    },
    (callback) => {
      giveUp = callback;
      return {
        get kind() {
          return kind;
        },
        release: () => {
          isReleased = true;
        },
      };
    },
  );
  const end = async (key: string, error?: CalError) => {
    ends.get(key)?.(error);
    await new Promise(setImmediate);
  };
  return {
    results,
    begun,
    end,
    most: () => most,
    open: () => [...ends.keys()],
    interrupt: () => {
      kind = "interrupted";
    },
    giveUp: () => giveUp("interrupted"),
    isReleased: () => isReleased,
  };
}

type Results = ReturnType<typeof createBench>["results"];

const keys = async (next: ReturnType<Results["next"]>) => {
  const { value } = await next;
  return value === undefined ? [] : value.map(({ change }) => change.key);
};

const readAll = async (results: Results) => {
  const all: string[] = [];
  for await (const group of results) all.push(...group.map(({ change, status }) => `${change.key} ${status}`));
  return all;
};

test("a slow one keeps the others waiting to be reported, not to be done, up to four times as many as may be under way", async () => {
  const { results, begun, end, most, open } = createBench(3);
  const first = results.next();
  await new Promise(setImmediate);
  for (let quick = open().find((key) => key !== "0"); quick !== undefined; quick = open().find((key) => key !== "0")) await end(quick);
  expect({ begun: begun.length, most: most() }).toEqual({ begun: 12, most: 3 });
  await end("0");
  expect(await keys(first)).toEqual(Array.from({ length: 12 }, (_none, index) => String(index)));
});

test("where nobody reads on, nothing more is begun", async () => {
  const { results, begun, end, isReleased } = createBench(2);
  const first = results.next();
  await end("0");
  expect(await keys(first)).toEqual(["0"]);
  await results.return(undefined);
  for (const key of [...begun]) await end(key);
  expect(begun).toEqual(["0", "1", "2"]);
  expect(isReleased()).toBe(true);
});

test("without access none is begun after the one that reported it", async () => {
  const { results, begun, end } = createBench(2);
  const all = readAll(results);
  await new Promise(setImmediate);
  await end("1", new CalError("unauthenticated", "log in"));
  await end("0");
  expect(await all).toEqual(["0 done", "1 failed", ...changes.slice(2).map(({ key }) => `${key} not-reached`)]);
  expect(begun).toEqual(["0", "1"]);
});

test("a write that was sent and has no answer is unknown, a read is not", async () => {
  const { results, end } = createBench(2);
  const first = results.next();
  await end("1", new NetworkError("no answer", true));
  await end("0", new NetworkError("no answer", true));
  expect((await first).value?.map(({ status }) => status)).toEqual(["unknown", "failed"]);
});

describe("after a signal", () => {
  test("nothing is begun, and what is under way can end", async () => {
    const { results, begun, end, interrupt, isReleased } = createBench(2);
    const all = readAll(results);
    await end("0");
    interrupt();
    await end("1");
    await end("2");
    expect(await all).toEqual(["0 done", "1 done", "2 done", ...changes.slice(3).map(({ key }) => `${key} not-reached`)]);
    expect(begun).toEqual(["0", "1", "2"]);
    expect(isReleased()).toBe(true);
  });

  test("what does not end is unknown where it was sent, and comes after what is known", async () => {
    const { results, end, interrupt, giveUp } = createBench(4);
    const all = readAll(results);
    await end("1");
    interrupt();
    await end("3");
    giveUp();
    // 4 was begun after 1 had ended.
    expect(await all).toEqual([
      "1 done",
      "3 done",
      "0 unknown",
      "2 unknown",
      "4 unknown",
      ...changes.slice(5).map(({ key }) => `${key} not-reached`),
    ]);
  });

  test("what has sent no write yet is not tried", async () => {
    const { results, interrupt, giveUp } = createBench(2);
    const all = readAll(results);
    await new Promise(setImmediate);
    interrupt();
    giveUp();
    expect((await all).slice(0, 3)).toEqual(["0 unknown", "1 not-reached", "2 not-reached"]);
  });
});
