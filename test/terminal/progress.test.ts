// Progress on a terminal, byte by byte: what is drawn when, and that nothing of it stays.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showsProgress } from "../../src/terminal/progress.ts";
import { progressText } from "../../src/terminal/progress-text.ts";
import { desk, screen } from "./progress-terminal.ts";

const clear = "\r\u001b[K";

describe("a spinner", () => {
  test("comes after half a second, turns, and goes", () => {
    const { progress, seen, wait, ticking } = desk();
    const task = progress.task("waiting for example.com");
    wait(400);
    expect(seen()).toBe("");
    wait(200);
    expect(seen()).toBe(`${clear}/ waiting for example.com, 0 s${clear}- waiting for example.com, 0 s`);
    wait(400);
    expect(screen(seen())).toEqual(["- waiting for example.com, 1 s"]);
    task.done();
    expect(seen()).toBe(clear);
    expect(ticking()).toBe(false);
  });

  test("never comes for what is quick, and writes nothing then", async () => {
    const { progress, seen, io, wait } = desk();
    await progress.during("a request", async () => wait(300));
    await io.stdout.write("data\n");
    expect(seen()).toBe("data\n");
  });

  test("goes when its work fails", async () => {
    const { progress, seen, wait } = desk();
    const work = async () => {
      wait(600);
      throw new Error("lost");
    };
    await expect(progress.during("a request", work)).rejects.toThrow("lost");
    expect(screen(seen())).toEqual([""]);
  });

  test("stays for the second of two requests when the first has ended", () => {
    const { progress, seen, wait } = desk();
    const first = progress.task("first");
    progress.task("second");
    wait(600);
    first.done();
    wait(100);
    expect(screen(seen())).toEqual(["\\ second, 0 s"]);
  });
});

describe("a bar", () => {
  test("has count, rate and time left, and is told before the request that is under way for it", () => {
    const { progress, seen, wait } = desk();
    const many = progress.task("events");
    progress.task("waiting for example.com");
    many.step(50, 300);
    wait(1000);
    expect(screen(seen())).toEqual(["- events [###.................] 50 of 300, 50/s, 5 s left"]);
    many.step(250, 300);
    wait(1000);
    expect(screen(seen())).toEqual(["| events [####################] 300 of 300, 150/s, 0 s left"]);
    many.done();
    many.step(1);
    wait(100);
    expect(screen(seen())).toEqual(["/ waiting for example.com, 2 s"]);
  });

  test("counts the items that come by, and ends when nobody wants more of them", async () => {
    const { progress, seen, wait, ticking } = desk();
    const items = async function* () {
      yield* ["a", "b", "c"];
    };
    const read: string[] = [];
    for await (const item of progress.counted("records", items(), () => [1])) {
      read.push(item);
      wait(1000);
      if (item === "b") break;
    }
    expect(read).toEqual(["a", "b"]);
    expect(seen()).toContain(" records 2, 1.0/s");
    expect(ticking()).toBe(false);
  });
});

