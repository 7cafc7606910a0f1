// The programs that cal starts get no secrets in their environment, and no names of files with secrets.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildTestProgram, findMissingPrograms, openTerminal, type Terminal } from "./terminal.ts";

const missing = findMissingPrograms();

const secretNames = ["CAL_TOKEN", "CAL_PASSWORD", "CAL_CLIENT_SECRET", "CAL_TO_TOKEN", "CAL_TO_PASSWORD", "CAL_TO_CLIENT_SECRET"];

describe("a child process", () => {
  if (missing !== undefined) return test.skip(`a real terminal: ${missing}`);
  let built: BuiltProgram;
  let terminal: Terminal;
  let seen: string;
  const event = { id: 7, title: "Jazz", url: "http://127.0.0.1/event/jazz/", start_date: "2027-01-15 20:00:00" };
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(event));
  });

  beforeAll(async () => {
    built = buildTestProgram();
    seen = join(built.folder, "seen");
    const script = `#!/bin/sh\nenv > '${seen}.part'\nmv '${seen}.part' '${seen}'\n`;
    writeFileSync(join(built.path, "test-program"), script, { mode: 0o755 });
    writeFileSync(join(built.folder, "secret"), "s3cret\n");
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    terminal = await openTerminal(built, 100, 30);
  }, 120_000);

  afterAll(() => {
    site.close();
    terminal?.close();
    if (built !== undefined) rmSync(built.folder, { recursive: true, force: true });
  });

  const values = secretNames.map((name) => `${name}=s3cret`).join(" ");
  const files = () => secretNames.map((name) => `${name}_FILE='${built.folder}/secret'`).join(" ");

  test.each([
    ["the editor", "events edit 7"],
    ["the browser", "events open 7"],
  ])("%s", async (_who, line) => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    for (const secrets of [values, files()]) {
      rmSync(seen, { force: true });
      terminal.run(`${secrets} CAL_SANDBOX=0 CAL_BASE_URL=${url} VISUAL= EDITOR=test-program BROWSER=test-program cal ${line}`);
      await terminal.waitForExitCode();
      // The browser is started and not waited for.
      for (let turn = 0; turn < 500 && !existsSync(seen); turn++) await sleep(20);
      const variables = readFileSync(seen, "utf8").split("\n");
      expect(variables).toContain("CAL_TZ=America/New_York");
      expect(variables.filter((variable) => /^CAL_(?:TOKEN|PASSWORD|CLIENT_SECRET)|s3cret/.test(variable))).toEqual([]);
    }
  });
});
