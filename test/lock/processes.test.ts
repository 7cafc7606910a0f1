// The lock between real processes: nothing is lost where some are killed, and only one process replaces a dead owner.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withLock } from "../../src/lock.ts";
import { buildLockProgram, createEndedProcess, createHeldLock, formatOwnerName } from "./owners.ts";

/** Increments a count in a file, with a pause between reading and writing, and prints a line each time; once, or without end. */
const counting = `
import { readFileSync, renameSync, writeFileSync } from "node:fs";
const [folder, forever] = args;
do {
  await withLock(folder + "/lock", waiting, async () => {
    const count = Number(readFileSync(folder + "/count", "utf8"));
    await sleep(Math.random() * 4);
    writeFileSync(folder + "/count.next", String(count + 1));
    renameSync(folder + "/count.next", folder + "/count");
  });
  console.log("counted");
} while (forever);
`;

let root: string;
let program: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "cal-lock-"));
  program = await buildLockProgram(root, counting);
});
afterAll(() => rmSync(root, { recursive: true }));

function createCountFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "count"), "0");
  return folder;
}

function counter(folder: string, ...args: readonly string[]): ChildProcess & { readonly counted: () => number } {
  const child = spawn(process.execPath, [program, folder, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout?.on("data", (data) => {
    text += String(data);
  });
  return Object.assign(child, { counted: () => text.split("counted").length - 1 });
}

const countIn = (folder: string) => Number(readFileSync(join(folder, "count"), "utf8"));

test("50 processes that find the lock of an ended process count to 50", async () => {
  const folder = createCountFolder("fifty");
  createHeldLock(join(folder, "lock"), formatOwnerName(await createEndedProcess()));
  const codes = await Promise.all(Array.from({ length: 50 }, async () => (await once(counter(folder), "close"))[0]));
  expect({ codes: [...new Set(codes)], count: countIn(folder), left: readdirSync(folder) }).toEqual({
    codes: [0],
    count: 50,
    left: ["count"],
  });
}, 120_000);

test("processes that are killed at any moment stop no other process and lose nothing that they had done", async () => {
  const folder = createCountFolder("killed");
  let reportedCount = 0;
  for (let round = 0; round < 8; round += 1) {
    const counters = Array.from({ length: 4 }, () => counter(folder, "forever"));
    await expect.poll(() => counters.every((one) => one.counted() > 0), { timeout: 60_000, interval: 5 }).toBe(true);
    const ended = counters.map((one) => once(one, "close"));
    for (const one of counters) {
      await sleep(Math.random() * 20);
      one.kill("SIGKILL");
    }
    await Promise.all(ended);
    reportedCount += counters.reduce((sum, one) => sum + one.counted(), 0);
  }
  expect(countIn(folder)).toBeGreaterThanOrEqual(reportedCount);
  expect((await once(counter(folder), "close"))[0]).toBe(0);
  expect(readdirSync(folder).filter((name) => name !== "count.next")).toEqual(["count"]);
}, 120_000);

test("a process that is killed while it holds the lock gives way at once, and not before", async () => {
  const folder = createCountFolder("holder");
  const path = join(folder, "held");
  const holding = await buildLockProgram(folder, `await withLock(args[0], waiting, () => { console.log("held"); return sleep(600000); });`);
  const holder = spawn(process.execPath, [holding, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  const order: string[] = [];
  const pauses: number[] = [];
  const patient = {
    sleep: async (ms: number) => {
      pauses.push(ms);
      await sleep(ms);
    },
  };
  const waiting = withLock(path, patient, () => order.push("taken"));
  await expect.poll(() => pauses.length).toBeGreaterThan(10);
  order.push("killed");
  holder.kill("SIGKILL");
  await waiting;
  expect(order).toEqual(["killed", "taken"]);
});

test("a stopped process keeps its lock", async () => {
  const folder = createCountFolder("still");
  const path = join(folder, "held");
  const holding = await buildLockProgram(folder, `await withLock(args[0], waiting, () => { console.log("held"); return sleep(600000); });`);
  const holder = spawn(process.execPath, [holding, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  holder.kill("SIGSTOP");
  await expect(withLock(path, { sleep: async () => undefined }, () => "never")).rejects.toMatchObject({
    message: expect.stringContaining(`process ${holder.pid} on`),
  });
  holder.kill("SIGKILL");
  await once(holder, "close");
  expect(await withLock(path, { sleep: () => Promise.reject(new Error("it was waited for")) }, () => "taken")).toBe("taken");
});
