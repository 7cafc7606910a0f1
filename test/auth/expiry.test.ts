// The expiry of a login, as the table shows it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { formatExpiry } from "../../src/commands/auth/status.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createSession, expectExitCode } from "../helpers/session.ts";
import { createFileKeychain } from "./file-keychain.ts";

const now = Date.parse("2027-01-15T12:00:00Z");
const zone = "Europe/Paris";

test.each([
  ["2027-01-15T15:00:00.000Z", "2027-01-15 16:00 (in 3 hours)"],
  ["2027-01-15T13:59:00.000Z", "2027-01-15 14:59 (in 119 min)"],
  ["2027-01-15T12:01:59.000Z", "2027-01-15 13:01 (in 1 min)"],
  ["2027-01-15T12:00:30.000Z", "2027-01-15 13:00 (in 1 min)"],
  ["2027-07-15T12:00:00.000Z", "2027-07-15 14:00 (in 181 days)"],
  ["2027-01-15T09:30:00.000Z", "2027-01-15 10:30 (2 hours ago)"],
  [undefined, undefined],
  ["never", undefined],
])("%s", (iso, text) => {
  expect(formatExpiry(iso, now, zone, false)).toBe(text);
});

test("what needs no action says so", () => {
  expect(formatExpiry("2027-01-15T09:30:00.000Z", now, zone, true)).toBe("2027-01-15 10:30 (2 hours ago, renews)");
});

test("auth status reports the end of a login on the user's clock; programs get it in UTC", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cal-until-"));
  const box = await startSandbox({ file: ":memory:", day: "2027-01-15", now: () => now });
  afterAll(async () => {
    await box.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { clientId, clientSecret } = box.application;
  const env = { CAL_SANDBOX: "0", CAL_BASE_URL: box.baseUrl, CAL_AUTH_URL: box.authUrl, CAL_CLIENT_ID: clientId };
  const cal = createSession({
    env: { ...env, CAL_TZ: "Asia/Tokyo", NO_COLOR: "1" },
    columns: 200,
    keychainProgram: createFileKeychain(folder).program,
  });
  writeFileSync(join(folder, "secret"), clientSecret);
  await expectExitCode(
    cal(`auth login --method password --username admin --password-stdin --client-secret-file ${folder}/secret`, "admin-demo"),
    0,
  );
  expect((await cal("auth status --fields profile,expires_at")).stdout).toMatch(/^default +2027-01-15 22:00 \(in 60 min\)$/m);
  expect(JSON.parse((await cal("auth status --json --field expires_at")).stdout)).toBe("2027-01-15T13:00:00.000Z");
  expect((await cal("auth status --format tsv --fields expires_at")).stdout).toBe("expires_at\n2027-01-15T13:00:00.000Z\n");
});
