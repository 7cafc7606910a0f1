// What is written in one go can't be interrupted by a signal: at no turn of the event loop is anything there but the file itself.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { writePrivate } from "../../src/auth/vault/private-file.ts";
import { withLock } from "../../src/lock/lock.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-drafts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every name that is seen in a folder at any turn while the work goes on. */
async function seenDuring(work: Promise<unknown>): Promise<readonly string[]> {
  const seen = new Set<string>();
  let isOver = false;
  const watch = () => {
    if (isOver) return;
    for (const name of readdirSync(folder)) seen.add(name);
    setImmediate(watch);
  };
  watch();
  await work;
  isOver = true;
  for (const name of readdirSync(folder)) {
    seen.add(name);
    rmSync(join(folder, name), { recursive: true });
  }
  return [...seen];
}

test("a file of secrets has no draft that a signal could leave", async () => {
  expect(await seenDuring(writePrivate(join(folder, "logins.json"), "{}".repeat(100_000)))).toEqual(["logins.json"]);
});

test("a lock has nothing beside it, and a signal takes it away", async () => {
  const acts: (() => void)[] = [];
  const waiting = { sleep: async (ms: number) => sleep(ms), atSignal: (act: () => void) => acts.push(act) };
  let after: readonly string[] = [];
  const work = async () => {
    await sleep(5);
    for (const act of acts) act();
    after = readdirSync(folder);
  };
  expect(await seenDuring(withLock(join(folder, "config.json.lock"), waiting, work))).toEqual(["config.json.lock"]);
  expect(after).toEqual([]);
});
