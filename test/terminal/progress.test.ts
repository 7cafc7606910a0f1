// Progress on a terminal, byte by byte: what is drawn when, and that nothing of it stays.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatProgress, shouldShowProgress } from "../../src/terminal/progress.ts";
import { createTestTerminal, renderScreen } from "./progress-terminal.ts";

const clear = "\r\u001b[K";

describe("a spinner", () => {
  test("comes after half a second, turns, and goes", () => {
    const { progress, takeOutput, advance, isTimerActive } = createTestTerminal();
    const task = progress.startTask("waiting for example.com");
    advance(400);
    expect(takeOutput()).toBe("");
    advance(200);
    expect(takeOutput()).toBe(`${clear}/ waiting for example.com, 0 s${clear}- waiting for example.com, 0 s`);
    advance(400);
    expect(renderScreen(takeOutput())).toEqual(["- waiting for example.com, 1 s"]);
    task.done();
    expect(takeOutput()).toBe(clear);
    expect(isTimerActive()).toBe(false);
  });

  test("never comes for what is quick, and writes nothing then", async () => {
    const { progress, takeOutput, io, advance } = createTestTerminal();
    await progress.trackWork("a request", async () => advance(300));
    await io.stdout.write("data\n");
    expect(takeOutput()).toBe("data\n");
  });

  test("goes when its work fails", async () => {
    const { progress, takeOutput, advance } = createTestTerminal();
    const work = async () => {
      advance(600);
      throw new Error("lost");
    };
    await expect(progress.trackWork("a request", work)).rejects.toThrow("lost");
    expect(renderScreen(takeOutput())).toEqual([""]);
  });

  test("stays for the second of two requests when the first has ended", () => {
    const { progress, takeOutput, advance } = createTestTerminal();
    const first = progress.startTask("first");
    progress.startTask("second");
    advance(600);
    first.done();
    advance(100);
    expect(renderScreen(takeOutput())).toEqual(["\\ second, 0 s"]);
  });
});

describe("a bar", () => {
  test("has count, rate and time left, and comes before the request that it waits for", () => {
    const { progress, takeOutput, advance } = createTestTerminal();
    const many = progress.startTask("events");
    progress.startTask("waiting for example.com");
    many.step(50, 300);
    advance(1000);
    expect(renderScreen(takeOutput())).toEqual(["- events [###.................] 50 of 300, 50/s, 5 s left"]);
    many.step(250, 300);
    advance(1000);
    expect(renderScreen(takeOutput())).toEqual(["| events [####################] 300 of 300, 150/s, 0 s left"]);
    many.done();
    many.step(1);
    advance(100);
    expect(renderScreen(takeOutput())).toEqual(["/ waiting for example.com, 2 s"]);
  });

  test("counts the items that are read, and ends when the caller reads no more", async () => {
    const { progress, takeOutput, advance, isTimerActive } = createTestTerminal();
    const items = async function* () {
      yield* ["a", "b", "c"];
    };
    const read: string[] = [];
    for await (const item of progress.trackItems("records", items(), () => [1])) {
      read.push(item);
      advance(1000);
      if (item === "b") break;
    }
    expect(read).toEqual(["a", "b"]);
    expect(takeOutput()).toContain(" records 2, 1.0/s");
    expect(isTimerActive()).toBe(false);
  });
});

