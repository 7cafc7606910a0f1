// A disk without a byte left: what was stored stays as it was, and the message names the file. The disk is a small tmpfs.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createFileSecretStore, createLock } from "../../src/auth/credential-file.ts";
import { codeOf } from "../../src/errors.ts";
import { createSession } from "../helpers/session.ts";
import { fetchApiJson, startTestSandbox } from "../sandbox/client.ts";

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

/** Leaves no room for a single page more, or for so many. */
function fill(pages = 0): void {
  let number = 0;
  try {
    for (; ; number += 1) writeFileSync(join(disk, `filler-${number}`), Buffer.alloc(4096));
  } catch (error) {
    expect(codeOf(error)).toBe("ENOSPC");
  }
  // The last one is there, and empty.
  for (let page = 1; page <= pages; page += 1) rmSync(join(disk, `filler-${number - page}`));
}

function empty(): void {
  for (const name of readdirSync(disk)) if (name.startsWith("filler-")) rmSync(join(disk, name));
}

const diskFullMessage = /^cal: .*sandbox\.ndjson.*the disk is full.*\nhint: .*CAL_STATE_DIR/;
const moreThanAPage = "x".repeat(5000);
const clock = { now: () => 0, sleep: async (ms: number) => sleep(ms) };

describe.skipIf(!mounted)("a full disk", () => {
  beforeEach(empty);

  test("config set: the old settings stay", async () => {
    const cal = createSession({ env: { CAL_CONFIG_DIR: join(disk, "config"), CAL_SANDBOX: "0" } });
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
    const store = createFileSecretStore(join(disk, "state"), createLock(join(disk, "state", "locks"), clock));
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

  test("the journal: one record is changed without it, with a warning, and nothing of it stays", async () => {
    const sandbox = await startTestSandbox();
    const state = join(disk, "journaled");
    const env = { CAL_SANDBOX: "0", CAL_BASE_URL: sandbox.baseUrl, CAL_TOKEN: sandbox.token, CAL_STATE_DIR: state };
    mkdirSync(join(state, "journal"), { recursive: true });
    fill();
    const { stderr, code } = await createSession({ env })("tags create --name unjournaled --field name");
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining("not journaled, can't be undone: ENOSPC"), code: 0 });
    expect(readdirSync(join(state, "journal"))).toEqual([]);
  });

  test("the sandbox's data: what was written stays, and what was not is reported", async () => {
    const state = join(disk, "sandbox");
    const cal = createSession({ env: { CAL_STATE_DIR: state, CAL_JOURNAL: "0" } });
    expect(await cal("tags create --name kept")).toMatchObject({ code: 0 });
    fill();
    // Each needs more room than there may be in the last page of the file; that venue has many events, which lose it.
    for (const line of [
      `tags create --name lost --description ${moreThanAPage}`,
      `tags update kept --name lost --description ${moreThanAPage}`,
      "venues delete blue-note-cellar --yes",
    ]) {
      const { stdout, stderr, code } = await cal(line);
      expect({ line, stdout, stderr, code }).toEqual({ line, stdout: "", stderr: expect.stringMatching(diskFullMessage), code: 10 });
    }
    expect(await cal("tags get kept --field name")).toMatchObject({ stdout: "kept\n", code: 0 });
    expect(await cal("venues get blue-note-cellar --field id")).toMatchObject({ stdout: "21\n", code: 0 });
    empty();
    expect(await cal("tags list --include-empty --all --field name")).toMatchObject({ stdout: expect.stringMatching(/^kept$/m), code: 0 });
    expect(await cal("tags get lost")).toMatchObject({ code: 3 });
    expect(readdirSync(state)).toEqual(["sandbox.ndjson"]);
  });

  test("the sandbox's data on a disk that fills while it is written: all of it is stored, or nothing and that is reported", async () => {
    const state = join(disk, "growing");
    const cal = createSession({ env: { CAL_STATE_DIR: state, CAL_JOURNAL: "0" } });
    expect(await cal("tags create --name first")).toMatchObject({ code: 0 });
    const stored = ["first"];
    const size = Math.ceil(statSync(join(state, "sandbox.ndjson")).size / 4096);
    const codes = new Set<number>();
    for (const pages of [1, 2, 3, 4, size - 1, size, size + 1, size + 2, size + 8]) {
      fill(pages);
      const { stderr, code } = await cal(`tags create --name t${pages} --description ${"x".repeat(12_000)}`);
      codes.add(code);
      if (code === 0) stored.push(`t${pages}`);
      else expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(diskFullMessage), code: 10 });
      empty();
      expect(readdirSync(state)).toEqual(["sandbox.ndjson"]);
    }
    expect([...codes].sort()).toEqual([0, 10]);
    const { stdout } = await cal("tags list --include-empty --all --fields name --format tsv --no-header --search t");
    expect(
      stdout
        .split("\n")
        .filter((name) => /^(?:first|t\d+)$/.test(name))
        .sort(),
    ).toEqual(stored.sort());
  });

  test("a sandbox that serves says why with 507, and serves on", async () => {
    const sandbox = await startTestSandbox({ file: join(disk, "served", "data.ndjson") });
    fill();
    expect(await fetchApiJson(sandbox, "tags", { json: { name: "lost", description: moreThanAPage } })).toMatchObject({
      status: 507,
      body: { code: "sandbox_unavailable", message: expect.stringMatching(/data\.ndjson.*the disk is full/), data: { status: 507 } },
    });
    expect(await fetchApiJson(sandbox, "tags?per_page=1")).toMatchObject({ status: 200 });
    empty();
    expect(await fetchApiJson(sandbox, "tags", { json: { name: "kept" } })).toMatchObject({ status: 201 });
    expect(await fetchApiJson(sandbox, "tags?search=lost&hide_empty=0")).toMatchObject({ body: { tags: [] } });
  });

  test("a sandbox whose data file has no room to be compacted writes on, and compacts it later", async () => {
    const file = join(disk, "compacted", "data.ndjson");
    const sandbox = await startTestSandbox({ file });
    const update = () => fetchApiJson(sandbox, "tags/12", { method: "PATCH", json: { description: "x".repeat(12_000) } });
    fill(64);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 507) statuses.push((await update()).status);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect(statSync(file).size).toBeGreaterThan(262_144);
    expect(readdirSync(join(disk, "compacted"))).toEqual(["data.ndjson"]);
    empty();
    expect((await update()).status).toBe(200);
    expect(statSync(file).size).toBeLessThan(100_000);
  });

  test("a new sandbox: nothing half is left", async () => {
    const cal = createSession({ env: { CAL_STATE_DIR: join(disk, "fresh") } });
    mkdirSync(join(disk, "fresh"));
    fill();
    expect(await cal("events list")).toMatchObject({ stdout: "", stderr: expect.stringContaining("sandbox.ndjson"), code: 10 });
    empty();
    expect(await cal("events list --all-dates --all --format count")).toMatchObject({ stdout: expect.stringMatching(/^\d+\n$/), code: 0 });
    expect(readdirSync(join(disk, "fresh"))).toEqual(["sandbox.ndjson"]);
  });

  test("the cache: no message", async () => {
    const cal = createSession({ env: { CAL_CACHE_DIR: join(disk, "cache") } });
    fill();
    expect(await cal("events list --limit 1 -q")).toMatchObject({ stderr: "", code: 0 });
    // A file can be made, and nothing be written into it.
    expect(readdirSync(join(disk, "cache", "completion"))).toEqual([]);
  });
});
