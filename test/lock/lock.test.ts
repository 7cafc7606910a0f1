// The lock within one process: waiting, stale owners, and files that remain.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type LockOptions, withLock } from "../../src/lock.ts";
import { createEndedProcess, createHeldLock, createTempFolder, formatOwnerName, machineName } from "./owners.ts";

const real: LockOptions = { sleep: async (ms) => sleep(ms) };
const withoutWaiting: LockOptions = { sleep: () => Promise.reject(new Error("it was waited for")) };

/** A sleep that takes no time and adds up the requested delays. */
function counted(): LockOptions & { waited: number } {
  const self = {
    waited: 0,
    sleep: async (ms: number) => {
      self.waited += ms;
    },
  };
  return self;
}

/** The start of a process from /proc, in ticks since boot. */
function startOf(pid: number): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return `${boot}-${readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19]}`;
}

test("several that want the lock at once do their work one after the other, and leave nothing", async () => {
  const path = createTempFolder();
  let inside = 0;
  const seen: number[] = [];
  const work = async () => {
    seen.push(++inside);
    await sleep(3);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(join(path, "a"), real, work)));
  expect(seen).toEqual(Array(20).fill(1));
  expect(readdirSync(path)).toEqual([]);
});

test("work that fails gives the lock back, and other locks do not wait", async () => {
  const path = createTempFolder();
  await expect(withLock(join(path, "a"), real, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const nested = () => withLock(join(path, "b"), withoutWaiting, () => "done");
  expect(await withLock(join(path, "a"), withoutWaiting, nested)).toBe("done");
  expect(readdirSync(path)).toEqual([]);
});

test("a lock that this process holds is waited for, not broken", async () => {
  const path = join(createTempFolder(), "line");
  const order: string[] = [];
  let second: Promise<unknown> | undefined;
  await withLock(path, real, () => {
    second = withLock(path, real, () => order.push("second"));
    order.push("first");
  });
  await withLock(path, real, () => order.push("third"));
  await second;
  expect({ first: order[0], all: order.length }).toEqual({ first: "first", all: 3 });
});

test("the lock of an ended owner is taken at once: an ended process, an earlier one of our own number, a desktop, nobody", async () => {
  const path = join(createTempFolder(), "a");
  for (const owner of [formatOwnerName(await createEndedProcess()), formatOwnerName(process.pid), ".DS_Store", undefined]) {
    mkdirSync(path);
    if (owner !== undefined) createHeldLock(path, owner);
    expect(await withLock(path, withoutWaiting, () => readdirSync(path).length)).toBe(1);
    expect(existsSync(path)).toBe(false);
  }
});

test.runIf(process.platform === "linux")(
  "a number that another process has by now proves no life; the start of the process does",
  async () => {
    const path = join(createTempFolder(), "a");
    createHeldLock(path, formatOwnerName(process.ppid, { started: "00000000-1" }));
    expect(await withLock(path, withoutWaiting, () => "taken")).toBe("taken");
    createHeldLock(path, formatOwnerName(process.ppid, { started: startOf(process.ppid) }));
    await expect(withLock(path, counted(), () => "never")).rejects.toMatchObject({ kind: "local" });
  },
);

test.runIf(process.platform === "linux")(
  "a process that has ended, and whose parent has not read its exit status, holds nothing",
  async () => {
    const path = join(createTempFolder(), "a");
    // What the shell becomes knows nothing of the child.
    const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"]);
    const [number] = await once(parent.stdout, "data");
    const owner = formatOwnerName(Number(number), { started: startOf(Number(number)) });
    await expect.poll(() => readFileSync(`/proc/${Number(number)}/stat`, "utf8").split(") ")[1]?.[0], { timeout: 10_000 }).toBe("Z");
    createHeldLock(path, owner);
    expect(await withLock(path, withoutWaiting, () => "taken")).toBe("taken");
    parent.kill();
  },
);

test("a running owner is waited for; the error at the end names it, and its lock stays", async () => {
  const path = join(createTempFolder(), "a");
  for (const [owner, reported] of [
    [formatOwnerName(process.ppid), `process ${process.ppid} on ${machineName} holds ${path}`],
    [formatOwnerName(4711, { machine: "elsewhere" }), `process 4711 on elsewhere holds ${path}`],
  ] as const) {
    createHeldLock(path, owner);
    const usual = counted();
    const waiting = withLock(path, usual, () => "never");
    await expect(waiting).rejects.toMatchObject({
      kind: "local",
      message: `${reported}, and has not released it for 15 s`,
      details: { code: "locked", hint: expect.objectContaining({ command: `rm -r ${path}` }) },
    });
    expect(usual.waited).toBeGreaterThan(14_000);
    expect(usual.waited).toBeLessThan(16_000);
    expect(readdirSync(path)).toEqual([owner]);
    await withLock(`${path}.other`, withoutWaiting, () => "free");
    const shortTimeout = Object.assign(counted(), { timeout: 100 });
    await expect(withLock(path, shortTimeout, () => "never")).rejects.toMatchObject({ kind: "local" });
    expect(shortTimeout.waited).toBeLessThan(200);
    await expect(
      withLock(path, { sleep: async () => (existsSync(join(path, owner)) ? free(path, owner) : undefined) }, () => "mine"),
    ).resolves.toBe("mine");
  }
});

/** Releases the lock as its owner does. */
async function free(path: string, owner: string): Promise<void> {
  const { rm } = await import("node:fs/promises");
  await rm(join(path, owner));
}

test("a queue that moves is waited in longer, but not without end", async () => {
  const path = join(createTempFolder(), "a");
  let line = 0;
  const usual = counted();
  const moving = async (ms: number) => {
    usual.waited += ms;
    rmSync(path, { recursive: true, force: true });
    line += 1;
    createHeldLock(path, formatOwnerName(process.ppid).replace("0123456789abcdef", line.toString(16).padStart(16, "0")));
  };
  createHeldLock(path, formatOwnerName(process.ppid));
  await expect(withLock(path, { sleep: moving, timeout: 1000 }, () => "never")).rejects.toMatchObject({
    kind: "local",
    details: { code: "locked" },
  });
  expect(Math.round(usual.waited / 1000)).toBe(8);
});

test("what was killed before it had its lock leaves nothing behind, and a running process keeps its own", async () => {
  const path = createTempFolder();
  const draft = (owner: string) => `a.${owner}`;
  const [ended, ours] = [await createEndedProcess(), formatOwnerName(process.pid)];
  const [alive, elsewhere] = [formatOwnerName(process.ppid), formatOwnerName(4711, { machine: "elsewhere" })];
  for (const owner of [formatOwnerName(ended), ours, alive, elsewhere]) mkdirSync(join(path, draft(owner)));
  createHeldLock(join(path, draft(formatOwnerName(ended))), formatOwnerName(ended));
  writeFileSync(join(path, "a.txt"), "");
  await withLock(join(path, "a"), withoutWaiting, () => "done");
  expect(readdirSync(path).sort()).toEqual([draft(alive), draft(elsewhere), "a.txt"].sort());
});

test("a file that no lock has is never removed, whatever folder is in the lock's place", async () => {
  const path = join(createTempFolder(), "a");
  createHeldLock(path, "notes.txt");
  await expect(withLock(path, counted(), () => "never")).rejects.toMatchObject({ kind: "local", message: expect.stringContaining(path) });
  expect(readdirSync(path)).toEqual(["notes.txt"]);
});

test("a folder that isn't there, or a file in the lock's place, is the system's own error", async () => {
  const path = createTempFolder();
  writeFileSync(join(path, "file"), "");
  await expect(withLock(join(path, "none", "a"), withoutWaiting, () => "never")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(withLock(join(path, "file"), withoutWaiting, () => "never")).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(readdirSync(path)).toEqual(["file"]);
});
