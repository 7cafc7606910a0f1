// One at a time across processes, also where a holder dies or stands still.
import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createLock } from "../../src/auth/lock.ts";
import { folder, problem, realClock, testClock } from "./kit.ts";

const quick = { beat: 20, silence: 200, ask: 2, patience: 10_000 };

test("those who come at once do their work one after the other", async () => {
  const path = await folder();
  let inside = 0;
  const seen: number[] = [];
  const work = async (): Promise<void> => {
    seen.push(++inside);
    await realClock.sleep(3);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => createLock(path, realClock, quick)("a b/c", work)));
  expect(seen).toEqual(Array(20).fill(1));
  expect((await readdir(path)).length).toBe(1);
});

test("work that fails gives the lock back, and other names do not wait", async () => {
  const lock = createLock(await folder(), realClock, quick);
  await expect(lock("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock("a", () => lock("b", async () => "done"))).toBe("done");
});

test("a lock whose holder shows no life is taken; one that shows life is waited for, then given up", async () => {
  const path = await folder();
  const clock = testClock();
  clock.sleep = async (ms) => clock.move(ms);
  await writeFile(join(path, "a.7"), "held");
  const lock = createLock(path, clock, { beat: 1000, silence: 8000, ask: 40, patience: 60_000 });
  const start = clock.now();
  expect(await lock("a", async () => clock.now() - start)).toBeGreaterThan(8000);
  let life = 0;
  clock.sleep = async (ms) => {
    clock.move(ms);
    await writeFile(join(path, "b.1"), `alive ${++life}`);
  };
  await writeFile(join(path, "b.1"), "held");
  expect(await problem(lock("b", async () => "never"))).toMatchObject({ kind: "unavailable", message: expect.stringContaining("b.1") });
});

test("a process that is killed while it holds the lock does not stop the others", async () => {
  const path = await folder();
  const program = join(path, "holder.mjs");
  const source = `import { createLock } from ${JSON.stringify(new URL("../../src/auth/lock.ts", import.meta.url).pathname)};
    const clock = { now: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) };
    await createLock(process.argv[2], clock, ${JSON.stringify(quick)})("a", () => { console.log("held"); return clock.sleep(60000); });`;
  await build({
    stdin: { contents: source, resolveDir: path, loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const holder = spawn("node", [program, join(path, "locks")], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  const order: string[] = [];
  const waiting = createLock(join(path, "locks"), realClock, quick)("a", async () => void order.push("taken"));
  await realClock.sleep(quick.silence * 2);
  order.push("killed");
  holder.kill("SIGKILL");
  await waiting;
  expect(order).toEqual(["killed", "taken"]);
  expect(await readFile(join(path, "locks", "a.2"), "utf8")).toBe("free");
});
