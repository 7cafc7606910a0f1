// What is written in one go can't be interrupted by a signal: at no turn of the event loop is anything there but the file itself.
// A process that is killed, or a machine that loses its power, may leave a temporary file: the next writer removes it.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { writePrivateFile } from "../../src/auth/credential-file.ts";
import { withLock } from "../../src/lock.ts";
import { createSession } from "../helpers/session.ts";

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

test("a file of secrets has no temporary file that a signal could leave", async () => {
  expect(await seenDuring(writePrivateFile(join(folder, "logins.json"), "{}".repeat(100_000)))).toEqual(["logins.json"]);
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

test("a temporary file of secrets that a killed process left goes with the next write; other files stay", async () => {
  const state = join(folder, "state");
  mkdirSync(state);
  const others = [".logins.json.0123456789abcdef", ".logins.json.01234567890g", ".other.json.0123456789ab", "logins.json.0123456789ab"];
  for (const name of [".logins.json.0123456789ab", ...others]) writeFileSync(join(state, name), "left");
  await writePrivateFile(join(state, "logins.json"), "{}");
  expect(readdirSync(state)).toEqual([...others, "logins.json"].sort());
});

describe("the cache of completion", () => {
  const cal = createSession();
  const cache = join(cal.folder, "cache", "completion");
  const day = 86_400;

  /** What is in the cache after a list, with files that were left there so many seconds before. */
  async function after(left: Readonly<Record<string, number>>): Promise<readonly string[]> {
    await cal("tags list");
    const [own = ""] = readdirSync(cache);
    const now = statSync(join(cache, own)).mtimeMs / 1000;
    for (const [name, age] of Object.entries(left)) {
      const path = join(cache, name.replace("{own}", own));
      writeFileSync(path, "left");
      utimesSync(path, now - age, now - age);
    }
    await cal("tags list --include-empty");
    return readdirSync(cache)
      .map((name) => name.replace(own, "{own}"))
      .sort();
  }

  test("a temporary file that is over a day old goes with the next write; a younger one may be another process's, and other files stay", async () => {
    const gone = { ".{own}.0123456789ab": day + 60, ".events-0123456789abcdef.json.0123456789ab": 30 * day };
    const stays = {
      ".{own}.0123456789ac": day - 3600,
      "{own}.bak": 9 * day,
      "notes.json.4713": 9 * day,
      "venues-0123456789abcdef.json": 9 * day,
    };
    expect(await after({ ...gone, ...stays })).toEqual(["{own}", ...Object.keys(stays)].sort());
  });
});
