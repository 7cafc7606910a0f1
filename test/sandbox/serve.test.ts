// The instructions that `cal sandbox serve` prints for another terminal work.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createFileKeychain } from "../auth/file-keychain.ts";
import { createSession, expectExitCode, fixedNow } from "../helpers/session.ts";

const folder = mkdtempSync(join(tmpdir(), "cal-serve-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keychain = createFileKeychain(folder);

/** The lines that are to be pasted, at the address of a sandbox that runs. */
async function pasted(line: string, env: Readonly<Record<string, string>>, address: string): Promise<readonly string[]> {
  const { stderr } = await expectExitCode(createSession({ env })(line), 0);
  return stderr.split("\n").flatMap((text) => (text.startsWith("  ") ? text.trim().replace(/http:\/\/127\.0\.0\.1:\d+/g, address) : []));
}

test.each([
  ["sandbox serve", {}, "generic"],
  ["sandbox serve --server the-events-calendar", {}, "the-events-calendar"],
  ["sandbox serve --server contract", { CAL_SANDBOX_SERVER: "the-events-calendar" }, "generic"],
  ["sandbox serve", { CAL_SANDBOX_SERVER: "the-events-calendar", CAL_SANDBOX_HABITS: "contract" }, "the-events-calendar"],
  ["sandbox serve --habits the-events-calendar", {}, "the-events-calendar"],
  ["sandbox serve", { CAL_SANDBOX_HABITS: "the-events-calendar" }, "the-events-calendar"],
  ["sandbox serve --habits contract", { CAL_SANDBOX_HABITS: "the-events-calendar" }, "generic"],
] as const)("the lines of cal %s %o, pasted one after the other, set up a profile that is logged in", async (line, env, serverProfile) => {
  const box = await startSandbox({ file: ":memory:", day: "2027-01-15", now: () => Date.parse(fixedNow), serverProfile });
  afterAll(() => box.close());
  const [init = "", login = "", list = ""] = await pasted(line, env, box.siteUrl);
  const [, entered = "", variable = "", command = ""] = /^printf '?(.*?)'? \| (\w+=\S+ )?cal (.*)$/.exec(login) ?? [];
  const [name = "", value = ""] = variable.trim().split("=");
  const secret: Readonly<Record<string, string>> = name === "" ? {} : { [name]: value };
  const cal = createSession({ env: { CAL_SANDBOX: "0", ...secret }, keychainProgram: keychain.program });
  await expectExitCode(cal(init.replace("cal ", "")), 0);
  await expectExitCode(cal(command, entered), 0);
  await expectExitCode(cal(list.replace("cal ", "")), 0);
  const { stdout } = await expectExitCode(cal("-p demo auth status --check --json"), 0);
  expect(JSON.parse(stdout)).toMatchObject([{ profile: "demo", identity: "admin", check: "valid" }]);
});

describe("without --port", () => {
  const taken = "port 8123 of 127.0.0.1 is taken by another program, so a free one was chosen\n";
  const serve = async () => (await expectExitCode(createSession({})("sandbox serve"), 0)).stderr;

  test("it listens at the address that is in its records", async () => {
    const own = createSession({ env: { CAL_SANDBOX: "1" } });
    const { stdout } = await expectExitCode(own("events get jazz-night --field url"), 0);
    const stderr = await serve();
    // Another program of this machine may have the port at this moment.
    if (stderr.startsWith(taken)) return;
    expect(stderr).toContain(`base_url   ${new URL(stdout).origin}/wp-json\n`);
  });

  test("it listens at a free port where that one is taken, and says so", async () => {
    const holder = createServer();
    // Where somebody else holds it already, it is taken as well.
    await new Promise<void>((resolve) => holder.once("error", () => resolve()).listen(8123, "127.0.0.1", resolve));
    const stderr = await serve();
    if (holder.listening) holder.close();
    expect(stderr.startsWith(taken)).toBe(true);
    expect(stderr).toMatch(/^base_url {3}http:\/\/127\.0\.0\.1:(?!8123)\d+\/wp-json$/m);
  });
});

test.each(["CAL_SANDBOX_HABITS", "CAL_SANDBOX_SERVER"])("an unknown server profile in %s is refused", async (variable) => {
  const { code, stderr } = await createSession({ env: { [variable]: "the-event-calendar" } })("date today");
  expect([code, stderr]).toEqual([2, `cal: ${variable} is neither generic nor the-events-calendar\nhint: unset ${variable}\n`]);
});
