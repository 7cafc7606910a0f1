// A disk without a byte left: what was stored stays as it was, and the message names the file. The disk is a small tmpfs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createLock } from "../../src/auth/lock.ts";
import { createSecretFile } from "../../src/auth/secret-file.ts";
import { codeOf } from "../../src/errors.ts";
import { session } from "../helpers/session.ts";

const disk = mkdtempSync(join(tmpdir(), "cal-disk-"));
const mounted = mount();
if (!mounted) {
  console.warn("full-disk tests are skipped: they need the right to mount a tmpfs (run them as root)");
  rmSync(disk, { recursive: true });
}

function mount(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true });
});

/** Leaves no room for a single page more. */
function fill(): void {
  try {
    for (let number = 0; ; number += 1) writeFileSync(join(disk, `filler-${number}`), Buffer.alloc(4096));
  } catch (error) {
    expect(codeOf(error)).toBe("ENOSPC");
  }
}

function empty(): void {
  for (const name of readdirSync(disk)) if (name.startsWith("filler-")) rmSync(join(disk, name));
}

const clock = { now: () => 0, sleep: async (ms: number) => sleep(ms) };

describe.skipIf(!mounted)("a full disk", () => {
  beforeEach(empty);

  test("config set: the old settings stay", async () => {
    const cal = session({ env: { CAL_CONFIG_DIR: join(disk, "config"), CAL_SANDBOX: "0" } });
    await cal("profile add work --tz Europe/Oslo");
    const file = join(disk, "config", "config.json");
    const before = readFileSync(file, "utf8");
    fill();
    const long = `https://example.test/${"x".repeat(9000)}`;
    for (const line of ["config set tz UTC", `config set base_url ${long}`, "profile add other", "profile remove work --yes"]) {
      const { stdout, stderr, code } = await cal(line);
      expect({ stdout, stderr, code }).toEqual({ stdout: "", stderr: expect.stringMatching(/config\.json: .*ENOSPC/), code: 10 });
      expect({ text: readFileSync(file, "utf8"), left: readdirSync(join(disk, "config")) }).toEqual({
        text: before,
        left: ["config.json"],
      });
    }
    empty();
    expect(await cal("config set tz UTC")).toMatchObject({ code: 0 });
  });

  test("secrets in a file: the old ones stay", async () => {
    const store = createSecretFile(join(disk, "state"), createLock(join(disk, "state", "locks"), clock));
    await store.write([["a", "old"]]);
    fill();
    await expect(
      store.write([
        ["a", "new"],
        ["b", "x".repeat(9000)],
      ]),
    ).rejects.toMatchObject({ kind: "local", message: expect.stringContaining("ENOSPC") });
    expect(Object.fromEntries(await store.read(["a", "b"]))).toEqual({ a: "old" });
    empty();
    await store.write([["a", "new"]]);
    expect(Object.fromEntries(await store.read(["a"]))).toEqual({ a: "new" });
    expect(readdirSync(join(disk, "state")).sort()).toEqual(["credentials.json", "locks"]);
  });

  test("the sandbox's data: what was written stays, and what was not is told", async () => {
    const state = join(disk, "sandbox");
    const cal = session({ env: { CAL_STATE_DIR: state } });
    expect(await cal("tags create --name kept")).toMatchObject({ code: 0 });
    fill();
    const { stdout, stderr, code } = await cal("tags create --name lost");
    expect({ stdout, stderr, code }).toEqual({ stdout: "", stderr: expect.stringMatching(/sandbox\.sqlite/), code: 10 });
    empty();
    expect(await cal("tags list --include-empty --all --field name")).toMatchObject({ stdout: expect.stringMatching(/^kept$/m), code: 0 });
    expect(await cal("tags get lost")).toMatchObject({ code: 3 });
    expect(readdirSync(state)).toEqual(["sandbox.sqlite"]);
  });

  test("a new sandbox: nothing half is left", async () => {
    const cal = session({ env: { CAL_STATE_DIR: join(disk, "fresh") } });
    mkdirSync(join(disk, "fresh"));
    fill();
    expect(await cal("events list")).toMatchObject({ stdout: "", stderr: expect.stringContaining("sandbox.sqlite"), code: 10 });
    empty();
    expect(await cal("events list --all-dates --all --format count")).toMatchObject({ stdout: expect.stringMatching(/^\d+\n$/), code: 0 });
    expect(readdirSync(join(disk, "fresh"))).toEqual(["sandbox.sqlite"]);
  });

  test("the cache: nobody hears of it", async () => {
    const cal = session({ env: { CAL_CACHE_DIR: join(disk, "cache") } });
    fill();
    expect(await cal("events list --limit 1 -q")).toMatchObject({ stderr: "", code: 0 });
  });
});
