// A clock that jumps: no lock is taken from a living holder, nobody waits for ever, and what was stored in another year is still there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLock } from "../../src/auth/lock.ts";
import { session } from "../helpers/session.ts";

const hour = 3_600_000;
const times = { beat: 1000, silence: 8000, ask: 40, patience: 60_000 };
const folder = mkdtempSync(join(tmpdir(), "cal-clock-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ["forward", hour],
  ["back", -hour],
])("a clock that jumps %s an hour while a lock is waited for", (_way, jump) => {
  test("leaves it to its living holder", async () => {
    const file = join(folder, `a${jump}.1`);
    writeFileSync(file, "held");
    let now = 0;
    let asks = 0;
    const sleep = async (ms: number) => {
      asks += 1;
      now += asks === 3 ? jump : ms;
      // The holder gives it back after two seconds, as most do.
      if (asks === 50) writeFileSync(file, "free");
    };
    const begun = await createLock(folder, { now: () => now, sleep }, times)(`a${jump}`, async () => asks);
    expect(begun).toBe(50);
  });

  test("takes it from a dead one after the usual time", async () => {
    writeFileSync(join(folder, `b${jump}.1`), "held");
    let now = 0;
    let slept = 0;
    const sleep = async (ms: number) => {
      slept += ms;
      now += slept === 3 * ms ? jump : ms;
    };
    const waited = await createLock(folder, { now: () => now, sleep }, times)(`b${jump}`, async () => slept);
    expect(waited).toBeGreaterThan(times.silence - 100);
    expect(waited).toBeLessThan(times.silence + 1000);
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
    const cal = session({ env: shared, now });
    const year = now.slice(0, 4);
    const name = `y${year}-${now.slice(17, 19)}`;
    expect(await cal(`tags create --name ${name}`), now).toMatchObject({ code: 0 });
    expect(await cal("events list --limit 2 --json"), now).toMatchObject({ code: 0 });
    expect(await cal(`profile add p${year}${now.slice(17, 19)} --tz UTC`), now).toMatchObject({ code: 0 });
  }
  const cal = session({ env: shared });
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
