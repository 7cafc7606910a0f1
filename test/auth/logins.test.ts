// Logins together with the rest of the program: a long list, another origin, a profile that goes.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authPaths } from "../../src/model/auth.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";
import { startFixtureSandbox } from "../sandbox/fixtures.ts";
import { createFileKeychain } from "./file-keychain.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-whole-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keychain = createFileKeychain(folder);
const keyFile = join(folder, "client-secret");

const box = await startFixtureSandbox({ file: ":memory:", day: "2027-01-15", now: () => Date.parse("2027-01-15T12:00:00Z") });
afterAll(() => box.close());
const elsewhere = await startRequestRecorder();
const cal = createSession({ env: { CAL_SANDBOX: "0" }, keychainProgram: keychain.program });

const entries = () => Object.keys(JSON.parse(readFileSync(keychain.entriesFile, "utf8")) as object);
const refreshes = () => box.requests().filter(({ method, path }) => method === "POST" && path.startsWith("/api/auth/")).length;

beforeAll(async () => {
  writeFileSync(keyFile, box.application.clientSecret);
  await cal(
    `profile add work --use --base-url ${box.baseUrl} --auth-url ${box.authUrl} --client-id ${box.application.clientId} --username admin`,
  );
  const login = await cal(`auth login --method password --password-stdin --client-secret-file ${keyFile}`, "admin-demo");
  expect(login.code, login.stderr).toBe(0);
});

test("a 401 in the middle of a long list refreshes once, and the list goes on whole", async () => {
  const before = refreshes();
  const refused = {
    status: 401,
    body: JSON.stringify({ code: "rest_forbidden", message: "Expired.", data: { status: 401 } }),
    headers: { "content-type": "application/json" },
  };
  box.faults.add({ method: "GET", path: "/v1/events", skip: 3, times: 1, response: refused });
  const { stdout, code, stderr } = await cal("events list --all --per-page 7 --format ids --concurrency 1");
  const ids = stdout.trim().split("\n");
  expect([code, new Set(ids).size, ids.length, refreshes() - before], stderr).toEqual([0, 60, 60, 1]);
});

test.each([
  ["a flag", "events list --limit 1 --base-url"],
  ["a flag for the authentication service", "auth refresh --auth-url"],
])("%s that leads to another origin carries no stored secret", async (_what, line) => {
  elsewhere.receivedRequests.length = 0;
  elsewhere.headers.length = 0;
  const { code, stderr } = await cal(`${line} ${new URL(elsewhere.url).origin}`);
  expect([code, elsewhere.headers.filter((headers) => headers.authorization !== undefined)]).toEqual([4, []]);
  expect(stderr).toContain(new URL(elsewhere.url).origin);
});

test("a token longer than a keychain entry may be is stored in chunks, and sent whole", async () => {
  const long = "x".repeat(6000);
  const body = JSON.stringify({ access_token: long, "expires-at": Date.parse("2027-01-15T13:00:00Z") });
  box.faults.add({
    method: "POST",
    path: authPaths.token,
    times: 1,
    response: { status: 200, body, headers: { "content-type": "application/json" } },
  });
  const login = await cal(`auth login --method password --password-stdin --client-secret-file ${keyFile}`, "admin-demo");
  expect(login.code, login.stderr).toBe(0);
  const stored = Object.values(JSON.parse(readFileSync(keychain.entriesFile, "utf8")) as Readonly<Record<string, string>>);
  expect(Math.max(...stored.map((entry) => entry.length))).toBeLessThanOrEqual(2560);
  expect(await cal("auth token")).toMatchObject({ stdout: `${long}\n`, code: 0 });
});

test("removing a profile removes its secrets", async () => {
  expect(entries().length).toBeGreaterThan(1);
  const { code, stderr } = await cal("profile remove work --yes");
  expect([code, entries()], stderr).toEqual([0, []]);
});