describe("nothing mixes with it", () => {
  test("a line on stderr or stdout takes its place, and it comes back below", async () => {
    const { progress, io, seen, wait } = desk();
    progress.task("a request");
    wait(500);
    await io.stderr.write("warning: slow\n");
    expect(seen()).toBe(`${clear}/ a request, 0 s${clear}warning: slow\n`);
    await io.stdout.write("data\n");
    expect(seen()).toBe("data\n");
    wait(100);
    expect(seen()).toBe(`${clear}- a request, 0 s`);
  });

  test("an unfinished line is not drawn over", async () => {
    const { progress, io, seen, wait } = desk();
    progress.task("a request");
    await io.stdout.write("[\n  1");
    wait(1000);
    await io.stdout.write(",\n  2\n]\n");
    expect(seen()).toBe("[\n  1,\n  2\n]\n");
    wait(100);
    expect(seen()).toBe(`${clear}\\ a request, 1 s`);
  });

  test("a question has the terminal for itself", async () => {
    const { progress, hold, seen, wait } = desk();
    progress.task("a request");
    wait(500);
    seen();
    const answer = hold(async () => {
      wait(1000);
      return "yes";
    });
    expect(seen()).toBe(clear);
    expect(await answer).toBe("yes");
    wait(100);
    expect(seen()).not.toBe("");
  });

  test("whoever reads a pipe may be a pager: from the first data on nothing is drawn", async () => {
    const { progress, io, seen, wait } = desk({ stdout: "pipe" });
    progress.task("events");
    wait(500);
    await io.stdout.write("a record\n");
    wait(1000);
    expect(seen()).toBe(`${clear}/ events, 0 s${clear}`);
  });

  test("data that goes to a file does not end it", async () => {
    const { progress, io, seen, wait } = desk({ stdout: "file" });
    progress.task("events");
    await io.stdout.write("a record\n");
    wait(500);
    expect(seen()).toBe(`${clear}/ events, 0 s`);
  });

  test("after the end nothing is drawn, whatever still runs", () => {
    const { progress, end, seen, wait, ticking } = desk();
    const task = progress.task("a request");
    wait(500);
    end();
    expect(screen(seen())).toEqual([""]);
    wait(1000);
    task.done();
    expect([seen(), ticking()]).toEqual(["", false]);
  });

  test("whatever happens in whatever order, the terminal ends up with what was written, and nothing else", async () => {
    const acts = fc.array(
      fc.oneof(fc.constantFrom("begin", "step", "done"), fc.integer({ min: 1, max: 9 }), fc.constantFrom("one\n", "two", "\n", "")),
    );
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const { progress, io, seen, wait, end } = desk();
        const tasks: { step(by: number): void; done(): void }[] = [];
        let written = "";
        for (const act of list) {
          if (act === "begin") tasks.push(progress.task("work"));
          else if (act === "step") tasks.at(-1)?.step(1);
          else if (act === "done") tasks.pop()?.done();
          else if (typeof act === "number") wait(act * 100);
          else {
            written += act;
            await (act === "one\n" ? io.stderr : io.stdout).write(act);
          }
        }
        end();
        expect(screen(seen())).toEqual(screen(written));
      }),
    );
  });
});

test("a line that a narrower window has broken in three is gone whole, and drawn anew in one", () => {
  const { progress, seen, wait, resize } = desk();
  const task = progress.task("waiting for a-rather-long-name.example.com");
  wait(600);
  expect(screen(seen())).toEqual(["- waiting for a-rather-long-name.example.com, 0 s"]);
  resize(20);
  wait(100);
  expect(seen()).toBe("\r\u001b[2A\u001b[J\\ waiting for a-rat");
  task.done();
  expect(seen()).toBe(clear);
});

test("where it is not shown the streams are as they were", async () => {
  const { progress, io, hold, seen, wait } = desk({ shown: false });
  const task = progress.task("a request");
  wait(1000);
  task.step(1, 2);
  await io.stderr.write("text");
  expect([seen(), await hold(async () => 1)]).toEqual(["text", 1]);
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
  expect(showsProgress(isTTY, env, quiet)).toBe(shown);
});

test("a line is always narrower than the terminal", () => {
  const standing = fc.record({ label: fc.string(), since: fc.nat(), count: fc.nat(), total: fc.option(fc.nat(), { nil: undefined }) });
  fc.assert(
    fc.property(standing, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 200 }), (one, now, tick, columns) => {
      expect(progressText(one, now, tick, columns).length).toBeLessThan(columns);
    }),
  );
});

test.for([
  [0, 0, undefined, "| work, 1 s"],
  [0, 5, 3, "| work 5, 5.0/s"],
  [0, 1, 1000, "| work [....................] 1 of 1000, 1.0/s, 17 min left"],
] as const)("%j", ([tick, count, total, wanted]) => {
  expect(progressText({ label: "work", since: 0, count, total }, 1000, tick, 80)).toBe(wanted);
});
