// The program's output in a pager, which has the terminal while the program still runs and after it has ended.

import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildTestProgram, findMissingPrograms, openTerminal, type Terminal } from "./terminal.ts";

const missing = findMissingPrograms();

describe("in a pager", () => {
  if (missing !== undefined) return test.skip(`a real terminal: ${missing}`);
  let built: BuiltProgram;
  let terminal: Terminal;
  /** A calendar that answers when the test says so. */
  const calendar = createServer();

  beforeAll(async () => {
    built = buildTestProgram();
    calendar.listen(0, "127.0.0.1");
    await once(calendar, "listening");
    terminal = await openTerminal(built, 100, 12);
  }, 120_000);

  afterAll(() => {
    calendar.close();
    terminal?.close();
    if (built !== undefined) rmSync(built.folder, { recursive: true, force: true });
  });

  test("a table keeps its colours where they are requested", async () => {
    terminal.run("cal events list --all-dates --all --format table --color always | less -R");
    await terminal.waitForText(/^ID +START/m);
    expect(terminal.captureColours()).toContain("\u001b[");
    expect(await terminal.waitForText(/^:/m)).not.toMatch(/ESC|\^\[/);
    terminal.press("G");
    await terminal.waitForText("(END)");
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("the pager gets each key also where cal started before it and ends while it reads", async () => {
    const go = join(terminal.folder, "go");
    const lets = once(calendar, "request");
    const site = `CAL_SANDBOX=0 CAL_TOKEN=x CAL_BASE_URL=http://127.0.0.1:${(calendar.address() as AddressInfo).port}`;
    terminal.run(`(${site} cal tags list; echo left:$? >&2) | { until [ -e '${go}' ]; do sleep 0.05; done; exec less; }`);
    const [, answer] = (await lets) as [IncomingMessage, ServerResponse];
    writeFileSync(go, "");
    await terminal.waitForRawMode();
    answer
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ tags: [{ id: 17, name: "jazz" }], total: 1, total_pages: 1 }));
    await terminal.waitForText("left:0");
    await terminal.waitForText("jazz");
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
  });

  test("a pager that is left early, and head, are no failure", async () => {
    terminal.run("(cal events list --all-dates --all --format ndjson; echo left:$? >&2) | less");
    await terminal.waitForText(/^:/m);
    terminal.press("q");
    expect(await terminal.waitForExitCode()).toBe(0);
    await terminal.waitForText("left:0");
    terminal.run("(cal events list --all-dates --all; echo left:$? >&2) | head -n 2");
    expect(await terminal.waitForExitCode()).toBe(0);
    expect(await terminal.waitForText("left:0")).toMatch(/^id +start_date/m);
  });
});
