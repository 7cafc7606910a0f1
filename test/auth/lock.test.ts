// The locks of logins: by name, in a folder that is made when it is needed.

import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLock } from "../../src/auth/credential-file.ts";
import { createHeldLock, formatOwnerName } from "../lock/owners.ts";
import { catchCalError, createTempFolder, realClock } from "./kit.ts";

test("a name may hold anything, and names do not wait for each other", async () => {
  const path = join(await createTempFolder(), "new", "locks");
  const lock = createLock(path, realClock);
  const seen = await lock("a b/../c", () => lock("b", () => readdir(path)));
  expect(seen.sort()).toEqual(["a%20b%2F..%2Fc", "b"]);
  expect(await readdir(path)).toEqual([]);
});

test("a running holder has a minute, for it may be waiting for the service", async () => {
  const path = await createTempFolder();
  createHeldLock(join(path, "login-work"), formatOwnerName(process.ppid));
  let waited = 0;
  const sleep = async (ms: number) => {
    waited += ms;
  };
  expect(await catchCalError(createLock(path, { sleep })("login-work", async () => "never"))).toMatchObject({
    kind: "local",
    message: expect.stringContaining(`process ${process.ppid} on `),
  });
  expect(Math.round(waited / 1000)).toBe(60);
});

test("a folder that can't be created is an error with a hint; errors of the work do not change", async () => {
  const path = await createTempFolder();
  await writeFile(join(path, "file"), "");
  expect(await catchCalError(createLock(join(path, "file", "locks"), realClock)("a", async () => "never"))).toMatchObject({
    kind: "local",
    message: expect.stringMatching(/^cannot lock in .*ENOTDIR/),
    hint: expect.stringContaining("CAL_STATE_DIR"),
  });
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  await expect(createLock(path, realClock)("a", () => Promise.reject(refused))).rejects.toBe(refused);
});
