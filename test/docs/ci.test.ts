// The variables that the document names for CI are all that a WordPress site needs: they are set as they stand there, and the commands below typed.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createSession, expectExitCode, fixedNow, splitCommandLine } from "../helpers/session.ts";
import { projectRoot } from "../project/sources.ts";

const block = [...readFileSync(join(projectRoot, "docs/scripting.md"), "utf8").matchAll(/```sh\n(.*?)```/gs)]
  .map(([, text = ""]) => text.trim().split("\n"))
  .find((lines) => lines.some((line) => line.includes("CAL_PASSWORD_FILE")));

test("the variables for a WordPress site log in there, without a profile", async () => {
  const site = await startSandbox({
    file: ":memory:",
    day: fixedNow.slice(0, 10),
    now: () => Date.parse(fixedNow),
    serverProfile: "the-events-calendar",
  });
  afterAll(() => site.close());
  const admin = site.users.find(({ username }) => username === "admin");
  const lines = (block ?? []).map((line) => line.replace(/\s+#.*/, ""));
  const set = lines.filter((line) => line.startsWith("export ")).flatMap((line) => splitCommandLine(line).slice(1));
  const named = Object.fromEntries(set.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  const file = join(createSession().folder, "password");
  writeFileSync(file, `${admin?.applicationPassword}\n`);
  const own = { CAL_BASE_URL: site.baseUrl, CAL_USERNAME: "admin", CAL_PASSWORD_FILE: file };
  expect(Object.keys(named)).toEqual(expect.arrayContaining(Object.keys(own)));
  const cal = createSession({ env: { CAL_SANDBOX: "0", ...named, ...own } });
  const commands = lines.flatMap((line) => /\bcal [^)]+/.exec(line)?.[0] ?? []);
  expect(commands).toHaveLength(2);
  for (const command of commands) await expectExitCode(cal(command.slice("cal ".length)), 0);
});