describe("nothing mixes with it", () => {
  test("a line on stderr or stdout takes its place, and it comes back below", async () => {
    const { progress, io, takeOutput, advance } = createTestTerminal();
    progress.startTask("a request");
    advance(500);
    await io.stderr.write("warning: slow\n");
    expect(takeOutput()).toBe(`${clear}/ a request, 0 s${clear}warning: slow\n`);
    await io.stdout.write("data\n");
    expect(takeOutput()).toBe("data\n");
    advance(100);
    expect(takeOutput()).toBe(`${clear}- a request, 0 s`);
  });

  test("an unfinished line is not drawn over", async () => {
    const { progress, io, takeOutput, advance } = createTestTerminal();
    progress.startTask("a request");
    await io.stdout.write("[\n  1");
    advance(1000);
    await io.stdout.write(",\n  2\n]\n");
    expect(takeOutput()).toBe("[\n  1,\n  2\n]\n");
    advance(100);
    expect(takeOutput()).toBe(`${clear}\\ a request, 1 s`);
  });

  test("a question has the terminal for itself", async () => {
    const { progress, suspendDuring, takeOutput, advance } = createTestTerminal();
    progress.startTask("a request");
    advance(500);
    takeOutput();
    const answer = suspendDuring(async () => {
      advance(1000);
      return "yes";
    });
    expect(takeOutput()).toBe(clear);
    expect(await answer).toBe("yes");
    advance(100);
    expect(takeOutput()).not.toBe("");
  });

  test("the reader of a pipe may be a pager: from the first data on nothing is drawn", async () => {
    const { progress, io, takeOutput, advance } = createTestTerminal({ stdout: "pipe" });
    progress.startTask("events");
    advance(500);
    await io.stdout.write("a record\n");
    advance(1000);
    expect(takeOutput()).toBe(`${clear}/ events, 0 s${clear}`);
  });

  test("data that goes to a file does not end it", async () => {
    const { progress, io, takeOutput, advance } = createTestTerminal({ stdout: "file" });
    progress.startTask("events");
    await io.stdout.write("a record\n");
    advance(500);
    expect(takeOutput()).toBe(`${clear}/ events, 0 s`);
  });

  test("after the end nothing is drawn, whatever still runs", () => {
    const { progress, end, takeOutput, advance, isTimerActive } = createTestTerminal();
    const task = progress.startTask("a request");
    advance(500);
    end();
    expect(renderScreen(takeOutput())).toEqual([""]);
    advance(1000);
    task.done();
    expect([takeOutput(), isTimerActive()]).toEqual(["", false]);
  });

  test("whatever happens in whatever order, the terminal ends up with what was written, and nothing else", async () => {
    const acts = fc.array(
      fc.oneof(fc.constantFrom("begin", "step", "done"), fc.integer({ min: 1, max: 9 }), fc.constantFrom("one\n", "two", "\n", "")),
    );
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const { progress, io, takeOutput, advance, end } = createTestTerminal();
        const tasks: { step(by: number): void; done(): void }[] = [];
        let written = "";
        for (const act of list) {
          if (act === "begin") tasks.push(progress.startTask("work"));
          else if (act === "step") tasks.at(-1)?.step(1);
          else if (act === "done") tasks.pop()?.done();
          else if (typeof act === "number") advance(act * 100);
          else {
            written += act;
            await (act === "one\n" ? io.stderr : io.stdout).write(act);
          }
        }
        end();
        expect(renderScreen(takeOutput())).toEqual(renderScreen(written));
      }),
    );
  });
});

test("a line that a narrower window has broken in three is cleared completely, and drawn again in one", () => {
  const { progress, takeOutput, advance, resize } = createTestTerminal();
  const task = progress.startTask("waiting for a-rather-long-name.example.com");
  advance(600);
  expect(renderScreen(takeOutput())).toEqual(["- waiting for a-rather-long-name.example.com, 0 s"]);
  resize(20);
  advance(100);
  expect(takeOutput()).toBe("\r\u001b[2A\u001b[J\\ waiting for a-rat");
  task.done();
  expect(takeOutput()).toBe(clear);
});

test("where it is not shown the streams are as they were", async () => {
  const { progress, io, suspendDuring, takeOutput, advance } = createTestTerminal({ shown: false });
  const task = progress.startTask("a request");
  advance(1000);
  task.step(1, 2);
  await io.stderr.write("text");
  expect([takeOutput(), await suspendDuring(async () => 1)]).toEqual(["text", 1]);
});

test.for([
  [true, {}, false, true],
  [true, { TERM: "xterm", CI: "false" }, false, true],
  [true, { CI: "" }, false, true],
  [false, {}, false, false],
  [true, {}, true, false],
  [true, { TERM: "dumb" }, false, false],
  [true, { CI: "true" }, false, false],
  [true, { CI: "1" }, false, false],
] as const)("shown on a terminal %s with %j and --quiet %s: %s", ([isTTY, env, quiet, shown]) => {
  expect(shouldShowProgress(isTTY, env, quiet)).toBe(shown);
});

test("a line is always narrower than the terminal", () => {
  const standing = fc.record({
    label: fc.string(),
    startedAt: fc.nat(),
    count: fc.nat(),
    failed: fc.nat(),
    total: fc.option(fc.nat(), { nil: undefined }),
  });
  fc.assert(
    fc.property(standing, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 200 }), (one, now, tick, columns) => {
      expect(formatProgress(one, now, tick, columns).length).toBeLessThan(columns);
    }),
  );
});

test.for([
  [0, 0, 0, undefined, "| work, 1 s"],
  [0, 5, 0, 3, "| work 5, 5.0/s"],
  [0, 5, 2, undefined, "| work 5, 2 failed, 5.0/s"],
  [0, 1, 0, 1000, "| work [....................] 1 of 1000, 1.0/s, 17 min left"],
  [0, 120, 3, 300, "| work [########............] 120 of 300, 3 failed, 120/s, 2 s left"],
] as const)("%j", ([tick, count, failed, total, wanted]) => {
  expect(formatProgress({ label: "work", startedAt: 0, count, failed, total }, 1000, tick, 80)).toBe(wanted);
});
