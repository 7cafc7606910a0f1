// A clock that jumps: no lock is taken from a living holder, nobody waits for ever, and what was stored in another year is still there.

import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { withLock } from "../../src/lock.ts";
import { createSession } from "../helpers/session.ts";
import { createEndedProcess, createHeldLock, formatOwnerName } from "../lock/owners.ts";

const hour = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), "cal-clock-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ["forward", hour],
  ["back", -hour],
])("a clock that jumps %s an hour while a lock is waited for", (_way, jump) => {
  /** What is on the disk seems to be of another hour. */
  const jumped = (path: string, owner: string) => {
    const then = new Date(statSync(path).mtimeMs - jump);
    for (const one of [path, join(path, owner)]) utimesSync(one, then, then);
  };

  test("leaves it to its running holder", async () => {
    const [path, owner] = [join(folder, `a${jump}`), formatOwnerName(process.ppid)];
    createHeldLock(path, owner);
    let asks = 0;
    const sleep = async () => {
      asks += 1;
      if (asks === 3) jumped(path, owner);
      // The holder gives it back after a while, as most do.
      if (asks === 50) rmSync(path, { recursive: true });
    };
    expect(await withLock(path, { sleep }, () => asks)).toBe(50);
  });

  test("takes it from an ended one at once", async () => {
    const [path, owner] = [join(folder, `b${jump}`), formatOwnerName(await createEndedProcess())];
    createHeldLock(path, owner);
    jumped(path, owner);
    const sleep = () => Promise.reject(new Error("it was waited for"));
    expect(await withLock(path, { sleep }, () => "taken")).toBe("taken");
  });
});

test("settings, the sandbox and its data survive a journey through the years", async () => {
  const shared = { CAL_CONFIG_DIR: join(folder, "config"), CAL_STATE_DIR: join(folder, "state"), CAL_CACHE_DIR: join(folder, "cache") };
  for (const now of [
    "2027-01-15T12:00:00Z",
    "1970-01-01T00:00:00Z",
    "2099-12-31T23:59:59Z",
    "1999-12-31T00:00:00Z",
    "2027-01-15T12:00:01Z",
  ]) {
    const cal = createSession({ env: shared, now });
    const year = now.slice(0, 4);
    const name = `y${year}-${now.slice(17, 19)}`;
    expect(await cal(`tags create --name ${name}`), now).toMatchObject({ code: 0 });
    expect(await cal("events list --limit 2 --json"), now).toMatchObject({ code: 0 });
    expect(await cal(`profile add p${year}${now.slice(17, 19)} --tz UTC`), now).toMatchObject({ code: 0 });
  }
  const cal = createSession({ env: shared });
  const { stdout } = await cal("tags list --include-empty --all --search y --fields name --format tsv --no-header");
  expect(
    stdout
      .split("\n")
      .filter((name) => /^y\d{4}-/.test(name))
      .sort(),
  ).toEqual(["y1970-00", "y1999-00", "y2027-00", "y2027-01", "y2099-59"]);
  const { profiles } = JSON.parse(readFileSync(join(folder, "config", "config.json"), "utf8"));
  expect(Object.keys(profiles).sort()).toEqual(["p197000", "p199900", "p202700", "p202701", "p209959"]);
});
