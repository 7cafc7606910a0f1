// A login without a setting for the address of the authentication service: the user is prompted, a script gets an error.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createScriptedPrompt } from "../commands/prompts/scripted-prompt.ts";
import { createSession, expectExitCode, noPrompt } from "../helpers/session.ts";
import { createFileKeychain } from "./file-keychain.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-asked-address-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keychain = createFileKeychain(folder);
const box = await startSandbox({ file: ":memory:", day: "2027-01-15", now: () => Date.parse("2027-01-15T12:00:00Z") });
afterAll(() => box.close());
const { clientId, clientSecret } = box.application;
const question = "Address of the authentication service (from its administrator)";

test("at a terminal the question is repeated until the answer is an address, which the profile stores", async () => {
  const answers = ["login.example.com", `${box.authUrl}/?a=1`, `${box.authUrl}/`, clientId, clientSecret, "admin", "admin-demo"];
  const prompt = createScriptedPrompt(...answers);
  const cal = createSession({ env: { CAL_SANDBOX: "0" }, prompt, keychainProgram: keychain.program });
  await expectExitCode(cal(`profile add work --use --base-url ${box.baseUrl}`), 0);
  await expectExitCode(cal("auth login --method password"), 0);
  expect(prompt.transcript.slice(0, 5)).toEqual([
    question,
    "! this is not an address that begins with https:// or http://",
    question,
    "! this holds a query",
    question,
  ]);
  expect((await cal("config get auth_url --show-origin --json")).stdout).toContain(`"${box.authUrl}"`);
  // The login is bound to that address, and serves.
  await expectExitCode(cal("auth refresh"), 0);
  await expectExitCode(cal("events list --limit 1"), 0);
});

test.each([
  ["there is no terminal", {}, ""],
  ["--no-input is given", { prompt: noPrompt }, " --no-input"],
] as const)("where %s the command ends with the hint", async (_when, options, flags) => {
  const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: box.baseUrl, NO_COLOR: "1" }, ...options });
  const { stderr } = await expectExitCode(cal(`auth login --method password${flags}`), 2);
  expect(stderr).toContain(
    "the address of the authentication service is not known: auth_url is not set\nhint: ask its administrator for it\n",
  );
});

test("a login with an application password needs no such address", async () => {
  const cal = createSession({
    env: { CAL_SANDBOX: "0", CAL_BASE_URL: box.baseUrl, CAL_USERNAME: "admin" },
    prompt: createScriptedPrompt("application password"),
  });
  expect((await cal("auth login --method application-password")).stderr).not.toContain("authentication service");
});
